import { randomInt } from 'node:crypto'
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import process from 'node:process'
import { run } from 'node:test'
import { pathToFileURL } from 'node:url'
import { quickTests } from '../test/quick-tests.ts'
import { report } from '../test/report.ts'
import { useOwnFolder } from '../test/run-folder.ts'
import { buildProgram } from '../test/support/build-program.ts'

/*
 * Runs the tests in the named files and below the named folders; without any, all except `.slow.test.ts` (test/slow-tests.ts).
 * With `--rest`, runs only those, and with `--all`, both. With `--soak`, runs only the files that use random values
 * (test/support/random.ts), with a new seed and more values. With `--quick`, runs only the files that need no server, browser or
 * other process (test/quick-tests.ts). With `--coverage`, runs both, and lists the files of src that the tests cover too little.
 */

/** More than the cores of most machines, because test files spend much of their time waiting for services and browsers. */
const FILES_AT_ONCE = 4

/** The dearest tests run first, each in its own process, so that no core is idle at the end. */
const FIRST = [
  'test/website/quality.browser.slow.test.ts',
  'test/website/xss.browser.slow.test.ts',
  'test/docs/commands.slow.test.ts',
  'test/package.slow.test.ts',
  'test/nodes/stores.slow.test.ts',
  'test/nodes/postgres.slow.test.ts',
  'test/people/manage/routes.accessible.browser.slow.test.ts',
  'test/people/manage/routes.browser.test.ts',
  'test/site/search/search.browser.test.ts',
  'test/serve.slow.test.ts',
]

/**
 * In a complete run, so many of the other files share a process, because starting one takes longer than most of their
 * tests; the quick files share even fewer. Some have their own: slow ones, those with a browser, and one that observes
 * what a process loads.
 */
const FILES_IN_GROUP = 14
const QUICK_GROUPS = 4
const ALONE = /\.(?:browser|slow)\.test\.ts$|service-routes\.test\.ts$/
const SLOW = /\.slow\.test\.ts$/

const ROOT = dirname(import.meta.dirname)
const CACHE = join(ROOT, 'node_modules/.cache')

/** Modules whose processes all files of a group use; they end with the group. */
const SHARED = ['test/support/browser.ts', 'test/support/temporary-store.ts', 'test/intake/reading.ts']

/** Ends a test that hangs; on a machine with ten times more work than cores, the longest needs a fraction of it. */
const MAX_TEST_MS = 900_000

/** How many times as many random values a soak run tries. */
const SOAK_FACTOR = 80
const MAX_SEED = 2 ** 31

/** Files with a lower percentage of lines that run are listed. */
const MIN_COVERAGE = 80
const COVERED = '{src,client/src}/**/*.ts'

const OPTIONS = ['--soak', '--quick', '--coverage', '--rest', '--all']
const patterns = process.argv.slice(2).filter(each => !OPTIONS.includes(each))
const [isSoak, isQuick, isCoverage, isRest, isAll] = OPTIONS.map(option => process.argv.includes(option))
const matching = patterns.length > 0 ? testFiles(patterns) : testFiles(['test']).filter(isWanted)
/** Whether the files share processes, and the program is built. */
const isComplete = patterns.length === 0 && !isSoak && !isQuick
const quick = new Set(isQuick || isComplete ? quickTests(matching, ROOT) : [])
const named = testsToRun()
const found = programs()
if (found.length === 0) fail('only npm test and npm run coverage run these files')
if (isSoak) Object.assign(process.env, soakEnvironment())
delete process.env.npm_command // Commands call themselves `npx housestyle` if npm starts them.
// All processes of this and later runs share compiled modules, except for coverage, which they make less precise.
if (!isCoverage) process.env.NODE_COMPILE_CACHE = join(CACHE, 'node')
// A complete run starts the program hundreds of times, and a built one takes two thirds of the time.
if (isComplete && !isCoverage) process.env.TEST_PROGRAM = buildProgram(join(CACHE, 'program'))
const stopping = new AbortController()
useOwnFolder()
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    process.exitCode = 1
    stopping.abort()
  })
const events = run({
  signal: stopping.signal,
  files: found,
  cwd: ROOT,
  concurrency: FILES_AT_ONCE,
  // Tests allocate much and keep little: fewer collections save a tenth of their time.
  execArgv: ['--max-semi-space-size=64', `--test-timeout=${MAX_TEST_MS}`],
  ...(isCoverage && { coverage: true, coverageIncludeGlobs: COVERED }),
})
const coverage: string[] = []
events.on('test:coverage', ({ summary }) => {
  coverage.push(`files under ${MIN_COVERAGE} % of lines:`, ...poorlyCovered(summary.files))
})
events.on('test:summary', ({ file, success }) => {
  if (file === undefined && !success) process.exitCode = 1
})
for await (const text of report(events, named, ROOT)) process.stdout.write(text)
if (coverage.length > 0) console.log(coverage.join('\n'))

