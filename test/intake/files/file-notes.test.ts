import assert from 'node:assert/strict'
import test from 'node:test'
import { readBrandFolder } from '#intake/brand-folder.ts'
import { noTarget } from '#intake/reading.ts'
import { golden } from '#test/support/golden.ts'
import { findingLines } from '#test/support/problems.ts'
import { folderWith } from '#test/support/temporary.ts'
import { draftOf, folderFacts, READ_OPTIONS } from '../reading.ts'

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="20"/>'
const THINGS = {
  'files/logo/mark.svg': SVG,
  'files/logo/mark.pdf': '%PDF-1.4',
  'files/logo/old.svg': SVG,
  'pages/clear.svg': SVG,
  'styles/colors.yaml': '- {name: Ink, hex: "14212b"}\n',
}

test('a file may have a title, a background colour, an original file, and a library flag', async () => {
  const { files } = await draftOf({
    ...THINGS,
    'files/files.yaml': `logo/mark.svg: { title: The mark, ground: ink }
logo/mark.pdf: { variantOf: logo/mark.svg }
clear.svg: { library: true }
`,
  })
  const shown = files.map(({ path, title, ground, variantOf, library }) => [path, title, ground, variantOf, library])
  assert.deepEqual(shown, [
    ['files/logo/mark.pdf', undefined, undefined, 'files/logo/mark.svg', undefined],
    ['files/logo/mark.svg', 'The mark', 'ink', undefined, undefined],
    ['files/logo/old.svg', undefined, undefined, undefined, undefined],
    ['pages/clear.svg', undefined, undefined, undefined, true],
  ])
})

test('the formats of an item share uses and rights, except those of their own', async () => {
  const { files } = await draftOf({
    ...THINGS,
    'files/files.yaml':
      'logo/mark.svg: { order: 1, medium: screen, minWidth: 24, clearSpace: 0.5, until: 2027-11-29 }\nlogo/mark.pdf: { medium: print }\n',
  })
  const shown = files.map(({ path, order, medium, minWidth, clearSpace, until }) => [
    path,
    order,
    medium,
    minWidth,
    clearSpace,
    until,
  ])
  assert.deepEqual(shown, [
    ['files/logo/mark.pdf', undefined, ['print'], 24, 0.5, '2027-11-29'],
    ['files/logo/mark.svg', 1, ['screen'], 24, 0.5, '2027-11-29'],
    ['files/logo/old.svg', undefined, undefined, undefined, undefined, undefined],
    ['pages/clear.svg', undefined, undefined, undefined, undefined, undefined],
  ])
})

test('a file is reported from 30 days before its last day, by the given day', async () => {
  const text = Object.entries({ mark: '2026-11-21', old: '2026-11-22', clear: '2026-12-22', far: '2026-12-23' })
  const yaml = text.map(([name, until]) => `${name}.txt: { until: ${until} }\n`).join('')
  const files = Object.fromEntries(text.map(([name]) => [`files/${name}.txt`, name]))
  const folder = await folderWith({ ...files, 'files/files.yaml': yaml })
  const targetFor = () => noTarget
  const { findings } = await readBrandFolder(folder, { ...READ_OPTIONS, targetFor, reportsExpiry: true })
  const fix = 'extend it and write the new day, or remove the file'
  assert.deepEqual(findingLines(findings), [
    `files/files.yaml:1 warning file-expiring: the right to use "mark.txt" ended on 2026-11-21: ${fix}`,
    `files/files.yaml:2 warning file-expiring: the right to use "old.txt" ends on 2026-11-22, today: ${fix}`,
    `files/files.yaml:3 warning file-expiring: the right to use "clear.txt" ends on 2026-12-22, in 30 days: ${fix}`,
  ])
  assert.deepEqual((await readBrandFolder(folder, { ...READ_OPTIONS, targetFor })).findings, [])
})

golden('intake/files/file-notes', folderFacts)
