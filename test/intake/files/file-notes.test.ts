import assert from 'node:assert/strict'
import test from 'node:test'
import { readBrandFolder } from '#intake/brand-folder.ts'
import { noTarget } from '#intake/reading.ts'
import { golden } from '#test/support/golden.ts'
import { pngHeader } from '#test/support/png-header.ts'
import { findingLines } from '#test/support/problems.ts'
import { folderWith } from '#test/support/temporary.ts'
import { folderFacts, lines, READ_OPTIONS, read } from '../reading.ts'

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

const MB = 1_000_000
const padded = (start: Buffer | string, size: number) => Buffer.concat([Buffer.from(start)], size)
const FILES = {
  'files/heavy.png': padded(pngHeader(600, 400), 5 * MB + 1),
  'files/wide.png': pngHeader(8000, 5001),
  'files/fitting.png': padded(pngHeader(8000, 5000), 5 * MB),
  'files/drawing.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="9000" height="9000"/>',
}
const HEAVY = ['files/heavy.png: warning picture-pixels']

test('a picture over 5 MB or 40 megapixels on a page is one warning, with its size and what to do', async () => {
  const page =
    '![A](../files/heavy.png) ![B](../files/wide.png) ![C](../files/fitting.png) ![D](../files/drawing.svg)\n'
  const { findings } = await read({ ...FILES, 'pages/index.md': page, 'pages/more.md': page })
  const advice = 'save a smaller picture for the page, and link to this one for downloads'
  const says = (size: string) =>
    `is shown on a page, but has ${size}; pages show at most 5 MB and 40 megapixels: ${advice}`
  assert.deepEqual(findingLines(findings), [
    `files/heavy.png: warning picture-pixels: ${says('5.1 MB and 0.3 megapixels (600 × 400)')}`,
    `files/wide.png: warning picture-pixels: ${says('0.1 MB and 40.1 megapixels (8000 × 5001)')}`,
  ])
})

const SHOWN: Readonly<Record<string, Record<string, string>>> = {
  'in Markdown by reference': { 'pages/a.md': '![A][a]\n\n[a]: ../files/heavy.png\n' },
  'in HTML': { 'pages/a.md': '<img src="../files/heavy.png" alt="" width="300">\n' },
  'on dark pages': {
    'pages/a.md':
      '<picture><source media="(prefers-color-scheme: dark)" srcset="../files/heavy.png"><img src="../files/drawing.svg" alt="A"></picture>\n',
  },
  'as a cover': { 'pages/a.md': '---\ncover: ../files/heavy.png\n---\n# A\n' },
  'as a logo': { 'pages/a.md': '# A\n', 'project.yaml': 'theme: { logo: files/heavy.png }\n' },
}
for (const [name, contents] of Object.entries(SHOWN))
  test(`a heavy picture is a warning ${name}`, async () => {
    const { findings } = await read({ ...FILES, ...contents })
    assert.deepEqual(lines(findings), HEAVY)
  })

test('heavy pictures that pages only link to, or do not show at all, are not reported', async () => {
  const page =
    '# A\n\n[Original](../files/heavy.png)\n\n[All][files] <a href="../files/wide.png">B</a>\n\n[files]: ../files\n'
  assert.deepEqual(lines((await read({ ...FILES, 'pages/a.md': page })).findings), [])
})

const NO_ALT = ['pages/a.md:3 warning alt-missing']
const ALTS: readonly (readonly [page: string, filesYaml: string, found: readonly string[]])[] = [
  ['![](../files/drawing.svg)', '', NO_ALT],
  ['![  ](../files/drawing.svg "Title")', '', NO_ALT],
  ['<img src="../files/drawing.svg">', '', NO_ALT],
  ['![A](../files/drawing.svg)', '', []],
  ['<img src="../files/drawing.svg" alt="">', '', []],
  ['![](../files/drawing.svg) [![A](../files/drawing.svg)](a.md)', '', []],
  ['![](../files/drawing.svg)', 'drawing.svg: { alt: A }', []],
  ['![](../files/drawing.svg)', 'drawing.svg: { alt: "" }', []],
  ['![](../files/drawing.svg)', '"*.svg": ""', []],
]
for (const [page, filesYaml, found] of ALTS)
  test(`${page} with ${filesYaml || 'no description'} in files.yaml gives ${found.length} findings`, async () => {
    const { findings } = await read({ ...FILES, 'pages/a.md': `# A\n\n${page}\n`, 'files/files.yaml': filesYaml })
    assert.deepEqual(lines(findings), found)
  })
