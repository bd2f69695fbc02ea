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
import { dirname } from 'node:path'
import { CHANGED, codeOf, orUnreadable, Unreadable } from './unreadable.ts'

/** A folder that is open: closed at the end of the block that has it with `using`. */
export type OpenFolder = {
  /** Leads to the folder that is open, whatever replaces it at its path meanwhile. */
  place: string
  /** The path that it was opened at. */
  path: string
  descriptor: number
} & Disposable

/**
 * Opens a folder, never what a symbolic link leads to, and proves that it stands at this path, which is a real one
 * (`realpath`). Throws `Unreadable`.
 */
export function openFolder(path: string): OpenFolder {
  return orUnreadable(() => {
    const descriptor = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
    const close = () => closeSync(descriptor)
    try {
      proveStanding(descriptor, path)
    } catch (error) {
      close()
      throw error
    }
    return { place: HAS_PROC ? linkOf(descriptor) : path, path, descriptor, [Symbol.dispose]: close }
  })
}

/** What stands in an open folder. Throws `Unreadable`. */
export async function entriesOf({ place, path, descriptor }: OpenFolder): Promise<Dirent[]> {
  try {
    const entries = await readdir(place, { withFileTypes: true })
    if (!HAS_PROC) proveStanding(descriptor, path)
    return entries
  } catch (error) {
    throw error instanceof Unreadable ? error : new Unreadable(codeOf(error), { cause: error })
  }
}

/** What is known of a file or folder in an open folder; of a symbolic link, of the link itself. Throws `Unreadable`. */
export function statIn({ place }: OpenFolder, name: string): Stats {
  return orUnreadable(() => lstatSync(`${place}/${name}`))
}

/**
 * Proves that what was opened stands in the folder that its path names: that no folder on the way there has become a
 * symbolic link before it was opened. Linux says where it stands; elsewhere the path is looked up once more, which
 * gives the same file only if it was this one. Throws `Unreadable`.
 */
export function proveStanding(descriptor: number, path: string): void {
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
