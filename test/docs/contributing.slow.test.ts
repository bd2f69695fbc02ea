import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import process from 'node:process'
import test from 'node:test'
import { pdfFile } from '../support/pdf-file.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { blocksOf } from './blocks.ts'

const [block] = blocksOf(readFileSync('CONTRIBUTING.md', 'utf8')).filter(({ language }) => language === 'diff')
const diff = block?.text ?? ''

test('the print value in CONTRIBUTING takes at most four edits of src', () => {
  const edits = diff
    .split(/^diff --git /m)
    .flatMap(file => (file.startsWith('a/src/') ? file.split(/^@@ /m).slice(1) : []))
  assert.ok(edits.length > 0 && edits.length <= 4)
})

/** The change of CONTRIBUTING for a system that nobody has. */
const invented = diff.replaceAll(/^\+(?!\+\+).*$/gm, line => line.replaceAll('hks', 'lumo').replaceAll('HKS', 'LUMO'))

const SOURCES = {
  'a.csv': 'name,hex,LUMO\nBlue,#000001,13 K\n',
  'b.json': '{"colors":[{"name":"Blue","values":"HEX 000001; LUMO 13 K"}]}',
  'c.md': '# Colours\n\n- Blue: HEX 000001, LUMO 13 K\n- Red: HEX 110000, LUMO 14 K\n',
  'd.html': '<h1>Colours</h1><table><tr><th>Name<th>Hex<th>LUMO<tr><td>Blue<td>#000001<td>13 K</table>',
  'e.pdf': pdfFile({
    pages: [
      `BT /F 30 Tf 40 350 Td (Colours) Tj ET
      0 0 0.004 rg 40 300 60 40 re f 0 g BT /F 11 Tf 40 280 Td (Blue) Tj 0 -14 Td (HEX 000001) Tj 0 -14 Td (LUMO 13 K) Tj ET`,
    ],
    resources: '/Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>>>',
  }),
}

const PROGRAM = `import { printedInks, spotNames } from '#brand/styles/ink.ts'
import { applyForm } from '#people/editor/edit/form-changes.ts'
import { formOf } from '#people/editor/edit/form-html.ts'
import { changedText, openText } from '#people/editor/source/edited-text.ts'
import { readColors } from '#intake/styles/colors.ts'
import { wordsFor } from '#site/words/words.ts'
const color = { id: 'blue', name: 'Blue', rgb: '0,0,1', hex: '#000001', pms: '285 C', lumo: '13 K' }
for (const names of [spotNames(color), printedInks(color)]) console.log(names.map(({ name }) => name).join())
const [kind, file, rights] = ['colors', '- name: Blue\\n', { mayManage: true, project: 'acme', folderId: 'acme' }]
const { fields } = formOf({ lang: 'de', kind, file, base: file, sent: new Map(), problems: new Map(), rights })
console.log(/<label[^>]*>LUMO<[^]*?name="[^"]*lumo"/.test(fields))
const sent = new Map([['/items/0/lumo', ['13 K']]])
console.log(changedText(kind, openText(kind, file), document => applyForm(wordsFor(), { kind, sent }, document)).value)
for (const lumo of ['', 'lumo: 1, '])
  console.log(readColors(\`- { name: Blue, hex: '000001', \${lumo}inks: { lumo: 13 K, TOYO: 1 } }\`).problems.length)
`

test('with one row for an invented system, the program compiles, and exports, lint, init and the form have it', async () => {
  const folder = await temporaryFolder()
  for (const part of [
    'docs migrations package.json schemas src test/brand test/delivery/export',
    'test/fixtures/export-fields.yaml test/fixtures/golden test/program/cli/housestyle.ts test/support tsconfig.json',
  ].flatMap(list => list.split(' ')))
    cpSync(part, join(folder, part), { recursive: true })
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  // Otherwise the tests of the copy would report to this run.
  const { NODE_TEST_CONTEXT, ...env } = process.env
  const run = (program: string, args: readonly string[], input = '') =>
    execFileSync(program, args, { cwd: folder, encoding: 'utf8', env, input })
  run('git', ['apply', '-'], invented)
  writeFileSync(join(folder, 'src.json'), '{"extends":"./tsconfig.json","include":["src"]}')
  run('node_modules/.bin/tsc', ['--noEmit', '--project', 'src.json'])
  const output = run(process.execPath, ['--input-type=module', '--eval', PROGRAM])
  assert.equal(output, 'PANTONE 285 C,LUMO 13 K\nPANTONE 285 C,LUMO 13 K\ntrue\n- name: Blue\n  lumo: 13 K\n\n0\n1\n')
  for (const [name, content] of Object.entries(SOURCES)) {
    writeFileSync(join(folder, name), content)
    run(process.execPath, ['src/main.ts', 'init', name.slice(0, 1), '--from', name])
    assert.match(run('cat', [`${name[0]}/guidelines/styles/colors.yaml`]), /hex: "#000001"\n {2}lumo: 13 K\n/, name)
  }
  const tests = ['--test', '--test-name-pattern=contains exactly the fields', 'test/delivery/export/formats.test.ts']
  assert.match(run(process.execPath, tests), /fail 0\n/)
})
