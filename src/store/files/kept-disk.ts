import { constants, type Dirent, lstatSync, readdirSync } from 'node:fs'
import { type FileHandle, lstat, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '../../base/error.ts'
import { isHash, isWorkspaceId } from '../../brand/ids.ts'
import type { StoredFile } from './files.ts'

/**
 * All files that are kept below a folder. Links are not followed, since they may lead into another store; like all that is
 * neither a plain file nor a folder of ours, `listOddities` names them.
 */
export async function* listKept(folder: string): AsyncIterable<StoredFile> {
  for (const { workspace, path, entry } of await partsIn(folder))
    for (const file of await entriesIn(join(path, entry.name)))
      if (isHash(file.name) && file.isFile()) {
        const found = await lstatIfThere(join(path, entry.name, file.name))
        if (found) yield { workspace, hash: file.name, size: found.size }
      }
}

/** The hashes of all files of a workspace. */
export function listKeptOf(folder: string, workspace: string): Set<string> {
  const path = join(folder, workspace)
  if (!lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) return new Set()
  const parts = readdirSync(path, { withFileTypes: true }).filter(entry => entry.isDirectory())
  const files = parts.flatMap(({ name }) => readdirSync(join(path, name), { withFileTypes: true }))
  return new Set(files.flatMap(entry => (entry.isFile() ? [entry.name] : [])))
}

/** The paths of what stands among the files and is none of ours. */
export async function* listOddities(folder: string): AsyncIterable<string> {
  for (const entry of await entriesIn(folder)) {
    const path = join(folder, entry.name)
    if (!isOurs(entry)) yield path
    else if (isWorkspaceId(entry.name))
      for (const part of await entriesIn(path)) {
        if (part.isDirectory()) yield* oddFilesIn(join(path, part.name))
        else yield join(path, part.name)
      }
  }
}

/** Whether a plain file stands at a path. */
export function isPlainFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true
}

/** Opens a plain file; anything else counts as missing, and nobody waits for it. */
export async function openIfPlain(path: string): Promise<FileHandle | undefined> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW).catch(missing)
  if (!file || (await file.stat()).isFile()) return file
  await file.close()
  return undefined
}

/** What is in a folder, nothing where it is gone. */
export async function entriesIn(folder: string): Promise<Dirent[]> {
  return (await readdir(folder, { withFileTypes: true }).catch(missing)) ?? []
}

async function partsIn(folder: string): Promise<{ workspace: string; path: string; entry: Dirent }[]> {
  const workspaces = (await entriesIn(folder)).filter(entry => isWorkspaceId(entry.name) && entry.isDirectory())
  const parts = workspaces.map(async ({ name }) => {
    const path = join(folder, name)
    const folders = (await entriesIn(path)).filter(entry => entry.isDirectory())
    return folders.map(entry => ({ workspace: name, path, entry }))
  })
  return (await Promise.all(parts)).flat()
}

function isOurs(entry: Dirent): boolean {
  if (entry.name.startsWith('.store')) return entry.isFile()
  return entry.isDirectory() && (isWorkspaceId(entry.name) || ['.incoming', 'lost+found'].includes(entry.name))
}

async function* oddFilesIn(folder: string): AsyncIterable<string> {
  for (const entry of await entriesIn(folder))
    if (!(isHash(entry.name) && entry.isFile())) yield join(folder, entry.name)
}

/** A file may be removed between listing and looking. */
async function lstatIfThere(path: string): Promise<{ size: number } | undefined> {
  return lstat(path).catch(missing)
}

function missing(error: unknown): undefined {
  if (MISSING.has(errorCode(error))) return undefined
  throw error
}

/** ENXIO is said of a socket or a device, ELOOP of a link. */
const MISSING: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO'])
