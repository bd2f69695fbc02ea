import type { FoundStyles } from '#brand/tokens/found-styles.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { failed, type Result } from '#platform/base/result.ts'
import { ProcessFailed } from '#platform/processes/failure.ts'
import { Pool } from '#platform/processes/pool.ts'
import { fifoQueue } from '#platform/processes/queue.ts'
import type { Source, SourceProblem } from '../conversion/source.ts'
import { isSass, type SassReading } from '../conversion/style-sheets/compile-sheets.ts'
import type { DocumentContent } from '../document.ts'
import type { ConvertTask, SassTask } from './adopt-process.ts'

/** Reads tasks in confined processes, which closing it and the signal end. */
type Reader<Task, Value> = AsyncDisposable & { read: (task: Task) => Promise<Result<Value, string>> }

/** Opens a reader of pages. */
export function openConverter(signal?: AbortSignal): Reader<ConvertTask, DocumentContent> {
  return openReader(signal)
}

/** Reads the styles in files of other tools, as `readSources` does. */
export async function readConfined(sources: readonly Source[], signal?: AbortSignal): Promise<StyleAnswer> {
  await using reader = openReader<readonly Source[], StyleAnswer>(signal)
  const readAll = async (some: readonly Source[], attempts: number): Promise<StyleAnswer> => {
    const answer = await reader.read(some)
    if (answer.ok) return answer.value
    const problem = failed<SourceProblem>({ kind: 'damaged', message: answer.problem })
    const largest = some.reduce((large, each) => (each.bytes.length > large.bytes.length ? each : large), NO_SOURCE)
    // It is the likely cause, and must not stop the others.
    const others = some.filter(each => each !== largest)
    if (attempts === 1 || others.length === 0) return some.map(() => problem)
    const answers = await readAll(others, attempts - 1)
    return some.map(each => (each === largest ? problem : (answers[others.indexOf(each)] ?? problem)))
  }
  return sources.length === 0 ? [] : await readAll(sources, MAX_ATTEMPTS)
}

/** Adds what Sass makes of style sheets to their sources; all are read without it if the process runs out of time or memory. */
export async function withSass(sources: readonly Source[], signal?: AbortSignal): Promise<readonly Source[]> {
  const sheets = sources.filter(({ path }) => isSass(path))
  if (sheets.length === 0) return sources
  await using reader = openReader<SassTask, SassReading[]>(signal, MAX_SASS_SECONDS)
  const answer = await reader.read({ sheets })
  const readings = answer.ok ? answer.value : sheets.map(() => ({ key: '', loaded: [], problem: answer.problem }))
  const sassOf = new Map(sheets.map((sheet, at) => [sheet, readings[at]]))
  return sources.map(source => withoutUndefined({ ...source, sass: sassOf.get(source) }))
}

const NO_SOURCE: Source = { path: '', bytes: new Uint8Array() }
const MAX_ATTEMPTS = 3

type StyleAnswer = Result<FoundStyles, SourceProblem>[]

function openReader<Task extends object, Value>(signal?: AbortSignal, seconds = MAX_SECONDS): Reader<Task, Value> {
  const pool = new Pool<Task, Result<Value, string>>({
    name: 'init',
    program: new URL('./adopt-process', import.meta.url),
    execArgv: ['--max-old-space-size=256'],
    timeoutMs: seconds * 1000,
    isTotalTime: true,
    saysReady: true,
    idleMs: 5000,
    maxProcesses: 2,
    maxTasksEach: 4,
    queue: fifoQueue(),
    messages: task => [task],
  })
  signal?.addEventListener('abort', () => void pool.close())
  const read = async (task: Task): Promise<Result<Value, string>> => {
    try {
      const outcome = await pool.run(task)
      return outcome.ok
        ? outcome.value
        : failed(outcome.problem === 'time' ? `could not be converted in ${seconds} s` : TOO_LARGE)
    } catch (error) {
      signal?.throwIfAborted()
      if (error instanceof ProcessFailed) return failed('could not be converted: the process that reads it ended twice')
      throw error
    }
  }
  return { read, [Symbol.asyncDispose]: () => pool.close() }
}

const MAX_SECONDS = 20
const MAX_SASS_SECONDS = 10
const TOO_LARGE = 'needs more memory to convert than is allowed'
