import { type FSWatcher, watch } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { openFolder } from '../../intake/folder/open-folder.ts'
import { isPassedOver } from '../../intake/folder/walk.ts'
import type { FolderSnapshot } from './folder-snapshot.ts'

type Listened = { identity: string; events: FSWatcher | undefined }

/** The system's events of the folders that were looked into last: they say that it is time to look, and no more. */
export class FolderEvents {
  readonly #open = new Map<string, Listened>()
  #isDue = false
  #wake = () => {}

  /** Listens to the folders of this look, and to no others. */
  follow({ folders }: Pick<FolderSnapshot, 'folders'>): void {
    for (const [path, { identity }] of this.#open) if (folders.get(path) !== identity) this.#drop(path)
    for (const [path, identity] of folders)
      if (!this.#open.get(path)?.events) this.#open.set(path, { identity, events: this.#listen(path) })
  }

  /** Whether every folder is listened to: the system gives events of so many at a time. */
  isWhole(): boolean {
    return [...this.#open.values()].every(({ events }) => events)
  }

  /** Waits for an event, but no longer than this. */
  async next(mostMs: number, signal: AbortSignal): Promise<void> {
    const waking = new AbortController()
    this.#wake = () => waking.abort()
    const either = AbortSignal.any([signal, waking.signal])
    if (!this.#isDue) await sleep(mostMs, undefined, { signal: either }).catch(() => undefined)
    this.#isDue = false
  }

  close(): void {
    for (const path of [...this.#open.keys()]) this.#drop(path)
  }

  /** Undefined if the system gives no more events, or the folder has just gone. */
  #listen(path: string): FSWatcher | undefined {
    try {
      using folder = openFolder(path)
      const events = watch(folder.place, (_event, name) => this.#heard(name))
      return events.on('error', () => {
        this.#drop(path)
        this.#heard(null)
      })
    } catch {
      return undefined
    }
  }

  #heard(name: string | null): void {
    if (name !== null && isPassedOver(name)) return
    this.#isDue = true
    this.#wake()
  }

  #drop(path: string): void {
    this.#open.get(path)?.events?.close()
    this.#open.delete(path)
  }
}
