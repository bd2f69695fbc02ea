import { setTimeout as sleep } from 'node:timers/promises'
import { failed as asFailed, ok } from '../../base/result.ts'
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
      const snapshot = takeSnapshot(folder, events)
      const tookMs = performance.now() - began
      if (!snapshot && !isGone) watcher.gone()
      isGone = !snapshot
      const isChanged = snapshot !== undefined && snapshot.digest !== known
      known = isChanged ? await readWhenQuiet(folder, snapshot.digest, watcher, events) : snapshot?.digest
      await events.next(pauseAfter(tookMs, isGone || !events.isWhole()), signal)
    }
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    events.close()
  }
}

/** Takes a snapshot, and listens to the events of the folders in it from now on. */
function takeSnapshot(folder: string, events: FolderEvents): FolderSnapshot | undefined {
  const snapshot = snapshotFolder(folder)
  events.follow(snapshot ?? { folders: new Map() })
  return snapshot
}

/** Reads the folder once it rests, and again if it changed meanwhile; gives its digest then, undefined if it is gone. */
async function readWhenQuiet(
  folder: string,
  first: string,
  watcher: Watcher,
  events: FolderEvents,
): Promise<string | undefined> {
  const { signal, read, failed } = watcher
  const since = performance.now()
  const isLate = () => performance.now() - since > MAX_MS
  const digestNow = () => takeSnapshot(folder, events)?.digest
  let digest: string | undefined = first
  for (;;) {
    for (let before: string | undefined; before !== digest && !isLate(); ) {
      before = digest
      await sleep(REST_MS, undefined, { signal })
      digest = digestNow()
    }
    if (digest === undefined) return undefined
    const result = await read().then(ok, asFailed)
    signal.throwIfAborted()
    const now = digestNow()
    if (now === digest || isLate()) {
      if (result.ok) await result.value(since).catch(failed)
      else failed(result.problem)
      return digest
    }
    digest = now
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
