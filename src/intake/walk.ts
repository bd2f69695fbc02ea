import { type Dirent, lstatSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { RuleId } from '../brand/finding.ts'
import { textOrder } from '../brand/text-order.ts'
import { stampOf } from './seen.ts'

/** A file of a brand folder that may be read. */
export type WalkedFile = {
  /** Relative to the folder that was walked, with `/`. */
  path: string
  /** bytes */
  size: number
  /** Changes when the file does; absent where that cannot be told yet. */
  stamp?: string
}

/** What stands in a folder: its files by path, and what was left out that a person may miss. */
export type Walk = { files: WalkedFile[]; leftOut: LeftOut[] }

/** Something that was not read, and why. */
type LeftOut = { path: string; rule: RuleId; message: string }

/**
 * Lists the files below `folder` that stand in `below` (`pages`, `files` …), in the order of their paths. Symbolic links,
 * devices, sockets and pipes are never followed or opened; names that start with `.` or `_`, and `node_modules`, are
 * passed over.
 */
export async function walk(folder: string, below: string, signal: AbortSignal): Promise<Walk> {
  const found: Walk = { files: [], leftOut: [] }
  await walkInto(folder, below, found, signal)
  found.files.sort((a, b) => textOrder(a.path, b.path))
  return found
}

/** Whether a name is passed over without a word. */
export function isPassedOver(name: string): boolean {
  return name.startsWith('.') || name.startsWith('_') || name === 'node_modules'
}

async function walkInto(folder: string, path: string, found: Walk, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  for (const entry of await entriesOf(join(folder, path), path, found)) {
    if (isPassedOver(entry.name)) continue
    const inside = path === '' ? entry.name : `${path}/${entry.name}`
    if (isUnusable(entry.name)) found.leftOut.push({ path: inside, rule: 'name-unusable', message: UNUSABLE })
    else if (entry.isDirectory()) await walkInto(folder, inside, found, signal)
    else if (entry.isFile()) addFile(folder, inside, found)
    else found.leftOut.push({ path: inside, rule: 'not-followed', message: notFollowed(entry) })
  }
}

async function entriesOf(absolute: string, path: string, found: Walk): Promise<Dirent[]> {
  try {
    return await readdir(absolute, { withFileTypes: true })
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') found.leftOut.push({ path, rule: 'unreadable', message: unreadable(error) })
    return []
  }
}

function addFile(folder: string, path: string, found: Walk): void {
  try {
    const now = Date.now()
    const stat = lstatSync(join(folder, path))
    const stamp = stampOf(stat, now)
    found.files.push({ path, size: stat.size, ...(stamp !== undefined && { stamp }) })
  } catch (error) {
    found.leftOut.push({ path, rule: 'unreadable', message: unreadable(error) })
  }
}

/** Says why something cannot be read, and what to do. */
export function unreadable(error: unknown): string {
  const code = codeOf(error)
  return `cannot be read (${code}): ${code === 'ENAMETOOLONG' ? 'shorten its path' : 'allow the user that runs housestyle to read it'}`
}

/** The system's name for what went wrong, such as `EACCES`. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : String(error)
}

/** Whether a name is of no use: Node gives bytes that are not UTF-8 as U+FFFD; control characters break lines and addresses. */
export function isUnusable(name: string): boolean {
  return /[\p{Cc}\uFFFD]/u.test(name)
}

/** What is said of such a name. */
export const UNUSABLE = 'its name has control characters or is not UTF-8, so it is left out: rename it'

function notFollowed(entry: Dirent): string {
  const kind = entry.isSymbolicLink() ? 'a symbolic link' : entry.isFIFO() ? 'a pipe' : 'not a plain file'
  return `is ${kind} and is left out: put the file itself in its place`
}
