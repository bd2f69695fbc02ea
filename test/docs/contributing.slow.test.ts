import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import process from 'node:process'
import test from 'node:test'
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

test('with the print value in CONTRIBUTING, exports have it, as a spot colour in .ase, lint knows the ink, and init reads it', async () => {
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
  run('git', ['apply', '-'], diff)
  const program = `import { printedInks, spotNames } from '#brand/styles/ink.ts'
    const color = { id: 'blue', name: 'Blue', rgb: '0,0,1', hex: '#000001', pms: '285 C', hks: '13 K' }
    for (const names of [spotNames(color), printedInks(color)]) console.log(names.map(({ name }) => name).join())
  `
  const inks = run(process.execPath, ['--input-type=module', '--eval', program])
  assert.equal(inks, 'PANTONE 285 C,HKS 13 K\nPANTONE 285 C,HKS 13 K\n')
  const sources = {
    'a.csv': 'name,hex,HKS\nBlue,#000001,13 K\n',
    'b.json': '{"colors":[{"name":"Blue","values":"HEX 000001; HKS 13 K"}]}',
    'c.md': '# Colours\n\n- Blue: HEX 000001, HKS 13 K\n- Red: HEX 110000, HKS 14 K\n',
    'd.html': '<h1>Colours</h1><table><tr><th>Name<th>Hex<th>HKS<tr><td>Blue<td>#000001<td>13 K</table>',
  }
  for (const [name, text] of Object.entries(sources)) {
    writeFileSync(join(folder, name), text)
    run(process.execPath, ['src/main.ts', 'init', name.slice(0, 1), '--from', name])
    assert.match(run('cat', [`${name[0]}/guidelines/styles/colors.yaml`]), /hex: "#000001"\n {2}hks: 13 K\n/, name)
  }
  const tests = ['--test', '--test-name-pattern=contains exactly the fields', 'test/delivery/export/formats.test.ts']
  assert.match(run(process.execPath, tests), /fail 0\n/)
})
