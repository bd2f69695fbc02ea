import { createHash } from 'node:crypto'

/** The paths of the files in a folder or an archive: with `/`, each for one file on any disk. */
export type PathAllocator = {
  /** Gives a file a path like the one that is wanted; another if that is taken, or some disks could not have it. */
  take: (wanted: string) => string
}

/**
 * Opens an empty folder. Two paths that differ in case or in how letters are composed are one path to some disks, and
 * some names are forbidden by Windows ("Naming Files, Paths, and Namespaces").
 */
export function openPathAllocator(): PathAllocator {
  const taken = new Map<string, 'file' | 'folder'>()
  /** The next number to try for a path, so that many equal paths take no more time than others. */
  const numbers = new Map<string, number>()
  const nextNumber = (path: string): number => {
    const number = numbers.get(folded(path)) ?? 2
    numbers.set(folded(path), number + 1)
    return number
  }
  const folders = new Map<string, string>()
  /** A path whose folders are no files. */
  const withFolders = (path: string): string => {
    const names = path.split('/')
    const name = names.pop() ?? ''
    let folder = ''
    for (const each of names) {
      const wanted = folder + each
      let path = folders.get(wanted) ?? wanted
      while (taken.get(folded(path)) === 'file') path = `${wanted}~${nextNumber(wanted)}`
      folders.set(wanted, path)
      folder = `${path}/`
    }
    return folder + name
  }
  return {
    take: wanted => {
      const usual = wanted.split('/').map(safeName).join('/')
      let path = withFolders(usual)
      while (taken.has(folded(path))) path = withFolders(numbered(usual, nextNumber(usual)))
      taken.set(folded(path), 'file')
      for (const folder of foldersOf(path)) taken.set(folded(folder), 'folder')
      return path
    },
  }
}

function folded(path: string): string {
  return path.normalize('NFKC').toLowerCase().toUpperCase()
}

function foldersOf(path: string): string[] {
  const names = path.split('/')
  return names.slice(1).map((_, at) => names.slice(0, at + 1).join('/'))
}

/** `logo.svg` as `logo~2.svg`, and `logo/index.html` as `logo~2/index.html`: the name of a page is that of its folder. */
function numbered(path: string, number: number): string {
  const page = /^(.+)(\/index\.html)$/s.exec(path)
  if (page) return `${page[1]}~${number}${page[2]}`
  const [, stem = path, extension = ''] = /^(.*[^/])(\.[^./]*)$/s.exec(path) ?? []
  return `${stem}~${number}${extension}`
}

/** A file name as every system can have it: without forbidden signs, not that of a device, and not too long. */
export function safeName(name: string): string {
  const plain = name.replace(FORBIDDEN, '_').replace(/[. ]+$/, '_')
  const free = RESERVED.test(plain) ? plain.replace(/^[^.]*/, '$&_') : plain
  if (Buffer.byteLength(free) <= MAX_NAME) return free
  const extension = /\.[^.]{1,12}$/.exec(free)?.[0] ?? ''
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 12)
  return `${Buffer.from(free)
    .subarray(0, MAX_NAME / 2)
    .toString()
    .replace(/\ufffd+$/, '')}~${hash}${extension}`
}

const FORBIDDEN = /[<>:"|?*\\\p{Cc}]/gu
const RESERVED = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i
/** Bytes of UTF-8: most disks allow 255, and a number may follow. */
const MAX_NAME = 240
