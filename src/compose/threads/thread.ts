import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { type Calls, openCalls } from '../../threads/calls.ts'
import type { FirstWork, ThreadData, ThreadWork } from './thread-calls.ts'

/** A thread that answers requests. */
export type Thread = {
  calls: Calls<ThreadWork>
  /** Resolves when it answers; rejects if it ends before. */
  started: Promise<void>
  /** Resolves once it has ended, to the error if there was one. */
  ended: Promise<unknown>
  /** How much of its heap is in use. */
  heapBytes: () => Promise<number>
  /** Has it answer what has come, and ends it. */
  stop: () => Promise<void>
}

/** Starts a thread. `workFor` says what is done for it. */
export function startThread(
  data: ThreadData,
  workFor: (calls: Calls<ThreadWork>) => Omit<FirstWork, 'started'>,
): Thread {
  const worker = new Worker(PROGRAM, { workerData: data, name: `thread ${data.thread}`, resourceLimits: LIMITS })
  const started = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<unknown>()
  started.promise.catch(() => undefined) // Whoever starts it is told when it asks.
  const calls = openCalls<ThreadWork>(worker, them => ({ ...workFor(them), started: started.resolve }))
  let failure: unknown
  worker.on('error', error => {
    failure = error
  })
  worker.on('exit', () => {
    calls.end(new Error('the thread has ended'))
    started.reject(failure ?? new Error('a thread of the service has ended before it could answer'))
    ended.resolve(failure)
  })
  return {
    calls,
    started: started.promise,
    ended: ended.promise,
    heapBytes: async () => (await worker.getHeapStatistics()).used_heap_size,
    stop: async () => {
      const limit = setTimeout(() => worker.terminate(), MAX_STOP_MS)
      await calls.call('stop').catch(() => undefined) // It may end meanwhile, which ends it as well.
      clearTimeout(limit)
      await worker.terminate()
    },
  }
}

/** The same extension as this file: .ts in development, .js when built. */
const PROGRAM = new URL(`./service-thread${extname(import.meta.url)}`, import.meta.url)

/** Space for new objects, in MiB: as much as a service of one thread has (`small-heap.ts`). */
const LIMITS = { maxYoungGenerationSizeMb: 24 }

/** A little longer than a server takes to stop at most. */
const MAX_STOP_MS = 29_000
