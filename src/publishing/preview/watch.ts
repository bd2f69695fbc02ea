import { setTimeout as sleep } from 'node:timers/promises'
import { FolderEvents } from './folder-events.ts'
import { type FolderSnapshot, snapshotFolder } from './folder-snapshot.ts'

/** What is done about a folder as it changes. */
export type Watcher = {
  /** Reads the folder. What it gives is run if nothing has changed meanwhile, with when the change was first seen. */
  read: () => Promise<(sinceMs: number) => Promise<void>>
  /** The folder is not there, or no longer; told once. It is read when it is back. */
  gone: () => void
  /** Reading failed, and not because the folder was changing. */
  failed: (error: unknown) => void
  signal: AbortSignal
}

/**
 * Reads a brand folder, and once more after every change, until the signal: never twice at once, and only when nothing
 * has changed for a moment. The system's events say when to look; a look now and then finds what they do not tell, as on
 * network file systems. `sinceMs` is of `performance.now()`.
 */
export async function watchFolder(folder: string, watcher: Watcher): Promise<void> {
  const { signal } = watcher
  const events = new FolderEvents()
  let known: string | undefined
  let isGone = false
  try {
    while (!signal.aborted) {
      const began = performance.now()
      const look = follow(folder, events)
      const tookMs = performance.now() - began
      if (!look && !isGone) watcher.gone()
      isGone = !look
      known = look && look.print !== known ? await readWhenQuiet(folder, look.print, watcher, events) : look?.print
      await events.next(pauseAfter(tookMs, isGone || !events.isWhole()), signal)
    }
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    events.close()
  }
}

/** Looks at the folder, and has what was seen listened to. */
function follow(folder: string, events: FolderEvents): FolderSnapshot | undefined {
  const look = snapshotFolder(folder)
  events.follow(look ?? { folders: new Map() })
  return look
}

/** Reads the folder once it rests, and again if it changed meanwhile; gives its print then, undefined if it is gone. */
async function readWhenQuiet(
  folder: string,
  first: string,
  watcher: Watcher,
  events: FolderEvents,
): Promise<string | undefined> {
  const { signal, read, failed } = watcher
  const since = performance.now()
  const isLate = () => performance.now() - since > MAX_MS
  const look = () => follow(folder, events)?.print
  let print: string | undefined = first
  for (;;) {
    for (let before: string | undefined; before !== print && !isLate(); ) {
      before = print
      await sleep(REST_MS, undefined, { signal })
      print = look()
    }
    if (print === undefined) return undefined
    const result = await read().catch((error: unknown) => ({ error }))
    signal.throwIfAborted()
    const now = look()
    if (now === print || isLate()) {
      if ('error' in result) failed(result.error)
      else await result(since).catch(failed)
      return print
    }
    print = now
  }
}

/** A folder in which nothing has changed for so long is taken to be saved. */
const REST_MS = 50
/** Where it never rests, it is read this long after the first change all the same. */
const MAX_MS = 2000

/** A look costs little, and of twenty milliseconds at most one is spent on those that no event asked for. */
function pauseAfter(tookMs: number, isBlind: boolean): number {
  return Math.max(isBlind ? BLIND_LOOK_MS : QUIET_LOOK_MS, tookMs * 20)
}

const QUIET_LOOK_MS = 1000
/** Where there are no events: the folder is gone, or the system gives no more of them. */
const BLIND_LOOK_MS = 200
