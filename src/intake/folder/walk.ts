import type { Dirent } from 'node:fs'
import { join } from 'node:path'
import { textOrder } from '../../base/text.ts'
import type { RuleId } from '../../brand/finding.ts'
import { fingerprintOf } from '../cache/read-cache.ts'
import { identityOf } from './open-file.ts'
import { entriesOf, type OpenFolder, openFolder, statIn } from './open-folder.ts'
import { unreadableProblem } from './unreadable.ts'

/** A file of a brand folder that may be read. */
export type WalkedFile = {
  /** Relative to the folder that was walked, with `/`. */
  path: string
  /** bytes */
  size: number
  /** Which file it is: another at its path is not read in its place. */
  identity: string
  /** Changes when the file does; absent if the file was changed just now. */
  fingerprint?: string
}

/** What stands in a folder: its files by path, and what was left out that a person may miss. */
export type Walk = { files: WalkedFile[]; leftOut: LeftOut[] }

/** Something that was not read, and why. */
type LeftOut = { path: string; rule: RuleId; message: string }

/**
 * Lists the files below `root`, a real path, that stand in `below` (`pages`, `files` …), in the order of their paths.
 * Symbolic links, devices, sockets and pipes are never followed or opened. Names that start with `.` or `_`, and
 * `node_modules`, are ignored.
 */
export async function walk(root: string, below: string, signal: AbortSignal): Promise<Walk> {
  const found: Walk = { files: [], leftOut: [] }
  await walkInto(root, below, found, signal)
  found.files.sort((a, b) => textOrder(a.path, b.path))
  return found
}

/** Whether a name is ignored without a finding. */
export function isPassedOver(name: string): boolean {
  return name.startsWith('.') || name.startsWith('_') || name === 'node_modules'
}

async function walkInto(root: string, path: string, found: Walk, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  for (const folder of await walkOne(root, path, found)) await walkInto(root, folder, found, signal)
}

/** Adds the files of one folder; gives the folders in it. */
async function walkOne(root: string, path: string, found: Walk): Promise<string[]> {
  const folders: string[] = []
  try {
    using folder = openFolder(join(root, path))
    for (const entry of await entriesOf(folder)) {
      if (isPassedOver(entry.name)) continue
      const inside = path === '' ? entry.name : `${path}/${entry.name}`
      if (isUnusable(entry.name)) found.leftOut.push({ path: inside, rule: 'name-unusable', message: UNUSABLE })
      else if (entry.isDirectory()) folders.push(inside)
      else if (entry.isFile()) addFile(folder, entry.name, inside, found)
      else found.leftOut.push({ path: inside, rule: 'not-followed', message: notFollowed(entry) })
    }
  } catch (error) {
    found.leftOut.push({ path, ...unreadableProblem(error, path) })
  }
  return folders
}

function addFile(folder: OpenFolder, name: string, path: string, found: Walk): void {
  try {
    const now = Date.now()
    const stat = statIn(folder, name)
    const fingerprint = fingerprintOf(stat, now)
    found.files.push({
      path,
      size: stat.size,
      identity: identityOf(stat),
      ...(fingerprint !== undefined && { fingerprint }),
    })
  } catch (error) {
    found.leftOut.push({ path, ...unreadableProblem(error, path) })
  }
}

/** Whether a name cannot be used: Node gives bytes that are not UTF-8 as U+FFFD; control characters break lines and URLs. */
export function isUnusable(name: string): boolean {
  return /[\p{Cc}\uFFFD]/u.test(name)
}

export const UNUSABLE = 'its name has control characters or is not UTF-8, so it is left out: rename it'

function notFollowed(entry: Dirent): string {
  const kind = entry.isSymbolicLink() ? 'a symbolic link' : entry.isFIFO() ? 'a pipe' : 'not a plain file'
  return `is ${kind} and is left out: put the file itself in its place`
}
