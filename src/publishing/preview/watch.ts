import { setTimeout as sleep } from 'node:timers/promises'
import { failed as asFailed, ok } from '../../base/result.ts'
import { FolderEvents } from './folder-events.ts'
import { type FolderSnapshot, snapshotFolder } from './folder-snapshot.ts'

/** The callbacks for changes of a folder. */
export type Watcher = {
  /** Reads the folder. Returns a function that is called, with the time of the first change, unless the folder changed again. */
  read: () => Promise<(sinceMs: number) => Promise<void>>
  /** Called once when the folder disappears. When it returns, it is read again. */
  gone: () => void
  /** Called if reading fails although the folder did not change. */
  failed: (error: unknown) => void
  signal: AbortSignal
}

/**
 * Reads a brand folder, and again after every change, until the signal is aborted. Reads never overlap, and start only
 * when nothing has changed for a moment. File system events start a scan. Polling finds changes without events, for
 * example on network file systems. `sinceMs` is a time of `performance.now()`.
 */
export async function watchFolder(folder: string, watcher: Watcher): Promise<void> {
  const { signal } = watcher
  const events = new FolderEvents()
  let digest: string | undefined
  let isGone = false
  try {
    while (!signal.aborted) {
      const began = performance.now()
      const snapshot = takeSnapshot(folder, events)
      const scanMs = performance.now() - began
      if (!snapshot && !isGone) watcher.gone()
      isGone = !snapshot
      const isChanged = snapshot !== undefined && snapshot.digest !== digest
      digest = isChanged ? await readWhenQuiet(folder, snapshot.digest, watcher, events) : snapshot?.digest
      await events.next(pollDelay(scanMs, !isGone && events.isComplete()), signal)
    }
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    events.close()
  }
}

/** Takes a snapshot and starts watching the folders in it. */
function takeSnapshot(folder: string, events: FolderEvents): FolderSnapshot | undefined {
  const snapshot = snapshotFolder(folder)
  events.watch(snapshot ?? { folders: new Map() })
  return snapshot
}

/** Reads the folder once it is quiet, and again if it changed meanwhile. Returns its digest; undefined if it is missing. */
async function readWhenQuiet(
  folder: string,
  first: string,
  watcher: Watcher,
  events: FolderEvents,
): Promise<string | undefined> {
  const { signal, read, failed } = watcher
  const since = performance.now()
  const isLate = () => performance.now() - since > MAX_DEBOUNCE_MS
  const digestNow = () => takeSnapshot(folder, events)?.digest
  let digest: string | undefined = first
  for (;;) {
    for (let before: string | undefined; before !== digest && !isLate(); ) {
      before = digest
      await sleep(DEBOUNCE_MS, undefined, { signal })
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

/** The time without changes after which everything counts as saved. */
const DEBOUNCE_MS = 50
/** The longest wait after the first change if changes do not end. */
const MAX_DEBOUNCE_MS = 2000

/** The longest wait for an event before the next scan. Polling takes at most a twentieth of the time. */
function pollDelay(scanMs: number, hasEvents: boolean): number {
  return Math.max(hasEvents ? POLL_MS : POLL_WITHOUT_EVENTS_MS, scanMs * 20)
}

const POLL_MS = 1000
/** Applies if the folder is missing, or the system allows no more watchers. */
const POLL_WITHOUT_EVENTS_MS = 200
