import { extname } from 'node:path'
import { failed } from '#base/result.ts'
import { ProcessFailed } from '#processes/failure.ts'
import { Pool } from '#processes/pool.ts'
import { fifoQueue } from '#processes/queue.ts'
import type { PageTask } from '../pages/page.ts'
import type { ConvertAnswer, ConvertMessage } from './convert-bytes.ts'

/** Converts pages in confined processes, which closing it ends. */
export type Converter = AsyncDisposable & {
  convert: (bytes: Uint8Array, task: PageTask) => Promise<ConvertAnswer>
}

type SourcePage = { bytes: Uint8Array; task: PageTask }

export function openConverter(timeoutMs = 20_000): Converter {
  const pool = new Pool<SourcePage, ConvertAnswer>({
    name: 'init',
    program: PROGRAM,
    execArgv: ['--max-old-space-size=256'],
    serialization: 'advanced',
    timeoutMs,
    isTotalTime: true,
    saysReady: true,
    idleMs: 5000,
    maxProcesses: MAX_PROCESSES,
    maxTasksEach: 1,
    queue: fifoQueue(),
    messages: messagesOf,
  })
  const convert: Converter['convert'] = async (bytes, task) => {
    try {
      const outcome = await pool.run({ bytes, task })
      if (outcome.ok) return outcome.value
      return failed(outcome.problem === 'time' ? `could not be converted in ${timeoutMs / 1000} s` : TOO_LARGE)
    } catch (error) {
      if (error instanceof ProcessFailed) return failed('could not be converted: the process that reads it ended twice')
      throw error
    }
  }
  return { convert, [Symbol.asyncDispose]: () => pool.close() }
}

/** The same extension as this file: .ts in development, .js in the built package. */
const PROGRAM = new URL(`./convert-process${extname(import.meta.url)}`, import.meta.url)

/** The most pages that are converted at once. */
const MAX_PROCESSES = 2

const TOO_LARGE = 'needs more memory to convert than is allowed'

function* messagesOf({ bytes, task }: SourcePage): Generator<ConvertMessage> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield { bytes: bytes.subarray(at, at + CHUNK_BYTES) }
  yield task
}

const CHUNK_BYTES = 1 << 20
