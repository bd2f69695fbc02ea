import { createHash } from 'node:crypto'
import { type BigIntStats, type FSWatcher, lstatSync, readdirSync, realpathSync, watch } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { identityOf } from '#intake/folder/file-version.ts'
import { openFolder } from '#intake/folder/open-folder.ts'
import { codeOf } from '#intake/folder/unreadable.ts'
import { isIgnored } from '#intake/folder/walk.ts'
import { isPart } from '#intake/project/project-folder.ts'
import { failed as asFailed, attempt, ok } from '#platform/base/result.ts'

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
      const minMs = !isGone && events.isComplete() ? POLL_MS : POLL_WITHOUT_EVENTS_MS
      // Polling takes at most a twentieth of the time.
      await events.next(Math.max(minMs, scanMs * 20), signal)
    }
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    events.close()
  }
}

/** Takes a snapshot, and watches exactly its folders from then on. */
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
    // Waits until nothing changes for a moment.
    for (let before: string | undefined; before !== digest && !isLate(); ) {
      before = digest
      await sleep(DEBOUNCE_MS, undefined, { signal })
      digest = digestNow()
    }
    if (digest === undefined) return undefined
    const result = await read().then(ok, asFailed)
    signal.throwIfAborted()
    const digestAfter = digestNow()
    if (digestAfter === digest || isLate()) {
      if (result.ok) await result.value(since).catch(failed)
      else failed(result.problem)
      return digest
    }
    digest = digestAfter
  }
}

/** The time without changes after which everything counts as saved. */
const DEBOUNCE_MS = 50
/** The longest wait after the first change if changes do not end. */
const MAX_DEBOUNCE_MS = 2000

/** The longest wait for an event before the next scan. */
const POLL_MS = 1000
/** Applies if the folder is missing, or the system allows no more watchers. */
const POLL_WITHOUT_EVENTS_MS = 200

type WatchedFolder = { identity: string; events: FSWatcher | undefined }

/** File system events for the folders of the latest snapshot. An event only means that a new snapshot is due. */
class FolderEvents {
  readonly #watched = new Map<string, WatchedFolder>()
  #isDue = false
  #wake = () => {}

  watch({ folders }: Pick<FolderSnapshot, 'folders'>): void {
    for (const [path, { identity }] of this.#watched) if (folders.get(path) !== identity) this.#stop(path)
    for (const [path, identity] of folders)
      if (!this.#watched.get(path)?.events) this.#watched.set(path, { identity, events: this.#start(path) })
  }

  /** Whether every folder is watched; the system limits the number of watchers. */
  isComplete(): boolean {
    return [...this.#watched.values()].every(({ events }) => events)
  }

  /** Waits for an event, at most `maxMs`. */
  async next(maxMs: number, signal: AbortSignal): Promise<void> {
    const waking = new AbortController()
    this.#wake = () => waking.abort()
    const either = AbortSignal.any([signal, waking.signal])
    if (!this.#isDue) await sleep(maxMs, undefined, { signal: either }).catch(() => undefined)
    this.#isDue = false
  }

  close(): void {
    for (const path of [...this.#watched.keys()]) this.#stop(path)
  }

  /** Undefined if the system allows no more watchers, or the folder was removed meanwhile. */
  #start(path: string): FSWatcher | undefined {
    return attempt(() => {
      using folder = openFolder(path)
      const events = watch(folder.place, (_event, name) => this.#changed(name))
      return events.on('error', () => {
        this.#stop(path)
        this.#changed(null)
      })
    })
  }

  #changed(name: string | null): void {
    if (name !== null && isIgnored(name)) return
    this.#isDue = true
    this.#wake()
  }

  #stop(path: string): void {
    this.#watched.get(path)?.events?.close()
    this.#watched.delete(path)
  }
}

type FolderSnapshot = {
  /** Changes whenever a file is written, moved, added or removed. */
  digest: string
  /** The identity of each scanned folder, keyed by path. A different folder at the same path has another identity. */
  folders: ReadonlyMap<string, string>
}

/**
 * Takes a snapshot of everything that an import would read, without opening a file: names, sizes, times and inode
 * numbers. Undefined if there is no such folder. It blocks the event loop, so it runs in its own process.
 */
function snapshotFolder(folder: string): FolderSnapshot | undefined {
  const root = attempt(() => realpathSync(folder))
  const stat = root === undefined ? undefined : statOf(root)
  if (root === undefined || typeof stat !== 'object' || !stat.isDirectory()) return undefined
  const scan: Scan = { digest: createHash('sha256'), folders: new Map([[root, identityOf(stat)]]) }
  scanFolder(scan, root, false, 0)
  return { digest: scan.digest.digest('hex'), folders: scan.folders }
}

type Scan = { digest: ReturnType<typeof createHash>; folders: Map<string, string> }

/** Adds the content of a folder to a scan; `isInPart`: it is in pages/, styles/ or files/ of a project. */
function scanFolder(scan: Scan, folder: string, isInPart: boolean, depth: number): void {
  for (const name of namesIn(scan, folder)) {
    if (isIgnored(name)) continue
    const path = join(folder, name)
    const stat = statOf(path)
    if (typeof stat === 'string' || !stat.isDirectory()) {
      scan.digest.update(`${path}\0${typeof stat === 'string' ? stat : fingerprintOf(stat)}\0`)
      continue
    }
    // Apart from pages/, styles/ and files/, an import reads only names, and only at the first level.
    const isRead = isInPart || isPart(name)
    scan.digest.update(`${path}\0${identityOf(stat)}\0`)
    if (!isRead && depth > 0) continue
    scan.folders.set(path, identityOf(stat))
    scanFolder(scan, path, isRead, depth + 1)
  }
}

/** The names in a folder; none if it cannot be read, which changes the digest. */
function namesIn({ digest }: Scan, path: string): string[] {
  try {
    using folder = openFolder(path)
    return readdirSync(folder.place).sort()
  } catch (error) {
    digest.update(`${path}\0${codeOf(error)}\0`)
    return []
  }
}

/** The stats of a file or folder, or the code of the error, such as `ENOENT`. */
function statOf(path: string): BigIntStats | string {
  try {
    return lstatSync(path, { bigint: true })
  } catch (error) {
    return codeOf(error)
  }
}

function fingerprintOf(stat: BigIntStats): string {
  return `${identityOf(stat)} ${stat.mode} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}`
}
