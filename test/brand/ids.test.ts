import assert from 'node:assert/strict'
import test from 'node:test'
import {
  isHash,
  isPageId,
  isProjectId,
  isStoredWorkspaceId,
  isStyleId,
  isWorkspaceId,
  RESERVED_WORKSPACE_IDS,
  slug,
} from '#brand/ids.ts'
import { codePoint, fc, forAll } from '../support/random.ts'

const cases: [text: string, kinds: string][] = [
  ['acme', 'workspace project page style'],
  ['a', 'workspace project page style'],
  ['18f', 'workspace project page style'],
  ['a-b-1', 'workspace project page style'],
  ['x'.repeat(63), 'workspace project page style'],
  ['x'.repeat(64), 'page style'],
  ['x'.repeat(200), 'page style'],
  ['x'.repeat(201), 'page'],
  ['x'.repeat(255), 'page'],
  ['x'.repeat(256), ''],
  ['docs', 'project page style'],
  ['a/b', 'page'],
  ['синии', 'page style'],
  ['a//b', ''],
  ['/a', ''],
  ['a/', ''],
  ['a/../b', ''],
  ['', ''],
  ['-a', ''],
  ['a-', ''],
  ['a--b', ''],
  ['A', ''],
  ['a b', ''],
  ['a.b', ''],
  ['a\n', ''],
  ['é', ''],
  ['e\u0301', ''],
  ['__proto__', ''],
]
const kinds = { workspace: isWorkspaceId, project: isProjectId, page: isPageId, style: isStyleId }
for (const [text, expected] of cases) {
  const shown = text.length > 40 ? `${text[0]} × ${text.length}` : JSON.stringify(text)
  test(`${shown} is the id of ${expected.replaceAll(' ', ', ') || 'nothing'}`, () => {
    const actual = Object.entries(kinds).flatMap(([kind, is]) => (is(text) ? [kind] : []))
    assert.equal(actual.join(' '), expected)
  })
}

test('a reserved word is not the id of a workspace', () => {
  assert.deepEqual(RESERVED_WORKSPACE_IDS.filter(isWorkspaceId), [])
})

test('a stored workspace may have an id that was reserved after the first release, but no other reserved id', () => {
  assert.deepEqual(RESERVED_WORKSPACE_IDS.filter(isStoredWorkspaceId), ['mcp', 'events', 'hooks', 'schemas'])
  for (const id of ['acme', 'mcp-2', 'event']) assert.ok(isStoredWorkspaceId(id) && isWorkspaceId(id))
  for (const id of ['', 'Acme', '../mcp', 'mcp/']) assert.ok(!isStoredWorkspaceId(id))
})

test('every slug of at most 200 characters is the id of a style and of a page', () =>
  forAll([fc.string({ unit: codePoint, maxLength: 50 })], name => {
    const id = slug(name)
    assert.equal(isStyleId(id), id !== '')
    assert.equal(isPageId(id), id !== '')
  }))

test('a hash is 64 lower-case hex digits', () => {
  assert.equal(isHash('0123456789abcdef'.repeat(4)), true)
  for (const text of ['', 'a'.repeat(63), 'a'.repeat(65), 'A'.repeat(64), 'g'.repeat(64), `${'a'.repeat(64)}\n`])
    assert.equal(isHash(text), false)
})

const slugs: [name: string, expected: string][] = [
  ['Deep Blue', 'deep-blue'],
  ['  Deep   Blue!  ', 'deep-blue'],
  ['Bleu Célèbre', 'bleu-celebre'],
  ['Bleu Ce\u0301le\u0300bre', 'bleu-celebre'],
  ['Weiß', 'weiss'],
  ['GROẞ', 'gross'],
  ['İstanbul', 'istanbul'],
  ['Ｆｕｌｌ　Ｗｉｄｔｈ', 'full-width'],
  ['ﬁne №5', 'fine-no5'],
  ['Gris 20 %', 'gris-20'],
  ['Синий', 'синии'],
  ['深蓝', '深蓝'],
  ['서울', '서울'],
  ['١٢', '١٢'],
  ['C/M/Y', 'c-m-y'],
  ['a_b.c', 'a-b-c'],
  ['★', ''],
  ['---', ''],
  ['', ''],
]
for (const [name, expected] of slugs)
  test(`the slug of ${JSON.stringify(name)} is ${JSON.stringify(expected)}`, () => assert.equal(slug(name), expected))

test('the slug of the slug of any character is that slug', () => {
  const odd = []
  for (let point = 0; point <= 0x10ffff; point++) {
    const character = String.fromCodePoint(point)
    const once = slug(character)
    if (once !== character && slug(once) !== once) odd.push(point.toString(16))
  }
  assert.deepEqual(odd, [])
})

test('the slug of a slug is that slug, without hyphens at its ends or two in a row', () =>
  forAll([fc.string({ unit: codePoint })], name => {
    const once = slug(name)
    assert.equal(slug(once), once)
    assert.doesNotMatch(once, /^-|-$|--/)
  }))
