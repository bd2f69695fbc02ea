import assert from 'node:assert/strict'
import test from 'node:test'
import { lines, read } from '../reading.ts'

const FOLDER = {
  'a/project.yaml': 'theme: { accent: sea, heading: title }\n',
  'a/pages/index.md':
    '---\ncover: sea\nground: sea\n---\n[all](../styles/colors.yaml) [Sea](../styles/colors.yaml#sea)\n',
  'a/files/files.yaml': 'a.txt: { ground: sea }\n',
  'a/files/a.txt': 'a',
  'a/styles/types.yaml': '- name: Body\n',
}
const TYPE = 'a/project.yaml:1 error reference-missing'

test('a reference to a colour is not reported while the list of colours is unreadable', async () => {
  const tab = { ...FOLDER, 'a/styles/colors.yaml': '- name: Sea\n\thex: "#123456"\n' }
  assert.deepEqual(lines((await read(tab)).findings), ['a/styles/colors.yaml:2 error yaml-syntax', TYPE])
})

test('a reference to a missing colour is reported if only another project has errors in its colours', async () => {
  const other = { ...FOLDER, 'b/styles/colors.yaml': '- name: Sea\n\thex: "#123456"\n' }
  assert.deepEqual(lines((await read(other)).findings), [
    'a/files/files.yaml:1 error reference-missing',
    'a/pages/index.md:2 warning cover-unknown',
    'a/pages/index.md:3 warning front-matter-value-unknown',
    'a/pages/index.md:5 warning link-broken',
    'a/pages/index.md:5 warning link-broken',
    TYPE,
    TYPE,
    'b/styles/colors.yaml:2 error yaml-syntax',
  ])
})

test('a broken reference between colours is reported along with other errors in the list', async () => {
  const { findings } = await read({
    'styles/colors.yaml': '- { name: Ink, hex: "#000", tintOf: sea }\n- { name: Red, hex: "#12" }\n',
  })
  assert.deepEqual(lines(findings), [
    'styles/colors.yaml:1 error reference-missing',
    'styles/colors.yaml:2 error value-invalid',
  ])
})

test('a file has at most 100 findings, errors first, and one that counts the rest', async () => {
  const colors = Array.from({ length: 150 }, (_, at) => `- { name: Colour ${at}, hex: blue }\n`)
  const page = Array.from({ length: 120 }, (_, at) => `[${at}](gone-${at}.md)\n`)
  const { findings } = await read({ 'styles/colors.yaml': colors.join(''), 'pages/a.md': page.join('') })
  const inColors = findings.filter(({ path }) => path === 'styles/colors.yaml')
  const inPage = findings.filter(({ path }) => path === 'pages/a.md')
  assert.deepEqual([inColors.length, inPage.length], [101, 101])
  const seen = [inColors.at(-1), inPage.at(-1)].map(last => [last?.severity, last?.line, last?.message])
  assert.deepEqual(seen, [
    ['error', null, 'and 50 more findings in this file; fix those above, then check again'],
    ['warning', null, 'and 20 more findings in this file; fix those above, then check again'],
  ])
})
