import {
  closeSync,
  constants,
  type Dirent,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
  type Stats,
} from 'node:fs'
import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Findings } from './findings.ts'
import { CHANGED, codeOf, orUnreadable, Unreadable, unreadableProblem } from './unreadable.ts'

/** An open folder. Declare it with `using`: it is closed at the end of the block. */
export type OpenFolder = {
  /** A path that leads to the open folder even if another has taken its place. */
  place: string
  /** The path that it was opened by. */
  path: string
  descriptor: number
} & Disposable

/**
 * Opens a folder, and proves that it stands at this path, which is a real one (`realpath`). Symbolic links are not
 * followed. Throws `Unreadable`.
 */
export function openFolder(path: string): OpenFolder {
  return orUnreadable(() => {
    const descriptor = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
    const close = () => closeSync(descriptor)
    try {
      proveLocation(descriptor, path)
    } catch (error) {
      close()
      throw error
    }
    return { place: HAS_PROC ? linkOf(descriptor) : path, path, descriptor, [Symbol.dispose]: close }
  })
}

/** The entries of a folder at this path in the brand folder. Undefined, with a finding, if it cannot be read. */
export async function readEntries(
  root: string,
  path: string,
  project: string | null,
  findings: Findings,
): Promise<Dirent[] | undefined> {
  try {
    using folder = openFolder(join(root, path))
    return await entriesOf(folder)
  } catch (error) {
    findings.add(project, path || '.', unreadableProblem(error, path || root))
    return undefined
  }
}

/** The entries of an open folder. Throws `Unreadable`. */
export async function entriesOf({ place, path, descriptor }: OpenFolder): Promise<Dirent[]> {
  try {
    const entries = await readdir(place, { withFileTypes: true })
    if (!HAS_PROC) proveLocation(descriptor, path)
    return entries
  } catch (error) {
    throw error instanceof Unreadable ? error : new Unreadable(codeOf(error), { cause: error })
  }
}

/** The state of an entry of an open folder; symbolic links are not followed. Throws `Unreadable`. */
export function statIn({ place }: OpenFolder, name: string): Stats {
  return orUnreadable(() => lstatSync(`${place}/${name}`))
}

/**
 * Proves that what was opened stands in the folder that its path names: no folder on the way may have been replaced by
 * a symbolic link. Linux tells where an open file stands. Elsewhere the path is looked up again, and has to lead to
 * the same file. Throws `Unreadable`.
 */
export function proveLocation(descriptor: number, path: string): void {
  const folder = dirname(path)
  const isThere = HAS_PROC
    ? dirname(readlinkSync(linkOf(descriptor))) === folder
    : realpathSync.native(folder) === folder && isSame(lstatSync(path), fstatSync(descriptor))
  if (!isThere) throw new Unreadable(CHANGED)
}

const HAS_PROC = existsSync('/proc/self/fd')

function linkOf(descriptor: number): string {
  return `/proc/self/fd/${descriptor}`
}

function isSame(a: Stats, b: Stats): boolean {
  return a.dev === b.dev && a.ino === b.ino
}
