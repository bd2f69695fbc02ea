import { foldPath } from '#brand/portable-paths.ts'
import { isIgnored } from '#intake/folder/walk.ts'
import { failed, ok } from '#platform/base/result.ts'
import { quote } from '#platform/base/text.ts'
import type { GitProblem, GitResult } from '../program/git-problem.ts'
import { type GitRunner, StoppedGit, streamGit } from '../program/run-git.ts'
import { mirrorProblem } from './mirror.ts'

/** The path is relative to the brand folder, in bytes. */
export type TreeEntry = { path: Buffer; hash: string; size: number; isLink: boolean }

/** The content of a commit. The paths of submodules are relative to the brand folder, too. */
export type Tree = { entries: TreeEntry[]; submodules: string[] }

export type TreeLimits = { entries: number; depth: number; bytes: number }

/** Lists files without reading them. Refuses trees that could write outside their folder, or without end. */
export async function listTree(
  mirror: GitRunner,
  { url, tree }: { url: string; tree: string },
  limits: TreeLimits,
): Promise<GitResult<Tree>> {
  const listing: Tree = { entries: [], submodules: [] }
  const check = pathCheck(limits, listing)
  const listed = await streamGit(mirror, LIST(tree), {}, async ({ input, output }) => {
    input.end()
    let rest: Buffer = Buffer.alloc(0)
    for await (const chunk of output) {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      let start = 0
      for (let end = rest.indexOf(0); end !== -1; end = rest.indexOf(0, start)) {
        check(parseEntry(rest.subarray(start, end)))
        start = end + 1
      }
      rest = rest.subarray(start)
      if (rest.length > MAX_PATH * 2) throw stopListing('git_unsafe', 'a path is too long', 'shorten it')
    }
  })
  if (listed.ok) return ok(listing)
  const { problem } = listed
  if (problem.kind === 'slow') return failed(unreadable('it has too many folders', 'remove the folders without files'))
  return failed(mirrorProblem(url, problem))
}

const LIST = (tree: string) => ['ls-tree', '-r', '-z', '-l', '--full-tree', '--end-of-options', tree]

type WrittenEntry = TreeEntry & { mode: string }

/** `100644 blob 45b983… 3<tab>pages/index.md`; the size of a submodule is `-`. */
function parseEntry(line: Buffer): WrittenEntry {
  const tab = line.indexOf(TAB)
  const [mode = '', , hash = '', size] = line.subarray(0, tab).toString('latin1').split(/ +/)
  return { mode, hash, size: Number(size), isLink: mode === LINK, path: Buffer.from(line.subarray(tab + 1)) }
}

export function submoduleReason(path: string): string {
  return `${path} is a submodule, whose files are not read`
}

export const SUBMODULE_FIX = "add its files to the repository itself, or follow the submodule's own repository"

const TAB = 9
const LINK = '120000'
const SUBMODULE = '160000'

/** Checks entries one after the other. Adds entries to the listing unless an import ignores them. */
function pathCheck(limits: TreeLimits, { entries, submodules }: Tree): (entry: WrittenEntry) => void {
  const claim = pathClaims(limits.depth)
  let count = 0
  let bytes = 0
  return ({ mode, ...entry }) => {
    const path = entry.path.toString()
    count++
    if (count > limits.entries) throw stopListing('git_too_large', `it has more than ${limits.entries} files`, FEWER)
    if (entry.path.length > MAX_PATH) throw stopListing('git_unsafe', `${quote(path)} is too long`, 'shorten it')
    if (!claim(path)) return
    if (mode === SUBMODULE) {
      submodules.push(path)
      return
    }
    if (!Number.isSafeInteger(entry.size)) throw stopListing('git_unsafe', `${quote(path)} has no size`, 'remove it')
    bytes += entry.size
    if (bytes > limits.bytes)
      throw stopListing('git_too_large', `its files have more than ${limits.bytes} bytes`, LARGER)
    entries.push(entry)
  }
}

/**
 * Makes a function that claims paths one after the other, and their folders with them. It refuses a path that a disk would
 * confuse with an earlier one, such as `Logo.svg` and `logo.svg`, and returns whether an import reads the path.
 */
function pathClaims(maxDepth: number): (path: string) => boolean {
  /** The paths so far, by how a disk may confuse them. */
  const claimed = new Map<string, string>()
  /** The claimed folders, and whether an import reads them. */
  const folders = new Map<string, boolean>([['', true]])
  const claimOne = (path: string, name: string) => {
    if (isUnsafeName(name)) throw stopListing('git_unsafe', `${quote(path)} has the name ${quote(name)}`, 'remove it')
    const folded = foldPath(path)
    const claimant = claimed.get(folded)
    if (claimant !== undefined) throw collision(claimant, path)
    claimed.set(folded, path)
  }
  const claimFolder = (path: string): boolean => {
    const wasRead = folders.get(path)
    if (wasRead !== undefined) return wasRead
    const isRead = claimIn(path)
    folders.set(path, isRead)
    return isRead
  }
  const claimIn = (path: string) => {
    const slash = path.lastIndexOf('/')
    const name = path.slice(slash + 1)
    const isFolderRead = claimFolder(path.slice(0, Math.max(slash, 0)))
    claimOne(path, name)
    return isFolderRead && !isIgnored(name)
  }
  return path => {
    if (path.split('/').length > maxDepth) throw stopListing('git_unsafe', `${quote(path)} is too deep`, 'move it up')
    return claimIn(path)
  }
}

const FEWER = 'remove some, or name the brand folder with --path'
const LARGER = 'remove some, name the brand folder with --path, or raise --max-git'

/** Linux allows 4096 bytes for a whole path, and 255 for a name. */
const MAX_PATH = 2048

/** Also finds the forms of `.git` that `core.protectHFS` and `core.protectNTFS` protect from. */
export function isUnsafeName(name: string): boolean {
  if (name === '' || name === '.' || name === '..' || Buffer.byteLength(name) > MAX_NAME) return true
  const plain = name.replace(/[\p{Cf}\ufffe\uffff]/gu, '').toLowerCase()
  return /^(?:\.git|git~1)[ .]*(?::.*)?$/s.test(plain) || /(?:^|\\)\.{1,2}(?:$|\\)|\\\.git/.test(plain)
}

const MAX_NAME = 255

function collision(one: string, other: string): StoppedGit {
  const what = `${quote(one)} and ${quote(other)} are the same path on some disks`
  return stopListing('git_unsafe', what, 'rename one')
}

function stopListing(code: GitProblem['code'], why: string, fix: string): StoppedGit {
  return new StoppedGit({ ...unreadable(why, fix), code })
}

function unreadable(why: string, fix: string): GitProblem {
  return { code: 'git_unsafe', message: `cannot check out the commit: ${why}; ${fix}` }
}
