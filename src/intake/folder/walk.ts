import type { Dirent } from 'node:fs'
import { join } from 'node:path'
import { compareStrings } from '../../base/text.ts'
import type { Problem } from '../../brand/finding.ts'
import { fingerprintOf, identityOf } from './file-version.ts'
import { problem } from './findings.ts'
import { entriesOf, type OpenFolder, openFolder, statIn } from './open-folder.ts'
import { unreadableProblem } from './unreadable.ts'

/** A file of a brand folder that may be read. */
export type WalkedFile = {
  /** Relative to the brand folder, with `/`. */
  path: string
  /** bytes */
  size: number
  /** Which file it is. Another file that takes its path is not read in its place. */
  identity: string
  /** Changes when the file does; absent if the file was changed just now. */
  fingerprint?: string
}

/** What stands in a folder: its files by path, and what was left out although a person may expect it to be read. */
export type Walk = { files: WalkedFile[]; leftOut: LeftOut[] }

type LeftOut = { path: string; reason: Problem }

/**
 * Lists the files of a brand folder that stand in one of its folders (`pages`, `files` …), in the order of their paths.
 * Symbolic links, devices, sockets and pipes are never followed or opened. Names that start with `.` or `_`, and
 * `node_modules`, are ignored, and so are files that operating systems write.
 *
 * @param root the brand folder, a real path (`realpath`)
 */
export async function walk(root: string, folder: string, signal: AbortSignal): Promise<Walk> {
  const found: Walk = { files: [], leftOut: [] }
  await walkInto(root, folder, found, signal)
  found.files.sort((a, b) => compareStrings(a.path, b.path))
  return found
}

/** Whether a name is ignored without a finding. */
export function isIgnored(name: string): boolean {
  return name.startsWith('.') || name.startsWith('_') || name === 'node_modules' || SYSTEM_FILE.test(name)
}

/** Files that Windows, macOS and Office write into folders by themselves. */
const SYSTEM_FILE = /^(?:(?:eh)?thumbs\.db|desktop\.ini|icon\r|~\$.*)$/i

async function walkInto(root: string, path: string, found: Walk, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  for (const folder of await listFolder(root, path, found)) await walkInto(root, folder, found, signal)
}

/** Adds the files of one folder, and returns the paths of the folders in it. */
async function listFolder(root: string, path: string, found: Walk): Promise<string[]> {
  const folders: string[] = []
  try {
    using folder = openFolder(join(root, path))
    for (const entry of await entriesOf(folder)) {
      if (isIgnored(entry.name)) continue
      const inside = path === '' ? entry.name : `${path}/${entry.name}`
      if (isUnusableName(entry.name))
        found.leftOut.push({ path: inside, reason: problem('name-unusable', UNUSABLE_NAME) })
      else if (entry.isDirectory()) folders.push(inside)
      else if (entry.isFile()) addFile(folder, entry.name, inside, found)
      else found.leftOut.push({ path: inside, reason: problem('not-followed', notFollowed(entry)) })
    }
  } catch (error) {
    found.leftOut.push({ path, reason: unreadableProblem(error, path) })
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
    found.leftOut.push({ path, reason: unreadableProblem(error, path) })
  }
}

/** Control characters break lines and URLs. U+FFFD is what Node gives for bytes that are not UTF-8. */
export function isUnusableName(name: string): boolean {
  return /[\p{Cc}\uFFFD]/u.test(name)
}

export const UNUSABLE_NAME = 'its name has control characters or is not UTF-8, so it is left out: rename it'

function notFollowed(entry: Dirent): string {
  const kind = entry.isSymbolicLink() ? 'a symbolic link' : entry.isFIFO() ? 'a pipe' : 'not a plain file'
  return `is ${kind} and is left out: put the file itself in its place`
}
