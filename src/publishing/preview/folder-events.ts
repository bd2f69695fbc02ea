import { type FSWatcher, watch } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { openFolder } from '../../intake/folder/open-folder.ts'
import { isIgnored } from '../../intake/folder/walk.ts'
import type { FolderSnapshot } from './folder-snapshot.ts'

type WatchedFolder = { identity: string; events: FSWatcher | undefined }

/** File system events for the folders of the latest snapshot. An event only means that a new snapshot is due. */
export class FolderEvents {
  readonly #watched = new Map<string, WatchedFolder>()
  #isDue = false
  #wake = () => {}

  /** Watches the folders of this snapshot, and no others. */
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
    try {
      using folder = openFolder(path)
      const events = watch(folder.place, (_event, name) => this.#changed(name))
      return events.on('error', () => {
        this.#stop(path)
        this.#changed(null)
      })
    } catch {
      return undefined
    }
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
