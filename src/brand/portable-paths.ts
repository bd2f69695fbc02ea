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
  const taken = new Map<string, 'file' | 'folder'>()
  /** The folders that have files and the wanted names: further files there are checked only by their own names. */
  const settled = new Set<string>()
  /** The next number to try for a path, so that many identical paths do not take quadratic time. */
  const numbers = new Map<string, number>()
  const nextNumber = (path: string): number => {
    const number = numbers.get(foldPath(path)) ?? 2
    numbers.set(foldPath(path), number + 1)
    return number
  }
  const folders = new Map<string, string>()
  /** Renames folders in a path whose names belong to files. */
  const withFolders = (path: string): string => {
    const names = path.split('/')
    const name = names.pop() ?? ''
    let folder = ''
    for (const each of names) {
      const wanted = folder + each
      let path = folders.get(wanted) ?? wanted
      while (taken.get(foldPath(path)) === 'file') path = `${wanted}~${nextNumber(wanted)}`
      folders.set(wanted, path)
      folder = `${path}/`
    }
    return folder + name
  }
  return {
    take: wanted => {
      const folder = folderOf(wanted)
      const isSettled = settled.has(folder)
      const portable = isSettled
        ? folder + safeName(wanted.slice(folder.length))
        : wanted.split('/').map(safeName).join('/')
      let path = isSettled ? portable : withFolders(portable)
      while (taken.has(foldPath(path))) path = withFolders(withNumber(portable, nextNumber(portable)))
      taken.set(foldPath(path), 'file')
      if (settled.has(folderOf(path))) return path
      for (const each of foldersAbove(path)) taken.set(foldPath(each), 'folder')
      if (folderOf(path) === folder) settled.add(folder)
      return path
    },
  }
}

/** Maps paths to one string if some disks treat them as one path. */
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
  const [, stem = path, extension = ''] = groupsOf(/^(.*[^/])(\.[^./]*)$/s, path)
  return `${stem}~${number}${extension}`
}

/** A file name that every system allows: without forbidden characters, not a device name, and not too long. */
export function safeName(name: string): string {
  const plain = name.replace(FORBIDDEN, '_').replace(/(?<![. ])[. ]+$/, '_')
  const allowed = RESERVED.test(plain) ? plain.replace(/^[^.]*/, '$&_') : plain
  if (Buffer.byteLength(allowed) <= MAX_NAME) return allowed
  const extension = groupsOf(/\.[^.]{1,12}$/, allowed)[0] ?? ''
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 12)
  return `${Buffer.from(allowed)
    .subarray(0, MAX_NAME / 2)
    .toString()
    .replace(/\ufffd+$/, '')}~${hash}${extension}`
}

const FORBIDDEN = /[<>:"|?*\\\p{Cc}]/gu
const RESERVED = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i
/** Bytes of UTF-8. Most disks allow 255, but a number may follow. */
const MAX_NAME = 240

/** File names for copies in one folder, which work on any disk. `taken` are the names of existing files. */
export function assignCopyNames(files: Iterable<BrandFile>, taken: readonly string[]): ReadonlyMap<BrandFile, string> {
  const { take } = openPathAllocator()
  for (const name of taken) take(name)
  return new Map(Array.from(new Set(files), file => [file, take(filename(file.path))]))
}
