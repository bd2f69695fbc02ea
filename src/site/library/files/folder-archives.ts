import { type BrandFile, folderOf } from '#brand/file.ts'
import { perObject } from '#platform/base/object.ts'
import { usableFiles } from '#serving/publications/library.ts'
import type { Guide } from '../../guide/guide.ts'
import { type Html, html, type Word } from '../../html.ts'

/** The link to the archive of all files of the library that may be used. */
export async function archiveOfAll(guide: Guide): Promise<Html> {
  const sizes = await librarySizes(guide)
  const size = guide.words.bytes((sizes.get('files')?.bytes ?? 0) + (sizes.get('pages')?.bytes ?? 0))
  const address = guide.site.paths.folder(guide.publication.record, wholeFolder(sizes))
  return html`<p class="archive"><a href="${address}" download>${guide.words.files.downloadAll({ size })}</a></p>`
}

/** The link to the archive of a folder with this title; false if the folder offers none. */
export function archiveLink(guide: Guide, folder: string, title: Word, sizes: FolderSizes): Html | false {
  const { site, words, publication } = guide
  if (!hasArchive(folder, sizes)) return false
  const size = words.bytes(sizes.get(folder)?.bytes ?? 0)
  const label = words.files.downloadFolder({ folder: `${title}`, size })
  const address = site.paths.folder(publication.record, folder)
  return html`<a href="${address}" download aria-label="${label}">${words.list(['ZIP', size])}</a>\n`
}

/** Whether a folder offers an archive. Folders with the same files have the same archive, which only the lowest one offers. */
function hasArchive(folder: string, sizes: FolderSizes): boolean {
  return (
    folder.startsWith('files/') &&
    sizes.has(folder) &&
    lowestFolder(sizes, folder) === folder &&
    folder !== wholeFolder(sizes)
  )
}

/** The lowest folder with all files of the library; `files` if some are below `pages`. */
function wholeFolder(sizes: FolderSizes): string {
  return sizes.has('pages') ? 'files' : lowestFolder(sizes, 'files')
}

/** The sizes of the folders of a guide's library, without files that may no longer be used. */
export async function librarySizes({ publication }: Guide): Promise<FolderSizes> {
  return folderSizes(await usableFiles(publication.content, 'library'))
}

type FolderSizes = ReadonlyMap<string, FolderSize>

/** The bytes and the number of files in each folder of some files, including its subfolders; computed once for a map. */
const folderSizes = perObject((files: ReadonlyMap<string, BrandFile>) => {
  const sizes = new Map<string, FolderSize>()
  for (const { path, size } of files.values()) {
    for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder)) {
      const { bytes, count } = sizes.get(folder) ?? NO_FILES
      sizes.set(folder, { bytes: bytes + size, count: count + 1 })
    }
  }
  return sizes
})

type FolderSize = { bytes: number; count: number }

const NO_FILES: FolderSize = { bytes: 0, count: 0 }

/** The lowest folder with all files below a folder: `files/brand/logo` for `files/brand` if that has no other files. */
function lowestFolder(sizes: FolderSizes, folder: string): string {
  const count = sizes.get(folder)?.count
  const child = sizes.keys().find(each => folderOf(each) === folder && sizes.get(each)?.count === count)
  return child === undefined ? folder : lowestFolder(sizes, child)
}
