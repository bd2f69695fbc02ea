import assert from 'node:assert/strict'
import test from 'node:test'
import { findingLines, ruleIn } from '../../support/problems.ts'
import { draftOf, read } from '../reading.ts'

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="20"/>'
const FILES = { 'files/logo/mark.svg': SVG, 'files/logo/other.svg': SVG, 'pages/clear.svg': SVG }

test('the earlier paths of a file are below files/, unless they begin with pages/; each counts once', async () => {
  const { files } = await draftOf({
    ...FILES,
    'files/files.yaml':
      'logo/mark.svg: { earlier: [old/mark.svg, files/old/mark.svg, "a, b/mark.svg", pages/mark.svg] }\nlogo/o*.svg: { earlier: 2019.svg }\n',
  })
  assert.deepEqual(
    files.map(({ earlier }) => earlier),
    [['files/old/mark.svg', 'files/a, b/mark.svg', 'pages/mark.svg'], ['files/2019.svg'], undefined],
  )
})

const MISLED: Readonly<Record<string, string>> = {
  'logo/other.svg: { earlier: [old.svg, logo/mark.svg] }':
    '"earlier" of "files/logo/other.svg" is "logo/mark.svg", which is an existing file; correct it, or remove it',
  'clear.svg: { earlier: pages/clear.svg }':
    '"earlier" of "pages/clear.svg" is "pages/clear.svg", which is an existing file; correct it, or remove it',
  'logo/other.svg: { earlier: files/old.svg }\nlogo/mark.svg: { earlier: [old.svg] }':
    '"earlier" of "files/logo/other.svg" is "files/old.svg", which "files/logo/mark.svg" has too; correct it, or remove it',
  'logo/: { earlier: old.svg }':
    '"earlier" of "files/logo/other.svg" is "old.svg", which "files/logo/mark.svg" has too; correct it, or remove it',
  'logo/mark.svg: { earlier: ../secret.svg }':
    '"earlier" of "files/logo/mark.svg" is "../secret.svg", which is not the path of a file; correct it, or remove it',
  'logo/mark.svg: { earlier: old/ }':
    '"earlier" of "files/logo/mark.svg" is "old/", which is not the path of a file; correct it, or remove it',
}
for (const [yaml, message] of Object.entries(MISLED))
  test(`files.yaml with ${yaml.replaceAll('\n', ' ')} breaks ${ruleIn(`value-invalid: ${message}`)}`, async () => {
    const { findings } = await read({ ...FILES, 'files/files.yaml': `# Files\n${yaml}\n` })
    assert.deepEqual(findingLines(findings), [`files/files.yaml:2 error value-invalid: ${message}`])
  })

test('a translation cannot have the path of a file that it has from its original as an earlier one', async () => {
  const { findings } = await read({
    'en/project.yaml': 'name: Guide\nlang: en\n',
    'en/files/a.svg': SVG,
    'de/project.yaml': 'name: Guide\nlang: de\ntranslationOf: en\n',
    'de/files/b.svg': SVG,
    'de/files/files.yaml': 'b.svg: { earlier: a.svg }\n',
  })
  const message = '"earlier" of "files/b.svg" is "a.svg", which is an existing file; correct it, or remove it'
  assert.deepEqual(findingLines(findings), [`de/files/files.yaml:1 error value-invalid: ${message}`])
})
