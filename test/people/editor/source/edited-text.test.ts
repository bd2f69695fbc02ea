import assert from 'node:assert/strict'
import test from 'node:test'
import { type Document, YAMLMap } from 'yaml'
import { changedText, type FileKind, openText } from '#people/editor/source/edited-text.ts'
import { ok } from '#platform/base/result.ts'
import { golden } from '../../../support/golden.ts'

type Values = Readonly<Record<string, string | boolean>>

/** A page with other values, of which empty ones are removed, and another text. */
function changed(page: string, values: Values, body?: string, kind: FileKind = 'page'): string {
  const change = (document: Document) => {
    document.contents ??= new YAMLMap()
    for (const [key, value] of Object.entries(values))
      if (value === '') document.delete(key)
      else document.set(key, value)
  }
  const text = changedText(kind, openText(kind, page), Object.keys(values).length > 0 ? change : same, body)
  assert.ok(text.ok, !text.ok ? text.problem : '')
  return text.value
}

const same = () => {}

test('a page opens as its front matter, and its Markdown without blank space around it', () => {
  const page = '---\ntitle: "A: b"\nother: x\n---\r\n\n  # A\r\n\r\nText  \nmore\n\n'
  assert.equal(openText('page', page).body, '# A\n\nText  \nmore')
  assert.equal(openText('page', page).yaml?.text, 'title: "A: b"\nother: x\n')
  assert.deepEqual(openText('page', '# A\n'), { file: '# A\n', yaml: { text: '', root: null }, body: '# A' })
})

test('a change of the Markdown keeps the other lines, their line ends and the blank space around them', () => {
  const page = '\uFEFF---\r\ntitle: A\r\n---\r\n\r\n  One  \r\nTwo\nThree  \r\n\r\nFour\r\n\r\n'
  const body = 'One  \nTwo\nThree  \n\nFour'
  const cases: [body: string, after: string][] = [
    [body, page],
    [body.replace('Two', 'Zwei'), page.replace('Two\n', 'Zwei\r\n')],
    [body.replace('Two\n', ''), page.replace('Two\n', '')],
    [body.replace('Three  ', 'Three'), page.replace('Three  ', 'Three')],
    [`${body}\nFive`, page.replace('Four', 'Four\r\nFive')],
    [`Zero\n${body}`, page.replace('  One', '  Zero\r\nOne')],
    [body.replace('\n\nFour', ''), page.replace('  \r\n\r\nFour', '')],
    ['', '\uFEFF---\r\ntitle: A\r\n---\r\n\r\n  \r\n\r\n'],
  ]
  for (const [text, after] of cases) assert.equal(changed(page, {}, text), after)
  assert.equal(changed('# A\n\nb', {}, '# A\n\nc'), '# A\n\nc')
})

test('a change of the front matter leaves the Markdown as it is, and its line ends', () => {
  const body = '\n\n  # A  \n---\nb'
  const cases: [before: string, values: Values, after: string][] = [
    ['---\ntitle: A # a\norder: 1\n---', { title: 'B' }, '---\ntitle: B # a\norder: 1\n---'],
    ['--- \t\ntitle: A\n---  ', { order: '2' }, '--- \t\ntitle: A\norder: 2\n---  '],
    ['---\ntitle: A\norder: 1\n---', { title: '' }, '---\norder: 1\n---'],
    ['---\ntitle: A\n---', { title: '' }, '---\n---'],
    ['---\n# later\n---', { title: 'A' }, '---\n# later\n\ntitle: A\n---'],
    ['---\n---', { title: 'A', wide: true }, '---\ntitle: A\nwide: true\n---'],
    ['---\n{}\n---', {}, '---\n{}\n---'],
    ['---\ncover: {image: a}\n---', { title: 'A' }, '---\ncover: {image: a}\ntitle: A\n---'],
  ]
  for (const [before, values, after] of cases) {
    assert.equal(changed(before + body, values), after + body)
    const [dos = '', other] = [before + body, after + body].map(text => text.replaceAll('\n', '\r\n'))
    assert.equal(changed(dos, values), other)
    assert.equal(changed(`\uFEFF${before}${body}`, values), `\uFEFF${after}${body}`)
  }
})

test('a list keeps its line ends, its byte order mark and its last line', () => {
  const text = '\uFEFF# head\r\n- name: A # a\r\n  use: x\n- name: B'
  const save = (change: (document: Document) => void) => changedText('colors', openText('colors', text), change)
  assert.deepEqual(
    save(document => document.setIn([0, 'use'], 'y')),
    ok(text.replace('use: x', 'use: y\r')),
  )
  assert.deepEqual(
    save(document => document.deleteIn([0, 'name'])),
    ok(text.replace('name: A # a\r\n  use: x', 'use: x\r')),
  )
  assert.deepEqual(
    save(document => document.setIn([1, 'id'], 'b')),
    ok(`${text}\r\n  id: b`),
  )
})

test('a page without front matter gets one with its first value, and a new page a blank line below it', () => {
  assert.equal(changed('# A\r\n', {}), '# A\r\n')
  assert.equal(changed('# A\r\n', { title: 'B' }), '---\r\ntitle: B\r\n---\r\n\r\n# A\r\n')
  assert.equal(changed('\uFEFF\n# A', { title: 'B' }), '\uFEFF---\ntitle: B\n---\n\n# A')
  assert.equal(changed('', { title: 'A' }, '# A\n\nb'), '---\ntitle: A\n---\n\n# A\n\nb\n')
  assert.equal(changed('', { title: 'A' }), '---\ntitle: A\n---\n')
  assert.equal(changed('', {}, '# A'), '# A\n')
  assert.equal(changed('---\ntitle: A\n---', {}, '# A'), '---\ntitle: A\n---\n\n# A\n')
})

golden('editor/files', ({ kind, file }: { kind: FileKind; file: string }) => {
  const opened = openText(kind, file)
  assert.equal(opened.yaml, undefined)
  assert.equal(changed(file, {}, opened.body, kind), file)
  assert.equal(changed(file, {}, opened.body?.replace('A', 'Z'), kind), file.replace('A', 'Z'))
  return opened.problem
})

test('a text that would become front matter is not saved', () => {
  for (const body of ['+++\ntitle = "A"\n+++\n# A', '{ "title": "A" }\n# A', ';;;\n{ "title": "A" }\n;;;\n# A'])
    assert.equal(changedText('page', openText('page', '---\ntitle: A\n---\n# A\n'), same, body).ok, false, body)
  assert.equal(changedText('page', openText('page', '# A\n'), same, '---\ntitle: B\n---\nC').ok, false)
  const page = '---\ntitle: A\n---\n\n+++\n\n# One\n\n+++\n\nTwo\n'
  assert.equal(changed(page, { title: 'B' }), page.replace('title: A', 'title: B'))
})
