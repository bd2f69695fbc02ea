import { existsSync, lstatSync, mkdtempSync } from 'node:fs'
import { lstat, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { type FileLocks, openLocks } from './locks.ts'

/** A folder that only its owner can access. Disposing of it removes it. */
export type TemporaryFolder = AsyncDisposable & { path: string }

/**
 * Creates a folder for a copy of a catalogue, which contains signing keys. The default parent is the temporary folder
 * of the system. A lock in the folder shows that its process is running; leftovers of killed processes in the parent
 * are removed. A note in `noteIn` with the path of the folder lets later commands find such leftovers in any parent.
 */
export async function makeTemporaryFolder(parent = tmpdir(), noteIn = parent): Promise<TemporaryFolder> {
  const { path, lock } = lockedFolder(parent)
  const note = noteIn === parent ? undefined : join(noteIn, basename(path))
  if (note !== undefined) await writeFile(note, resolve(path), { mode: 0o600 })
  for (const each of new Set([parent, noteIn])) await removeAbandonedFolders(each)
  return {
    path,
    [Symbol.asyncDispose]: async () => {
      await remove(path)
      if (note !== undefined) await rm(note, { force: true })
      lock.release()
    },
  }
}

/**
 * Repeats the creation if necessary: another process may mistake an unlocked folder for an abandoned one, and remove
 * it.
 */
function lockedFolder(parent: string): { path: string; lock: HeldLock } {
  const path = mkdtempSync(join(parent, PREFIX))
  const lock = openLocks(path).tryAcquire(OWNER, 'exclusive')
  if (lock && existsSync(path)) return { path, lock }
  lock?.release()
  return lockedFolder(parent)
}

type HeldLock = NonNullable<ReturnType<FileLocks['tryAcquire']>>

const PREFIX = '.housestyle-catalogue-'
const OWNER = 'owner'

/** Removes the folders of this user whose processes were killed, also noted ones, except where removal fails. */
export async function removeAbandonedFolders(parent = tmpdir()): Promise<void> {
  for (const name of await readdir(parent).catch(() => []))
    if (name.startsWith(PREFIX)) await removeIfAbandoned(join(parent, name)).catch(() => undefined)
}

async function removeIfAbandoned(path: string): Promise<void> {
  const entry = await lstat(path)
  if (entry.isFile()) return removeNoted(path)
  // A folder without a lock is still being created.
  if (!entry.isDirectory() || !(await readdir(path)).some(name => name.endsWith('.lock'))) return
  const lock = openLocks(path).tryAcquire(OWNER, 'exclusive')
  if (!lock) return
  await remove(path)
  lock.release()
}

/** Removes the folder that a note names, and the note once the folder no longer exists. */
async function removeNoted(note: string): Promise<void> {
  const path = await readFile(note, 'utf8')
  if (basename(path) !== basename(note)) return
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) await removeIfAbandoned(path)
  if (!existsSync(path)) await rm(note, { force: true })
}

/** Removes the lock last, so that another process can finish an interrupted removal. Two processes may remove one folder. */
async function remove(path: string): Promise<void> {
  const options = { recursive: true, force: true, maxRetries: 3 }
  for (const name of await readdir(path).catch(() => []))
    if (!name.endsWith('.lock')) await rm(join(path, name), options)
  await rm(path, options)
}
