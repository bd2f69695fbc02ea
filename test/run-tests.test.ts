import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { folderWith } from './support/temporary.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const passing = (name: string) => `import test from 'node:test'\ntest('${name} passes', () => {})\n`
const folder = await folderWith({
  'package.json': '{ "type": "module" }',
  'src/brand/half.ts':
    'export function half(): number {\n  return 1\n}\nexport function other(): number {\n  return 2\n}\n',
  'test/brand/half.test.ts': `${passing('half')}import { half } from '../../src/brand/half.ts'\nhalf()\n`,
  'test/brand/styles/ink.test.ts': passing('ink'),
  'test/brand/notes.ts': '',
  'test/support/temporary.ts': '',
  'test/site/page.test.ts': passing('page'),
})
for (const path of ['run-tests.ts', 'test/quick-tests.ts', 'test/house/modules.ts', 'test/support/build-program.ts'])
  cpSync(join(root, path), join(folder, path))

for (const [args, names] of [
  [['test/brand'], ['half', 'ink']],
  [['test/brand/'], ['half', 'ink']],
  [
    ['test/brand/styles/', 'test/site/page.test.ts'],
    ['ink', 'page'],
  ],
  [
    ['test/brand', 'test/brand/half.test.ts'],
    ['half', 'ink'],
  ],
  [[join(folder, 'test/site')], ['page']],
  [['test/*/styles'], ['ink']],
] as const)
  test(`npm test ${args.join(' ').replace(folder, '…')} runs the tests of ${names.join(' and ')} once`, () => {
    const { status, stdout } = runTests(...args)
    assert.equal(status, 0)
    assert.deepEqual(Array.from(stdout.matchAll(/(\w+) passes/g), ([, name]) => name).sort(), names)
  })

test('npm run test:quick runs the tests of each quick file once, and names the file', () => {
  const { status, stdout } = runTests('--quick')
  assert.equal(status, 0)
  assert.deepEqual(Array.from(stdout.matchAll(/(\w+) passes/g), ([, name]) => name).sort(), ['half', 'ink', 'page'])
  assert.match(stdout, /^✔ test\/brand\/styles\/ink\.test\.ts /m)
  assert.match(stdout, /^ℹ pass 6$/m)
})

for (const name of ['test/brnad', 'test/support', 'test/brand/notes.ts', 'src/brand'])
  test(`npm test fails if ${name} matches no test file, even next to one that does`, () => {
    assert.deepEqual(runTests('test/brand', name), {
      status: 1,
      stdout: '',
      stderr: `no test file matches ${name}: name files or folders below test/\n`,
    })
  })

test('npm run coverage lists the files of src of which the tests run less than 80 % of lines', () => {
  const { status, stdout } = runTests('--coverage', 'test/brand')
  assert.equal(status, 0)
  assert.match(stdout, /\nfiles under 80 % of lines:\nsrc\/brand\/half\.ts: 66 %\n$/)
})

function runTests(...args: readonly string[]): { status: number | null; stdout: string; stderr: string } {
  const { NODE_TEST_CONTEXT: _, NODE_V8_COVERAGE: __, ...env } = process.env
  const options = { cwd: folder, env, encoding: 'utf8' } as const
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, 'run-tests.ts'), ...args], options)
  return { status, stdout, stderr }
}
