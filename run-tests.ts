import { randomInt } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { quickTests } from './test/quick-tests.ts'

/*
 * Runs the tests in the named files or patterns; without any, all tests. With `--soak`, runs only the files that use
 * random values (test/support/random.ts), with a new seed and more values. With `--quick`, runs only the files that
 * need no server, browser or other process (test/quick-tests.ts).
 */

/** Test files spend half of their time waiting. */
const FILES_AT_ONCE = 3

/** The longest tests run first, so that no core is idle at the end. */
const FIRST = [
  'test/website/xss.browser.test.ts',
  'test/website/quality.browser.test.ts',
  'test/cli/commands/serve/dev.browser.test.ts',
  'test/nodes/s3-faults.test.ts',
  'test/nodes/postgres-faults.test.ts',
  'test/docs/commands.test.ts',
  'test/store/files/files-s3.test.ts',
  'test/cli/commands/serve/dev.test.ts',
  'test/nodes/four-nodes.test.ts',
  'test/nodes/killed.test.ts',
  'test/store/store.crash.test.ts',
  'test/cli/commands/publish/import.test.ts',
]

/** All quick tests in one process, next to the slow ones: starting a process takes longer than most of their files. */
const QUICK = 'test/quick-suite.ts'

/** How many times as many random values a soak run tries. */
const SOAK_FACTOR = 80
const MAX_SEED = 2 ** 31

const patterns = process.argv.slice(2).filter(each => each !== '--soak' && each !== '--quick')
const isSoak = process.argv.includes('--soak')
const isQuick = process.argv.includes('--quick')
const matching = globSync(patterns.length > 0 ? patterns : 'test/**/*.test.ts', { cwd: import.meta.dirname }).sort()
const isAll = patterns.length === 0 && !isSoak && !isQuick
const quick = new Set(isQuick || isAll ? quickTests(matching, import.meta.dirname) : [])
const found = isAll
  ? [QUICK, ...matching.filter(file => !quick.has(file))]
  : matching.filter(file => (!isQuick || quick.has(file)) && (!isSoak || usesRandomValues(file)))
const first = isAll ? FIRST : []
if (found.length === 0) throw new Error(`no file matches ${patterns.join(' ')}: name files or patterns below test/`)
const events = run({
  files: [...first, ...found.filter(file => !first.includes(file))],
  cwd: import.meta.dirname,
  concurrency: FILES_AT_ONCE,
  // All processes of this and later runs share compiled modules.
  env: {
    ...process.env,
    ...(isSoak && soakEnvironment()),
    npm_command: undefined, // Commands call themselves `npx housestyle` if npm starts them.
    NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/node'),
  },
})
events.on('test:summary', ({ file, success }) => {
  if (file === undefined && !success) process.exitCode = 1
})
events.compose(spec).pipe(process.stdout)

function usesRandomValues(file: string): boolean {
  return /\/(?:random|window-suite)\.ts'/.test(readFileSync(join(import.meta.dirname, file), 'utf8'))
}

function soakEnvironment(): Record<string, string> {
  const { TEST_SEED = `${randomInt(1, MAX_SEED)}` } = process.env
  console.log(`seed ${TEST_SEED}: repeat this run with TEST_SEED=${TEST_SEED} npm run test:soak`)
  return { TEST_SEED, TEST_RUNS_FACTOR: `${SOAK_FACTOR}` }
}
