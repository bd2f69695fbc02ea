import { globSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'

/* Runs the tests of the files that are named, or match the patterns that are; of all, if there are none. */

/** Files wait for half the time that they take. */
const FILES_AT_ONCE = 3

/** What takes longest comes first, so that no core waits for it in the end. */
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

const patterns = process.argv.slice(2)
const first = patterns.length > 0 ? [] : FIRST
const found = globSync(patterns.length > 0 ? patterns : 'test/**/*.test.ts', { cwd: import.meta.dirname }).sort()
if (found.length === 0) throw new Error(`no file matches ${patterns.join(' ')}: name files or patterns below test/`)
const events = run({
  files: [...first, ...found.filter(file => !first.includes(file))],
  cwd: import.meta.dirname,
  concurrency: FILES_AT_ONCE,
  // A module is compiled once for all the processes of a run, and for the next one.
  env: { ...process.env, NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/node') },
})
events.on('test:summary', ({ file, success }) => {
  if (file === undefined && !success) process.exitCode = 1
})
events.compose(spec).pipe(process.stdout)
