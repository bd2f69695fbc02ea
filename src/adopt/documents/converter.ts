import { failed, type Result } from '#base/result.ts'
import type { FoundStyles } from '#conversion/found-styles.ts'
import type { Source, SourceProblem } from '#conversion/source.ts'
import { ProcessFailed } from '#processes/failure.ts'
import { Pool } from '#processes/pool.ts'
import { fifoQueue } from '#processes/queue.ts'
import type { ConvertAnswer, ConvertTask } from './convert-bytes.ts'

/** Reads tasks in confined processes, which closing it and the signal end. */
type Reader<Task, Answer> = AsyncDisposable & { read: (task: Task) => Promise<Result<Answer, string>> }

/** Opens a converter of pages. */
export function openConverter(signal?: AbortSignal): AsyncDisposable & {
  convert: (page: ConvertTask) => Promise<ConvertAnswer>
} {
  const reader = openReader<ConvertTask, ConvertAnswer>(new URL('./convert-process', import.meta.url), signal)
  const convert = async (page: ConvertTask) => {
    const answer = await reader.read(page)
    return answer.ok ? answer.value : answer
  }
  return { convert, [Symbol.asyncDispose]: reader[Symbol.asyncDispose] }
}

/** Reads the styles in files of other tools, as `readSources` does. */
export async function readConfined(sources: readonly Source[], signal?: AbortSignal): Promise<StyleAnswer> {
  await using reader = openReader<readonly Source[], StyleAnswer>(new URL('./style-process', import.meta.url), signal)
  const answer = await reader.read(sources)
  return answer.ok ? answer.value : sources.map(() => failed({ kind: 'damaged', message: answer.problem }))
}

type StyleAnswer = Result<FoundStyles, SourceProblem>[]

function openReader<Task extends object, Answer extends object>(
  program: URL,
  signal?: AbortSignal,
): Reader<Task, Answer> {
  const pool = new Pool<Task, Answer>({
    name: 'init',
    program,
    execArgv: ['--max-old-space-size=256'],
    timeoutMs: MAX_SECONDS * 1000,
    isTotalTime: true,
    saysReady: true,
    idleMs: 5000,
    maxProcesses: 2,
    maxTasksEach: 4,
    queue: fifoQueue(),
    messages: task => [task],
  })
  signal?.addEventListener('abort', () => void pool.close())
  const read = async (task: Task): Promise<Result<Answer, string>> => {
    try {
      const outcome = await pool.run(task)
      return outcome.ok ? outcome : failed(outcome.problem === 'time' ? TOO_LONG : TOO_LARGE)
    } catch (error) {
      signal?.throwIfAborted()
      if (error instanceof ProcessFailed) return failed('could not be converted: the process that reads it ended twice')
      throw error
    }
  }
  return { read, [Symbol.asyncDispose]: () => pool.close() }
}

const MAX_SECONDS = 20
const TOO_LONG = `could not be converted in ${MAX_SECONDS} s`
const TOO_LARGE = 'needs more memory to convert than is allowed'
