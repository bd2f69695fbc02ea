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
import { lazy } from '#platform/base/object.ts'
import { identityOf } from './file-version.ts'
import type { Findings } from './findings.ts'
import { CHANGED, codeOf, orUnreadable, Unreadable, unreadableProblem } from './unreadable.ts'

/** An open folder. Declare it with `using`: it is closed at the end of the block. */
export type OpenFolder = {
  /** A path to the open folder. On Linux it stays valid even if the folder is replaced; elsewhere it is `path`. */
  place: string
  path: string
  descriptor: number
} & Disposable

/**
 * Opens a folder, and verifies that it is at this path, which must be a real path (`realpath`). Does not follow
 * symbolic links: anyone who can write to the folder may replace a parent by one, `O_NOFOLLOW` checks only the last name,
 * and Node has no `openat`. Only `/proc/self/fd` lists the folder that was opened. Mounts and hard links are allowed,
 * because containers mount brand folders. Throws `Unreadable`.
 */
export function openFolder(path: string): OpenFolder {
  return orUnreadable(() => {
    using opened = new DisposableStack() // Closes the folder if a check fails; otherwise the caller closes it.
    const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW
    const descriptor = opened.adopt(openSync(path, flags), closeSync)
    proveLocation(descriptor, path)
    const owned = opened.move()
    return {
      place: system().hasProc ? linkOf(descriptor) : path,
      path,
      descriptor,
      [Symbol.dispose]: () => owned.dispose(),
    }
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
    if (!system().hasProc) proveLocation(descriptor, path)
    return entries
  } catch (error) {
    throw error instanceof Unreadable ? error : new Unreadable(codeOf(error), { cause: error })
  }
}

/** The stats of an entry of an open folder, without following symbolic links. Throws `Unreadable`. */
export function statIn({ place }: OpenFolder, name: string): Stats {
  return orUnreadable(() => lstatSync(`${place}/${name}`))
}

/**
 * Verifies that an open file or folder is in the folder that its path names, and that no parent was replaced by a
 * symbolic link. Linux reports the real path of an open file. Other systems look up the path again and compare. Throws
 * `Unreadable`.
 */
export function proveLocation(descriptor: number, path: string): void {
  const folder = dirname(path)
  const isInPlace = system().hasProc
    ? dirname(readlinkSync(linkOf(descriptor))) === folder
    : realpathSync.native(folder) === folder && identityOf(lstatSync(path)) === identityOf(fstatSync(descriptor))
  if (!isInPlace) throw new Unreadable(CHANGED)
}

/** Asked on first use, because a sandboxed process that reads only texts may not. */
const system = lazy(() => ({ hasProc: existsSync('/proc/self/fd') }))

function linkOf(descriptor: number): string {
  return `/proc/self/fd/${descriptor}`
}
