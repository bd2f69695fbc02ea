import assert from 'node:assert/strict'
import test from 'node:test'
import { applyPatch } from 'diff'
import { contentDiff } from '#brand/content-diff.ts'
import type { Content } from '#brand/draft.ts'
import { isPageId } from '#brand/ids.ts'
import type { Page } from '#brand/page.ts'
import { hashOf } from '#brand/snapshot.ts'
import { fc, forAllIn } from '../support/random.ts'

const NOTHING = { name: 'Guide', pages: [], colors: [], types: [], files: [] }

/** The diff between two versions of a page; undefined means that the page does not exist. */
async function pageDiff(old: string | undefined, current: string | undefined) {
  const content = (text: string | undefined) => ({ ...NOTHING, pages: text === undefined ? [] : [pageOf(text)] })
  const readPage = { from: async () => old ?? '', to: async () => current ?? '' }
  return (await contentDiff(content(old), content(current), readPage)).pages[0]
}

function pageOf(text: string): Page {
  const id = 'a/b'
  assert.ok(isPageId(id))
  return { id, name: 'A', content: hashOf(Buffer.from(text)), links: [] }
}

const text = fc
  .array(fc.constantFrom('', 'a', 'b', '-- c', '++ d', '@@ -1 +1 @@', '====', '\\ e'), { maxLength: 12 })
  .map(lines => lines.join('\n'))
const long = (word: string, end: string) => Array.from({ length: 5000 }, (_, at) => `${word} ${at}`).join('\n') + end

test('the diff of two contents shows the changed values outside its lists, and no others', async () => {
  const readPage = { from: async () => '', to: async () => '' }
  const [words, more] = [[{ write: 'use', not: ['utilise'] }], [{ write: 'use', not: ['utilise', 'leverage'] }]]
  const footer = [{ name: 'Press', url: 'https://acme.example' }]
  const lint = { neutrals: 'strict' } as const
  const theme = { corners: 'soft' } as const
  const before: Content = { ...NOTHING, contact: 'brand@acme.example', words }
  const after: Content = { ...NOTHING, lang: 'de', theme, footer, words: more, lint }
  const { pages, colors, types, files, reordered, ...changed } = await contentDiff(before, after, readPage)
  assert.deepEqual(changed, {
    lang: { from: null, to: 'de' },
    theme: { from: null, to: theme },
    contact: { from: 'brand@acme.example', to: null },
    footer: { from: null, to: footer },
    words: { from: words, to: more },
    lint: { from: null, to: lint },
  })
})

test('the diff of a page turns the earlier text into the later one', () =>
  forAllIn(120, [text, text], async (old, current) => {
    const page = await pageDiff(old, current)
    assert.equal(page === undefined, old === current)
    if (page) assert.equal(applyPatch(old, page.diff ?? ''), current)
  }))

for (const [name, old, current] of [
  ['of two long texts with nothing in common', long('old', '\n'), long('new', '')],
  ['of a long text that becomes empty', long('old', ''), ''],
  ['of an empty text that becomes long', '', long('new', '\n')],
  ['of a new long page', undefined, long('new', '\n')],
  ['of a removed long page', long('old', '\n'), undefined],
] as const)
  test(`the diff ${name} is correct`, async () => {
    const page = await pageDiff(old, current)
    assert.equal(applyPatch(old ?? '', page?.diff ?? ''), current ?? '')
    const [from, to] = [old === undefined ? '/dev/null' : 'a/a/b.md', current === undefined ? '/dev/null' : 'b/a/b.md']
    assert.deepEqual(page?.diff?.split('\n').slice(0, 2), [`--- ${from}`, `+++ ${to}`])
  })

test('a new empty page has a diff that shows it as added', async () => {
  assert.deepEqual(await pageDiff(undefined, ''), {
    id: 'a/b',
    change: 'added',
    diff: '--- /dev/null\n+++ b/a/b.md\n',
    fields: {
      id: { from: null, to: 'a/b' },
      name: { from: null, to: 'A' },
      content: { from: null, to: hashOf(Buffer.from('')) },
      links: { from: null, to: [] },
    },
  })
})
