import { dirname, relative, resolve } from 'node:path'
import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'
import { missingBy } from './support/programs.ts'

/** What became of the tests of a file or folder, and how long they took. */
type Counts = { passed: number; failed: number; skipped: number; ms: number }

type Ended = Extract<TestEvent, { type: 'test:pass' | 'test:fail' }>

/** The last lines of what a failed file printed. */
const OUTPUT_LINES = 60

/**
 * Reports a run: the number of its files, each failure at once and whole, and a line for each folder when its files are
 * done. The end has the place and name of each failure again, what was missing, how to install it, and the numbers of
 * tests. A test that only groups others does not count.
 */
export async function* report(
  events: AsyncIterable<TestEvent>,
  files: readonly string[],
  root: string,
): AsyncGenerator<string> {
  yield `${files.length} test file${files.length === 1 ? '' : 's'}\n`
  const run = startOf(files)
  const outputs = new Map<string, string>()
  for await (const event of events) {
    if (event.type === 'test:stdout' || event.type === 'test:stderr') {
      const file = resolve(root, event.data.file)
      outputs.set(file, (outputs.get(file) ?? '') + event.data.message)
      for (const line of event.data.message.split('\n')) if (run.open.has(line)) run.latest.set(file, line)
    } else if (event.type === 'test:pass' || event.type === 'test:fail') {
      yield* failureOf(run, event, root)
      const { name, nesting, details } = event.data
      // Groups name their files in their outermost tests, and Node does so if a file ends early.
      if (nesting === 0 && run.open.has(name)) yield* endFile(run, name, details.duration_ms)
    } else if (event.type === 'test:summary' && event.data.file !== undefined) {
      const { file, duration_ms, success } = event.data
      yield* endFile(run, relative(root, file), duration_ms)
      if (!success) yield outputOf(outputs.get(file))
      outputs.delete(file)
      run.parents.clear()
    }
  }
  for (const output of outputs.values()) yield outputOf(output)
  yield* ending(run)
}

type Run = {
  open: Set<string>
  folders: Map<string, Counts>
  /** The tests since the last file ended. */
  since: Counts
  /** The tests with others in them, and whether one of these failed. */
  parents: Map<number, boolean>
  skips: Map<string, number>
  /** The place and name of each failed test. */
  failures: string[]
  /** The file that each group began last: groups print the names, because a process that ends loses its reports. */
  latest: Map<string, string>
  all: Counts
}

function startOf(files: readonly string[]): Run {
  const folders = new Map(files.map(file => [dirname(file), none()]))
  const [since, parents, skips, all] = [none(), new Map(), new Map(), none()]
  return { open: new Set(files), folders, since, parents, skips, failures: [], latest: new Map(), all }
}

function none(): Counts {
  return { passed: 0, failed: 0, skipped: 0, ms: 0 }
}

/** Counts a test, and gives its failure, if it has one. */
function* failureOf(run: Run, { type, data }: Ended, root: string): Generator<string> {
  const { since, parents, skips, open } = run
  const { name, testId, parentId, skip, details } = data
  const isParent = parents.has(testId)
  const cause = type === 'test:fail' ? (data.details.error.cause ?? data.details.error) : undefined
  // Node says of a test that only tests in it failed by a text instead of an error.
  const isFailed = type === 'test:fail' && (!parents.get(testId) || cause instanceof Error)
  if (parentId) parents.set(parentId, parents.get(parentId) || type === 'test:fail')
  if (isFailed) {
    since.failed++
    const place = `${relative(root, data.file ?? root)}:${data.line ?? 1}`
    run.failures.push(`${place}: ${name}`)
    yield `✖ ${name}\n  at ${place}\n${indented(textOfCause(cause))}\n`
  } else if (skip !== undefined) {
    since.skipped++
    const what = typeof skip === 'string' ? skip : 'no reason'
    skips.set(what, (skips.get(what) ?? 0) + 1)
  } else if (!isParent && details.type !== 'suite' && !open.has(name) && resolve(root, name) !== data.file)
    since.passed++
}

function textOfCause(cause: unknown): string {
  return typeof cause === 'string' ? cause : inspect(cause)
}

function indented(text: string): string {
  return text.replace(/^(?=.)/gm, '  ')
}

function outputOf(text = ''): string {
  const lines = text.trimEnd().split('\n').slice(-OUTPUT_LINES)
  return text === '' ? '' : `  it printed:\n${indented(lines.join('\n'))}\n`
}

/** Adds the tests since the last file to the folder of this one, and gives its line if this was its last file. */
function* endFile(run: Run, file: string, ms: number): Generator<string> {
  const folder = run.folders.get(dirname(file))
  // The end of a group counts what does not belong to one of its files.
  for (const counts of [run.all, ...(folder ? [folder] : [])]) addTo(counts, run.since)
  run.since = none()
  if (!folder) return
  folder.ms += ms
  if (!run.open.delete(file)) return
  if (![...run.open].some(other => dirname(other) === dirname(file))) yield lineOf(dirname(file), folder)
}

function addTo(counts: Counts, more: Counts): void {
  counts.passed += more.passed
  counts.failed += more.failed
  counts.skipped += more.skipped
}

function lineOf(folder: string, { passed, failed, skipped, ms }: Counts): string {
  const parts = [`${passed} passed`, failed > 0 && `${failed} failed`, skipped > 0 && `${skipped} skipped`]
  return `${folder}: ${parts.filter(Boolean).join(', ')} (${(ms / 1000).toFixed(1)} s)\n`
}

/** The failures, what was missing, the packages that have it, and the numbers. */
function* ending({ all, open, skips, failures, latest }: Run): Generator<string> {
  for (const failure of failures) yield `failed: ${failure}\n`
  const ended = new Set(latest.values())
  for (const file of open) yield `failed: ${file}: ${ended.has(file) ? 'ended its process' : 'has no result'}\n`
  all.failed += open.size
  if (all.failed > 0) process.exitCode = 1
  const costs = new Map<string, number>()
  const packages = new Set<string>()
  for (const [skip, count] of skips)
    for (const missing of missingBy(skip)) {
      const what = missing.reason ? `${missing.name} (${missing.reason})` : missing.name
      costs.set(what, (costs.get(what) ?? 0) + count)
      for (const each of missing.packages) packages.add(each)
    }
  for (const [what, count] of [...costs].sort(([, one], [, other]) => other - one))
    yield `missing: ${what}: ${count} test${count === 1 ? '' : 's'}\n`
  if (packages.size > 0) yield `apt-get install ${[...packages].sort().join(' ')}\n`
  yield `${all.passed} passed, ${all.failed} failed, ${all.skipped} skipped\n`
}
