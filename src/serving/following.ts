import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../store/database.ts'

/**
 * Runs the work soon after anything has been committed to the store, by this process or another: never twice at once,
 * and once more for what comes while it runs. Work that fails is told and tried again. Gives what ends it.
 */
export function followStore(
  database: Database,
  work: () => Promise<void>,
  failed: (error: unknown) => void,
): () => Promise<void> {
  const ending = new AbortController()
  let running: Promise<void> | undefined
  let isDue = true
  const run = async () => {
    while (isDue && !ending.signal.aborted) {
      isDue = false
      try {
        await work()
      } catch (error) {
        failed(error)
        isDue = true
        await sleep(RETRY_MS, undefined, ending).catch(() => undefined)
      }
    }
    running = undefined
  }
  const unwatch = database.watch(() => {
    isDue = true
    running ??= run()
  })
  running = run()
  return async () => {
    unwatch()
    ending.abort()
    await running
  }
}

const RETRY_MS = 500
