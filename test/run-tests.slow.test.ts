import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { folderWith } from './support/temporary.ts'
import { until } from './support/until.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const { NODE_TEST_CONTEXT: _, NODE_V8_COVERAGE: __, ...env } = process.env
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
  'test/nodes/fault.slow.test.ts': passing('fault'),
  'test/other/some.test.ts': `import 'node:net'
import assert from 'node:assert/strict'
import test from 'node:test'
test('a', () => {})
test('b', async t => {
  await t.test('c', () => assert.equal(1, 2))
  await t.test('d', { skip: 'root, curl' }, () => {})
})
test('e', { skip: 'curl' }, () => {})
`,
  'test/other/waits.test.ts': `import { spawn } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
test('waits', () => {
  mkdtempSync(join(tmpdir(), 'left-'))
  const { pid } = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
  writeFileSync('here.json', JSON.stringify([tmpdir(), pid]))
  return new Promise(() => {})
})
`,
  'test/other/ends.test.ts': `import 'node:net'\nconsole.log('the end')\nprocess.exit(3)\n`,
})
for (const path of [
  'scripts/run-tests.ts',
  'test/report.ts',
  'test/run-folder.ts',
  'test/quick-tests.ts',
  'test/house/modules.ts',
  'test/support/build-program.ts',
  'test/support/programs.ts',
])
  cpSync(join(root, path), join(folder, path))

const OPTIONS = { cwd: folder, env }

const [HALF, INK, FAULT, PAGE] = [
  'test/brand: 1 passed',
  'test/brand/styles: 1 passed',
  'test/nodes: 1 passed',
  'test/site: 1 passed',
]
for (const [args, folders] of [
  [['test/brand'], [HALF, INK, '2 passed, 0 failed, 0 skipped']],
  [['test/brand/'], [HALF, INK, '2 passed, 0 failed, 0 skipped']],
  [
    ['test/brand/styles/', 'test/site/page.test.ts'],
    [INK, PAGE, '2 passed, 0 failed, 0 skipped'],
  ],
  [
    ['test/brand', 'test/brand/half.test.ts'],
    [HALF, INK, '2 passed, 0 failed, 0 skipped'],
  ],
  [[join(folder, 'test/site')], [PAGE, '1 passed, 0 failed, 0 skipped']],
  [['test/*/styles'], [INK, '1 passed, 0 failed, 0 skipped']],
  [['--quick'], [HALF, INK, PAGE, '3 passed, 0 failed, 0 skipped']],
  [['test/nodes'], [FAULT, '1 passed, 0 failed, 0 skipped']],
  [
    ['--quick', '--rest'],
    [FAULT, '1 passed, 0 failed, 0 skipped'],
  ],
  [
    ['--quick', '--all'],
    [HALF, INK, FAULT, PAGE, '4 passed, 0 failed, 0 skipped'],
  ],
] as const)
  test(`npm test ${args.join(' ').replace(folder, '…')} runs each of its tests once, and has a line for each folder`, () => {
    const { status, lines } = runTests(...args)
    assert.equal(status, 0)
    const [count, ...others] = lines
    assert.match(count ?? '', /^\d test files?$/)
    assert.deepEqual(others.toSorted(), folders.toSorted())
  })

test('npm test shows each failure twice, what was missing, how to install it, and the numbers of tests that contain no others', () => {
  const { status, stdout, lines } = runTests('test/other/some.test.ts')
  assert.equal(status, 1)
  assert.match(stdout, /^✖ c\n {2}at test\/other\/some\.test\.ts:6\n {2}AssertionError.*:\n\s*1 !== 2\n/m)
  assert.equal(lines[0], '1 test file')
  assert.deepEqual(lines.slice(-6), [
    'test/other: 1 passed, 1 failed, 2 skipped',
    'failed: test/other/some.test.ts:6: c',
    'missing: curl: 2 tests',
    'missing: root (run the tests as root): 1 test',
    'apt-get install curl',
    '1 passed, 1 failed, 2 skipped',
  ])
})

test('npm test shows what a file printed that ended early, and counts it as a failure', () => {
  const { status, stdout, lines } = runTests('test/other/ends.test.ts')
  assert.equal(status, 1)
  assert.match(stdout, /^✖ test\/other\/ends\.test\.ts\n/m)
  assert.match(stdout, /^ {2}it printed:\n {2}the end\n/m)
  const end = ['failed: test/other/ends.test.ts:1: test/other/ends.test.ts', '0 passed, 1 failed, 0 skipped']
  assert.deepEqual(lines.slice(-2), end)
})

test('npm test names the file that ends the process of a group, and fails, although it ends with 0', async () => {
  const [ends, last] = [join(folder, 'test/aaa.test.ts'), join(folder, 'test/zzz.test.ts')]
  await writeFile(ends, "import test from 'node:test'\ntest('exits', () => process.exit(0))\n")
  await writeFile(last, passing('last'))
  const { status, lines } = runTests('--quick')
  for (const path of [ends, last]) rmSync(path)
  assert.equal(status, 1)
  assert.deepEqual(lines.slice(-3), [
    'failed: test/aaa.test.ts: ended its process',
    'failed: test/zzz.test.ts: has no result',
    '3 passed, 2 failed, 0 skipped',
  ])
})

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  test(`after ${signal}, the processes of a run have ended, and its temporary folder is removed`, async () => {
    const here = join(folder, 'here.json')
    rmSync(here, { force: true })
    const child = spawn(process.execPath, [join(folder, 'scripts/run-tests.ts'), 'test/other/waits.test.ts'], OPTIONS)
    const exit = once(child, 'exit')
    await until(() => existsSync(here) && readFileSync(here, 'utf8').endsWith(']'))
    const [used, pid] = JSON.parse(readFileSync(here, 'utf8'))
    child.kill(signal)
    assert.deepEqual(await exit, [1, null])
    assert.equal(existsSync(used), false)
    await until(() => !existsSync(`/proc/${pid}`))
  })

for (const name of ['test/brnad', 'test/support', 'test/brand/notes.ts', 'src/brand'])
  test(`npm test fails if ${name} matches no test file, even next to one that does`, () => {
    const { status, stdout, stderr } = runTests('test/brand', name)
    assert.deepEqual(
      [status, stdout, stderr],
      [1, '', `no test file matches ${name}: name files or folders below test/\n`],
    )
  })

test('npm run coverage lists the files of src of which the tests run less than 80 % of lines', () => {
  const { status, stdout } = runTests('--coverage', 'test/brand')
  assert.equal(status, 0)
  assert.match(stdout, /\nfiles under 80 % of lines:\nsrc\/brand\/half\.ts: 66 %\n$/)
})

/** Runs tests of the folder; the lines are without durations. */
function runTests(...args: readonly string[]) {
  const command = [join(folder, 'scripts/run-tests.ts'), ...args]
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { ...OPTIONS, encoding: 'utf8' })
  const lines = stdout.trimEnd().split('\n')
  return { status, stdout, stderr, lines: lines.map(line => line.replace(/ \([\d.]+ s\)$/, '')) }
}
