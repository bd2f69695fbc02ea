import type { Files } from '../../store/files/files.ts'
import { FilesOutage } from '../../store/store-error.ts'

/** What is known of files on another machine. */
type FilesState = {
  /** Why they are away; undefined if they are not, as was last noticed. */
  outage: () => unknown
  /** Looks whether they are there; never throws. */
  check: () => Promise<void>
  /** Called when they have answered. */
  heard: () => void
}

type BoundedOpen = {
  open: Files['open']
  /** Looks whether the files are there, and if not, refuses all who wait for them. */
  recheck: () => Promise<void>
}

/**
 * Opens files on another machine so that a slow one keeps nobody for long: while it is away, requests are refused at once.
 * Otherwise they wait ten seconds at most, and so many at a time. What is under way ends if its signal aborts.
 */
export function boundedOpen(open: Files['open'], { outage, check, heard }: FilesState): BoundedOpen {
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
      if (waiting.size >= MAX_WAITING) throw new FilesOutage('too many wait for files', TOO_SLOW)
      const ending = new AbortController()
      const leave = () => ending.abort(signal?.reason)
      const ended = () => signal?.removeEventListener('abort', leave)
      signal?.addEventListener('abort', leave, { once: true })
      try {
        const chunks = await within(ending, () => open(workspace, hash, part, ending.signal))
        heard()
        if (chunks) return await thenDo(chunks, ended)
      } catch (error) {
        ended()
        throw error
      }
      ended()
      return undefined
    },
  }
}

/** A request that has waited for so long has the files asked whether they are there. */
const SLOW_MS = 1000
/** The longest that a request waits for the first bytes of a file. */
const MAX_WAIT_MS = 10_000
const MAX_WAITING = 500
const TOO_SLOW = 'look at the server of the files, and at the network to it'

function tooSlow(): FilesOutage {
  return new FilesOutage('a file did not come in time', TOO_SLOW, { isAway: true })
}

/** The first chunk is empty: ending a generator that has not started would not end what it reads from. */
async function thenDo(chunks: AsyncGenerator<Uint8Array>, ended: () => void): Promise<AsyncGenerator<Uint8Array>> {
  const given = (async function* () {
    try {
      yield new Uint8Array()
      yield* chunks
    } finally {
      await chunks.return(undefined)
      ended()
    }
  })()
  await given.next()
  return given
}
