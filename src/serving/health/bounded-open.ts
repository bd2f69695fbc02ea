import type { Files } from '../../store/files/files.ts'
import { startChunks } from '../../store/files/start-chunks.ts'
import { FilesOutage } from '../../store/store-error.ts'

/** The state of files on another machine. */
type FilesState = {
  /** The latest known outage; undefined if there is none. */
  outage: () => unknown
  /** Checks whether the files are available; never throws. */
  check: () => Promise<void>
  /** Called after each successful answer. */
  recordAnswer: () => void
}

type BoundedOpen = {
  open: Files['open']
  /** Checks whether the files are available. If not, ends all waiting requests with an error. */
  recheck: () => Promise<void>
}

/**
 * Opens files on another machine so that a slow one delays no client for long. During an outage, requests fail at once.
 * Otherwise each waits at most ten seconds, and the number of waiting requests is limited. If the signal of a request
 * aborts, its work ends.
 */
export function boundedOpen(open: Files['open'], { outage, check, recordAnswer }: FilesState): BoundedOpen {
  const waiting = new Set<AbortController>()
  const recheck = async () => {
    await check()
    const why = outage()
    if (why !== undefined) for (const each of waiting) each.abort(why)
  }
  const within = async <Value>(ending: AbortController, work: () => Promise<Value>): Promise<Value> => {
    const slow = setTimeout(recheck, SLOW_MS)
    const limit = setTimeout(() => ending.abort(tooSlow()), MAX_WAIT_MS)
    waiting.add(ending)
    try {
      return await work()
    } catch (error) {
      if (error instanceof FilesOutage) void recheck()
      throw error
    } finally {
      waiting.delete(ending)
      clearTimeout(slow)
      clearTimeout(limit)
    }
  }
  return {
    recheck,
    open: async (workspace, hash, part, signal) => {
      signal?.throwIfAborted()
      const why = outage()
      if (why !== undefined) throw why
      if (waiting.size >= MAX_WAITING) throw new FilesOutage('too many requests are waiting for files', TOO_SLOW)
      const ending = new AbortController()
      const leave = () => ending.abort(signal?.reason)
      const ended = () => signal?.removeEventListener('abort', leave)
      signal?.addEventListener('abort', leave, { once: true })
      try {
        const chunks = await within(ending, () => open(workspace, hash, part, ending.signal))
        recordAnswer()
        if (chunks) return await startChunks(chunks, source => source, ended)
      } catch (error) {
        ended()
        throw error
      }
      ended()
      return undefined
    },
  }
}

/** A request that waits longer triggers a check of the files. */
const SLOW_MS = 1000
/** The longest wait for the first bytes of a file. */
const MAX_WAIT_MS = 10_000
const MAX_WAITING = 500
const TOO_SLOW = 'check the file server and the network between it and this machine'

function tooSlow(): FilesOutage {
  return new FilesOutage('a file did not arrive in time', TOO_SLOW, { isDown: true })
}
