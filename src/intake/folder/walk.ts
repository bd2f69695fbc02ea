import type { Dirent } from 'node:fs'
import { join, posix } from 'node:path'
import type { Problem } from '#brand/finding.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { compareStrings } from '#platform/base/text.ts'
import { fingerprintOf, identityOf } from './file-version.ts'
import { problem } from './findings.ts'
import { entriesOf, type OpenFolder, openFolder, statIn } from './open-folder.ts'
import { unreadableProblem } from './unreadable.ts'

export type WalkedFile = {
  /** Relative to the brand folder, with `/`. */
  path: string
  /** bytes */
  size: number
  /** Identifies the file, so that a file that replaces it is not read. */
  identity: string
  /** Changes when the file does; absent if the file has only just changed. */
  fingerprint?: string
}

/** The content of a folder: its files in path order, and skipped entries that a person may expect to be read. */
export type Walk = { files: WalkedFile[]; leftOut: LeftOut[] }

type LeftOut = { path: string; reason: Problem }

/**
 * Lists the files in one folder of a brand folder (`pages`, `files` …) in path order. Never follows or opens symbolic
 * links, devices, sockets or pipes. Ignores names that start with `.` or `_`, `node_modules`, and files that operating
 * systems create.
 *
 * @param root the real path (`realpath`) of the brand folder
 */
export async function walk(root: string, folder: string, signal: AbortSignal): Promise<Walk> {
  const listing: Walk = { files: [], leftOut: [] }
  await walkInto(root, folder, listing, signal)
  listing.files.sort((a, b) => compareStrings(a.path, b.path))
  return listing
}

/** Whether a name is ignored without a finding: `.git`, `_drafts`, `~$guide.docx`, `node_modules`, `Thumbs.db`. */
export function isIgnored(name: string): boolean {
  return IGNORED_STARTS.some(start => name.startsWith(start)) || IGNORED_NAMES.has(name.toLowerCase())
}

/** Files of Office begin with `~$`. */
const IGNORED_STARTS = ['.', '_', '~$']
/** Modules of Node, and files that Windows and macOS create on their own. */
const IGNORED_NAMES: ReadonlySet<string> = new Set([
  'node_modules',
  'thumbs.db',
  'ehthumbs.db',
  'desktop.ini',
  'icon\r',
])

async function walkInto(root: string, path: string, listing: Walk, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  for (const folder of await listFolder(root, path, listing)) await walkInto(root, folder, listing, signal)
}

/** Adds the files of one folder, and returns the paths of its subfolders. */
async function listFolder(root: string, path: string, listing: Walk): Promise<string[]> {
  const folders: string[] = []
  try {
    using folder = openFolder(join(root, path))
    for (const entry of await entriesOf(folder)) {
      if (isIgnored(entry.name)) continue
      const inside = posix.join(path, entry.name)
      if (isUnusableName(entry.name))
        listing.leftOut.push({ path: inside, reason: problem('name-unusable', UNUSABLE_NAME) })
      else if (entry.isDirectory()) folders.push(inside)
      else if (entry.isFile()) addFile(folder, entry.name, inside, listing)
      else listing.leftOut.push({ path: inside, reason: notFollowed(kindOf(entry)) })
    }
  } catch (error) {
    listing.leftOut.push({ path, reason: unreadableProblem(error, path) })
  }
  return folders
}

function addFile(folder: OpenFolder, name: string, path: string, listing: Walk): void {
  try {
    const now = Date.now()
    const stat = statIn(folder, name)
    const fingerprint = fingerprintOf(stat, now)
    listing.files.push(withoutUndefined({ path, size: stat.size, identity: identityOf(stat), fingerprint }))
  } catch (error) {
    listing.leftOut.push({ path, reason: unreadableProblem(error, path) })
  }
}

/** Control characters break lines and URLs. Node returns U+FFFD for bytes that are not UTF-8. */
export function isUnusableName(name: string): boolean {
  return /[\p{Cc}\uFFFD]/u.test(name)
}

export const UNUSABLE_NAME = 'its name has control characters or is not UTF-8, so it is skipped: rename it'

function kindOf(entry: Dirent): string {
  return entry.isSymbolicLink() ? 'a symbolic link' : entry.isFIFO() ? 'a pipe' : 'not a plain file'
}

export function notFollowed(kind: string): Problem {
  return problem('not-followed', `is ${kind} and is skipped: replace it with the file itself`)
}
