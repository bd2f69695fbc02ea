import { failed } from '#base/result.ts'
import { ProcessFailed } from '#processes/failure.ts'
import { Pool } from '#processes/pool.ts'
import { fifoQueue } from '#processes/queue.ts'
import type { ConvertAnswer, ConvertTask } from './convert-bytes.ts'

/** Converts pages in confined processes, which closing it ends. */
export type Converter = AsyncDisposable & { convert: (page: ConvertTask) => Promise<ConvertAnswer> }

/** Opens a converter, whose pages may each take `timeoutMs`. */
export function openConverter(timeoutMs = 20_000): Converter {
  const pool = new Pool<ConvertTask, ConvertAnswer>({
    name: 'init',
    program: new URL('./convert-process', import.meta.url),
    execArgv: ['--max-old-space-size=256'],
    timeoutMs,
    isTotalTime: true,
    saysReady: true,
    idleMs: 5000,
    maxProcesses: 2,
    maxTasksEach: 4,
    queue: fifoQueue(),
    messages: page => [page],
  })
  const convert: Converter['convert'] = async page => {
    try {
      const outcome = await pool.run(page)
      if (outcome.ok) return outcome.value
      return failed(outcome.problem === 'time' ? `could not be converted in ${timeoutMs / 1000} s` : TOO_LARGE)
    } catch (error) {
      if (error instanceof ProcessFailed) return failed('could not be converted: the process that reads it ended twice')
      throw error
    }
  }
  return { convert, [Symbol.asyncDispose]: () => pool.close() }
}

const TOO_LARGE = 'needs more memory to convert than is allowed'
