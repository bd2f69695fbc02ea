import { closeSync, constants, type Dirent, fstatSync, lstatSync, opendirSync, openSync, readdirSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { errorCode } from '../../base/error.ts'
import { isHash, isStoredWorkspaceId } from '../../brand/ids.ts'
import type { StoredFile } from './files.ts'

/**
 * All files in the folder of a store. Symbolic links are not followed, because they may point to another store.
 */
export async function* listFiles(folder: string): AsyncIterable<StoredFile> {
  for (const { workspace, path } of partsIn(folder)) {
    await nextTurn()
    for (const file of entriesIn(path))
      if (isHash(file.name) && file.isFile()) {
        const stat = lstatIfPresent(join(path, file.name))
        if (stat) yield { workspace, hash: file.name, size: stat.size }
      }
  }
}

/** The hashes of all files of a workspace. */
export function listHashes(folder: string, workspace: string): Set<string> {
  const path = join(folder, workspace)
  if (!lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) return new Set()
  const parts = readdirSync(path, { withFileTypes: true }).filter(entry => entry.isDirectory())
  const files = parts.flatMap(({ name }) => readdirSync(join(path, name), { withFileTypes: true }))
  return new Set(files.flatMap(entry => (entry.isFile() ? [entry.name] : [])))
}

export function isPlainFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true
}

/** Opens a plain file. Anything else counts as missing; opening a pipe does not block. */
export async function openIfPlain(path: string): Promise<FileHandle | undefined> {
  const file = await open(path, PLAIN).catch(undefinedIfMissing)
  if (!file || (await file.stat()).isFile()) return file
  await file.close()
  return undefined
}

/** Opens a plain file synchronously, and returns its descriptor. */
export function openIfPlainSync(path: string): number | undefined {
  try {
    const descriptor = openSync(path, PLAIN)
    if (fstatSync(descriptor).isFile()) return descriptor
    closeSync(descriptor)
    return undefined
  } catch (error) {
    return undefinedIfMissing(error)
  }
}

const PLAIN = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW

/**
 * The entries of a folder; none if it does not exist. Synchronous, because commands read thousands of folders, and a
 * thread would take longer than each read.
 */
export function entriesIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    return undefinedIfMissing(error) ?? []
  }
}

/** Whether a folder exists and is not empty. */
export function hasEntries(folder: string): boolean {
  try {
    using entries = opendirSync(folder)
    return entries.readSync() !== null
  } catch (error) {
    return undefinedIfMissing(error) ?? false
  }
}

function* partsIn(folder: string): Iterable<{ workspace: string; path: string }> {
  for (const workspace of foldersIn(folder).filter(isStoredWorkspaceId))
    for (const part of foldersIn(join(folder, workspace))) yield { workspace, path: join(folder, workspace, part) }
}

function foldersIn(folder: string): string[] {
  return entriesIn(folder).flatMap(entry => (entry.isDirectory() ? [entry.name] : []))
}

/** Undefined if the file was removed after it was listed. */
function lstatIfPresent(path: string): { size: number } | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch (error) {
    return undefinedIfMissing(error)
  }
}

/**
 * For `catch`: returns undefined if an error says that a path is missing, or is something that no store creates;
 * otherwise throws it.
 */
export function undefinedIfMissing(error: unknown): undefined {
  if (MISSING.has(errorCode(error))) return undefined
  throw error
}

/** ENXIO means a socket or a device, ELOOP a symbolic link. */
const MISSING: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO'])