/** The test files with these names or patterns, and those below folders with these names. */
function testFiles(names: readonly string[]): string[] {
  const cwd = ROOT
  const files = names.flatMap(name => {
    const matches = globSync([name, join(name, '**/*.test.ts')], { cwd })
      .map(path => relative(cwd, resolve(cwd, path)))
      .filter(path => /^test\/.*\.test\.ts$/.test(path))
    return matches.length > 0 ? matches : fail(`no test file matches ${name}: name files or folders below test/`)
  })
  return [...new Set(files)].sort()
}

/** Whether a run without names has the file. */
function isWanted(file: string): boolean {
  return isAll || isSoak || isCoverage || SLOW.test(file) === isRest
}

function fail(message: string): never {
  console.error(message)
  process.exit(1)
}

/** The files that the tests load and cover too little; in a run of all tests, also files that no test loads. */
function poorlyCovered(files: readonly { path: string; coveredLinePercent: number }[]): string[] {
  const percents = new Map(files.map(file => [relative(ROOT, file.path), file.coveredLinePercent]))
  for (const path of isComplete ? globSync(COVERED, { cwd: ROOT }) : [])
    if (!percents.has(path) && hasCode(path)) percents.set(path, 0)
  return Array.from(percents)
    .filter(([, percent]) => percent < MIN_COVERAGE)
    .sort()
    .map(([path, percent]) => `${path}: ${Math.floor(percent)} %`)
}

/** Whether a file contains more than types. */
function hasCode(path: string): boolean {
  return /^(?:export )?(?:async )?(?:function|const|let|class)\b/m.test(readFileSync(join(ROOT, path), 'utf8'))
}

function testsToRun(): string[] {
  return matching.filter(file => (!isQuick || quick.has(file)) && (!isSoak || usesRandomValues(file)))
}

/** The files that run in their own process, and the programs of groups. */
function programs(): string[] {
  if (patterns.length > 0 || isSoak) return named
  const quickGroups = groupsOf('quick', [...quick], QUICK_GROUPS)
  if (isQuick) return quickGroups
  const first = FIRST.filter(file => matching.includes(file))
  const later = matching.filter(file => !quick.has(file) && !FIRST.includes(file))
  const alone = later.filter(file => ALONE.test(file))
  const others = later.filter(file => !alone.includes(file))
  const groups = groupsOf('group', others, Math.ceil(others.length / FILES_IN_GROUP), SHARED)
  return [...first, ...quickGroups, ...groups, ...alone]
}

/**
 * Writes programs that each run a group of test files, and returns their paths. A group loads a file after the tests of
 * the file before, and starts its tests once it is loaded, as in a separate process. It prints the name of each file, so
 * that the report knows which one ended the process.
 */
function groupsOf(name: string, files: readonly string[], count: number, shared: readonly string[] = []): string[] {
  const folder = join(CACHE, 'tests')
  mkdirSync(folder, { recursive: true })
  const urlOf = (file: string) => JSON.stringify(pathToFileURL(join(ROOT, file)).href)
  const imports = shared.map(file => `import ${urlOf(file)}\n`)
  return Array.from({ length: Math.min(count, files.length) }, (_, at) => {
    const tests = files
      .filter((_, index) => index % count === at)
      .map(file => {
        const name = JSON.stringify(file)
        return `test(${name}, () => {\n  console.error(${name})\n  return describe('its tests', () => import(${urlOf(file)}))\n})\n`
      })
    const path = join(folder, `${name}-${at}.mjs`)
    writeFileSync(path, [`import { describe, test } from 'node:test'\n`, ...imports, ...tests].join(''))
    return path
  })
}

function usesRandomValues(file: string): boolean {
  return /\/(?:random|window-suite)\.ts'/.test(readFileSync(join(ROOT, file), 'utf8'))
}

function soakEnvironment(): Record<string, string> {
  const { TEST_SEED = `${randomInt(1, MAX_SEED)}` } = process.env
  console.log(`seed ${TEST_SEED}: repeat this run with TEST_SEED=${TEST_SEED} npm run test:soak`)
  return { TEST_SEED, TEST_RUNS_FACTOR: `${SOAK_FACTOR}` }
}
