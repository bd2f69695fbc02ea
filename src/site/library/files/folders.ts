import { yieldIfDue } from '../../../base/steps.ts'
import { folderOf } from '../../../brand/file.ts'
import type { Library } from '../../../serving/publications/library.ts'
import type { Words } from '../../words/words.ts'

/** The title of a folder of files, in words: `Logo / Print` of `files/logo/print`, `General` of `files` itself. */
export function folderTitle({ files, pages }: Words, folder: string): string {
  const [top, ...below] = folder.split('/')
  const titles = [...(top === 'pages' ? [pages.pages] : []), ...below.map(inWords)]
  return titles.length === 0 ? files.general : titles.join(' / ')
}

/** `colour-sheets` as `Colour sheets`. Names with a capital stay as they are: `iOS`. */
function inWords(name: string): string {
  const words = name.replace(/[-_]+/g, ' ').trim()
  if (words === '') return name
  return words === words.toLowerCase() ? words.charAt(0).toUpperCase() + words.slice(1) : words
}

/** How many bytes there are in each folder of a library, with those of its folders; made once for a library. */
export async function folderSizes(library: Library): Promise<ReadonlyMap<string, number>> {
  const known = sizes.get(library)
  if (known) return known
  const found = new Map<string, number>()
  for (const { path, size } of library.files.values()) {
    for (let folder = folderOf(path); folder !== ''; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
      found.set(folder, (found.get(folder) ?? 0) + size)
      const turn = yieldIfDue()
      if (turn) await turn
    }
  }
  sizes.set(library, found)
  return found
}

const sizes = new WeakMap<Library, ReadonlyMap<string, number>>()
