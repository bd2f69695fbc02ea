import { type FSWatcher, watch } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { isPassedOver } from '../intake/walk.ts'
import { type FolderLook, lookAt } from './folder-look.ts'

/** What is done about a folder as it changes. */
export type Watcher = {
  /** Reads the folder. What it gives is run where nothing has changed meanwhile, with when the change was first seen. */
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
  const events = listenTo()
  let known: string | undefined
  let isGone = false
  try {
    while (!signal.aborted) {
      const began = performance.now()
      const look = events.follow(lookAt(folder))
      const tookMs = performance.now() - began
      if (!look && !isGone) watcher.gone()
      isGone = !look
      known = look && look.print !== known ? await settle(folder, look.print, watcher, events) : look?.print
      await events.next(pauseAfter(tookMs, isGone || !events.isWhole()), signal)
    }
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    events.close()
  }
}

/** Reads the folder once it rests, and again where it changed meanwhile; gives its print then, undefined where it is gone. */
async function settle(folder: string, first: string, watcher: Watcher, events: Events): Promise<string | undefined> {
  const { signal, read, failed } = watcher
  const since = performance.now()
  const isLate = () => performance.now() - since > LONGEST_MS
  const look = () => events.follow(lookAt(folder))?.print
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
const LONGEST_MS = 2000

/** A look costs little, and of twenty milliseconds at most one is spent on those that no event asked for. */
function pauseAfter(tookMs: number, isBlind: boolean): number {
  return Math.max(isBlind ? BLIND_LOOK_MS : QUIET_LOOK_MS, tookMs * 20)
}

const QUIET_LOOK_MS = 1000
/** Where there are no events: the folder is gone, or the system gives no more of them. */
const BLIND_LOOK_MS = 200

type Events = ReturnType<typeof listenTo>

/** The system's events of the folders that were looked into last. */
function listenTo() {
  const open = new Map<string, { identity: string; events: FSWatcher | undefined }>()
  let isDue = false
  let wake = () => {}
  const heard = (name: string | null) => {
    if (name !== null && isPassedOver(name)) return
    isDue = true
    wake()
  }
  const drop = (path: string) => {
    open.get(path)?.events?.close()
    open.delete(path)
  }
  return {
    /** Listens to the folders of this look, and to no others. */
    follow: (look: FolderLook | undefined): FolderLook | undefined => {
      for (const [path, { identity }] of open) if (look?.folders.get(path) !== identity) drop(path)
      for (const [path, identity] of look?.folders ?? []) {
        if (open.get(path)?.events) continue
        const events = listen(path, heard)
        events?.on('error', () => {
          drop(path)
          heard(null)
        })
        open.set(path, { identity, events })
      }
      return look
    },
    /** Whether every folder is listened to. */
    isWhole: () => [...open.values()].every(({ events }) => events),
    /** Waits for an event, but no longer than this. */
    next: async (mostMs: number, signal: AbortSignal) => {
      const waking = new AbortController()
      wake = () => waking.abort()
      if (!isDue)
        await sleep(mostMs, undefined, { signal: AbortSignal.any([signal, waking.signal]) }).catch(() => undefined)
      isDue = false
    },
    close: () => {
      for (const path of [...open.keys()]) drop(path)
    },
  }
}

/** Undefined where the system gives no more events, or the folder has just gone: looks find out what happens there. */
function listen(path: string, heard: (name: string | null) => void): FSWatcher | undefined {
  try {
    return watch(path, (_event, name) => heard(name))
  } catch {
    return undefined
  }
}
