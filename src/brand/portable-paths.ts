import { createHash } from 'node:crypto'
import { groupsOf } from '#platform/base/text.ts'
import { type BrandFile, filename } from './file.ts'

/** Gives each file of a folder or an archive its own path with `/`, which works on any disk. */
export type PathAllocator = {
  /** Returns the wanted path, or a similar one if it is taken or some disks do not allow it. */
  take: (wanted: string) => string
}

/**
 * Opens an allocator for an empty folder. Some disks treat paths that differ only in case or Unicode composition as one
 * path, and Windows forbids some names ("Naming Files, Paths, and Namespaces"). An import accepts all of these, because
 * they are valid in git and their addresses work; archives, static copies and skills take their paths here.
 */
export function openPathAllocator(): PathAllocator {
  const taken: Taken = new Map()
  /** The folders that have files and kept their wanted names: of another file there, only its own name is checked. */
  const settledFolders = new Set<string>()
  const numberFor = pathNumbers()
  const inFolders = folderPaths(taken, numberFor)
  return {
    take: wanted => {
      const folder = folderOf(wanted)
      const isSettled = settledFolders.has(folder)
      const safePath = isSettled
        ? folder + safeName(wanted.slice(folder.length))
        : wanted.split('/').map(safeName).join('/')
      let path = isSettled ? safePath : inFolders(safePath)
      while (taken.has(foldPath(path))) path = inFolders(withNumber(safePath, numberFor(safePath)))
      taken.set(foldPath(path), 'file')
      if (settledFolders.has(folderOf(path))) return path
      for (const above of foldersAbove(path)) taken.set(foldPath(above), 'folder')
      if (folderOf(path) === folder) settledFolders.add(folder)
      return path
    },
  }
}

/** The paths of an allocator, by folded path (`foldPath`). */
type Taken = Map<string, 'file' | 'folder'>

/** Gives the next number to try for a path, so that many identical paths do not take quadratic time. */
function pathNumbers() {
  const nextNumbers = new Map<string, number>()
  return (path: string): number => {
    const number = nextNumbers.get(foldPath(path)) ?? 2
    nextNumbers.set(foldPath(path), number + 1)
    return number
  }
}

/** Gives a file its path below its folders' paths: `logo~2/mark.svg` for `logo/mark.svg`, if there is a file `logo`. */
function folderPaths(taken: Taken, numberFor: (path: string) => number) {
  /** The path of each folder, by the wanted one. */
  const paths = new Map<string, string>()
  /** The path of a folder, with a number if a file has the wanted one. */
  const folderPath = (wanted: string): string => {
    let path = paths.get(wanted) ?? wanted
    while (taken.get(foldPath(path)) === 'file') path = `${wanted}~${numberFor(wanted)}`
    paths.set(wanted, path)
    return path
  }
  return (path: string): string => {
    let folder = ''
    for (const name of path.split('/').slice(0, -1)) folder = `${folderPath(folder + name)}/`
    return folder + filename(path)
  }
}

/** Maps paths to one string if some disks treat them as one path, such as `Logo.svg` and `logo.svg`. */
export function foldPath(path: string): string {
  return path.normalize('NFKC').toLowerCase().toUpperCase()
}

/** Empty, or with a slash at its end. */
function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1)
}

/** The folders that a path is in, the outermost first. */
export function foldersAbove(path: string): string[] {
  const names = path.split('/')
  return names.slice(1).map((_, at) => names.slice(0, at + 1).join('/'))
}

/** `logo.svg` becomes `logo~2.svg`; a page is named by its folder: `logo/index.html` becomes `logo~2/index.html`. */
function withNumber(path: string, number: number): string {
  const page = /^(.+)(\/index\.html)$/s.exec(path)
  if (page) return `${page[1]}~${number}${page[2]}`
  // A name such as `.htaccess` is no extension.
  const [, stem = path, extension = ''] = groupsOf(/^(.*[^/])(\.[^./]*)$/s, path)
  return `${stem}~${number}${extension}`
}

/** A file name that every system allows: without forbidden characters, not a device name, and not too long. */
export function safeName(name: string): string {
  // Windows drops dots and spaces at the end.
  const plain = name.replace(FORBIDDEN, '_').replace(/(?<![. ])[. ]+$/, '_')
  const allowed = DEVICE.test(plain) ? plain.replace(/^[^.]*/, '$&_') : plain
  if (Buffer.byteLength(allowed) <= MAX_NAME) return allowed
  const extension = groupsOf(/\.[^.]{1,12}$/, allowed)[0] ?? ''
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 12)
  const startBytes = Buffer.from(allowed).subarray(0, MAX_NAME / 2)
  // The last character may have been cut.
  const start = startBytes.toString().replace(/\ufffd+$/, '')
  return `${start}~${hash}${extension}`
}

const FORBIDDEN = /[<>:"|?*\\\p{Cc}]/gu
/** The names of devices in Windows, also with an extension: `con`, `COM1.txt`. */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i
/** Bytes of UTF-8. Most disks allow 255, but a number may follow. */
const MAX_NAME = 240

/** A file name without the signs in front for which a brand folder ignores a file. */
export function visibleName(name: string): string {
  return name.replace(/^[._]+/, '')
}

/** File names for copies in one folder, which work on any disk. `taken` are the names of existing files. */
export function assignCopyNames(files: Iterable<BrandFile>, taken: readonly string[]): ReadonlyMap<BrandFile, string> {
  const { take } = openPathAllocator()
  for (const name of taken) take(name)
  return new Map(Array.from(new Set(files), file => [file, take(filename(file.path))]))
}
