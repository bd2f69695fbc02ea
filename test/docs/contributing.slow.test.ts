import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { cp, readFile, symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import test, { type TestContext } from 'node:test'
import { temporaryFolder } from '../support/temporary.ts'
import { blocksOf } from './blocks.ts'

const [block] = blocksOf(await readFile('CONTRIBUTING.md', 'utf8')).filter(({ language }) => language === 'diff')
const text = block?.text ?? ''

/** The files and hunks of the change, each file as a patch without its hunks, and its hunks. */
const files = text.split(/^(?=diff --git )/m).map(file => {
  const [head = '', ...hunks] = file.split(/^(?=@@ )/m)
  return { head, hunks }
})
const hunks = files.flatMap(({ head, hunks }) => hunks.map(hunk => ({ head, hunk })))

/** A copy of the tree that shares the installed packages. */
const copy = await temporaryFolder()
for (const path of ['src', 'test', 'docs', 'migrations', 'package.json', 'tsconfig.json'])
  await cp(path, join(copy, path), { recursive: true })
await symlink(resolve('node_modules'), join(copy, 'node_modules'))

/** Applies changes to the copy, and undoes them at the end of a test. */
function change(t: TestContext, changes: readonly { head: string; hunk: string }[]): void {
  const input = changes.map(({ head, hunk }) => head + hunk).join('')
  execFileSync('git', ['apply', '-'], { cwd: copy, input })
  t.after(() => execFileSync('git', ['apply', '--reverse', '-'], { cwd: copy, input }))
}

test('the print value in CONTRIBUTING takes at most four edits of src', () => {
  execFileSync('git', ['apply', '--check', '-'], { input: text })
  assert.ok(hunks.filter(({ head }) => head.includes('a/src/')).length <= 4)
})

test('the print value in CONTRIBUTING reaches every reader but the API', t => {
  change(t, hunks)
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const tests = spawnSync(process.execPath, ['test/docs/print-value.ts'], { cwd: copy, encoding: 'utf8', env })
  assert.match(tests.stdout, /pass 13\n/)
  assert.equal(tests.status, 0, tests.stdout)
})

const rows = hunks.filter(({ head }) => head.includes('src/brand/color.ts'))

test('the change has a hunk for each of two tables', () => assert.equal(rows.length, 2))

for (const [at, row] of rows.entries())
  test(`the row of the print value in CONTRIBUTING in table ${at + 1} needs that of the other`, async t => {
    change(t, [row])
    await writeFile(join(copy, 'tsconfig.brand.json'), '{ "extends": "./tsconfig.json", "include": ["src/brand"] }')
    const tsc = spawnSync('node_modules/.bin/tsc', ['-p', 'tsconfig.brand.json'], { cwd: copy, encoding: 'utf8' })
    assert.match(tsc.stdout, /^src\/brand\/color\.ts\(\d+,\d+\): error [\s\S]*hks/)
  })
