import { setTimeout as sleep } from 'node:timers/promises'
import { failed as asFailed, ok } from '../../base/result.ts'
import { FolderEvents } from './folder-events.ts'
import { type FolderSnapshot, snapshotFolder } from './folder-snapshot.ts'

/** What to do when a folder changes. */
export type Watcher = {
  /** Reads the folder. Gives a function that is called, with the time of the first change, unless it changed again. */
  read: () => Promise<(sinceMs: number) => Promise<void>>
  /** Called once when the folder is missing. When it is back, it is read again. */
  gone: () => void
  /** Called if reading failed for another reason than a change of the folder. */
  failed: (error: unknown) => void
  signal: AbortSignal
}

/**
 * Reads a brand folder, and again after every change, until the signal is aborted. It reads once at a time, and only
 * when nothing has changed for a moment. Events of the file system start a scan. Polling finds changes without events,
 * as on network file systems. `sinceMs` is a time of `performance.now()`.
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
      const scanMs = performance.now() - began
      if (!snapshot && !isGone) watcher.gone()
      isGone = !snapshot
      const isChanged = snapshot !== undefined && snapshot.digest !== known
      known = isChanged ? await readWhenQuiet(folder, snapshot.digest, watcher, events) : snapshot?.digest
      await events.next(pollDelay(scanMs, !isGone && events.isComplete()), signal)
    }
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    events.close()
  }
}

/** Takes a snapshot, and from now on watches the folders in it. */
function takeSnapshot(folder: string, events: FolderEvents): FolderSnapshot | undefined {
  const snapshot = snapshotFolder(folder)
  events.watch(snapshot ?? { folders: new Map() })
  return snapshot
}

/** Reads the folder once it is quiet, and again if it changed meanwhile. Gives its digest; undefined if it is gone. */
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

/** If nothing changes for this long, everything is taken to be saved. */
const DEBOUNCE_MS = 50
/** If changes do not end, the folder is read this long after the first one. */
const MAX_DEBOUNCE_MS = 2000

/** How long to wait for an event before the next scan. Polling takes at most a twentieth of the time. */
function pollDelay(scanMs: number, hasEvents: boolean): number {
  return Math.max(hasEvents ? POLL_MS : POLL_WITHOUT_EVENTS_MS, scanMs * 20)
}

const POLL_MS = 1000
/** The folder is gone, or the system allows no more watchers. */
const POLL_WITHOUT_EVENTS_MS = 200
