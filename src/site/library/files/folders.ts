import { perObject } from '../../../base/object.ts'
import { type BrandFile, folderOf } from '../../../brand/file.ts'
import { joinWords, type Word } from '../../html.ts'
import type { Words } from '../../words/words.ts'

/** The readable title of a folder: `Logo / Print` for `files/logo/print`, `General` for `files`. */
export function folderTitle({ files, pages }: Words, folder: string): Word {
  const [top, ...below] = folder.split('/')
  const titles = [...(top === 'pages' ? [pages.pages] : []), ...below.map(readableName)]
  return titles.length === 0 ? files.general : joinWords(titles, ' / ')
}

/** Converts `colour-sheets` to `Colour sheets`. Names with a capital keep their letters: `iOS`. */
export function readableName(name: string): string {
  const words = name.replace(/[-_]+/g, ' ').trim()
  if (words === '') return name
  return words === words.toLowerCase() ? words.charAt(0).toUpperCase() + words.slice(1) : words
}

/** The bytes in each folder of some files, including its subfolders; computed once for a map. */
export const folderSizes = perObject((files: ReadonlyMap<string, BrandFile>) => {
  const sizes = new Map<string, number>()
  for (const { path, size } of files.values()) {
    for (let folder = folderOf(path); folder !== ''; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
      sizes.set(folder, (sizes.get(folder) ?? 0) + size)
    }
  }
  return sizes
})
