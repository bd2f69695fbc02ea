import type { FormatGroup } from '#brand/library.ts'
import { countFiles, type Library } from '#serving/publications/library.ts'
import type { Guide } from '../../guide/guide.ts'
import { type Html, html } from '../../html.ts'
import { itemTiles } from './file-card.ts'
import { filePath, folderPath } from './file-list.ts'
import { openFolderNotes } from './folder-names.ts'
import { isPictured, type LibraryItem, libraryItem } from './library-item.ts'

/** A folder with its items. */
export type FolderEntry = readonly [path: string, groups: readonly FormatGroup[]]

/**
 * Covers with the first pictures of folders, their title, the folder above, and the number of files. They link to the
 * folder, or to its only file.
 */
export async function folderCovers(
  guide: Guide,
  library: Library,
  folders: readonly FolderEntry[],
): Promise<{ list: Html; hasFonts: boolean; keptMs: number | undefined }> {
  const { words, publication } = guide
  const { titleOf, aboveOf } = await openFolderNotes(guide)
  /** The items on the cover of each folder. */
  const covers = folders.map(([, groups]) => coversOf(groups.slice(0, MAX_READ).map(group => libraryItem(group))))
  const { tileOf, ...needs } = await itemTiles(guide, covers.flat())
  const links = folders.map(([path, groups], at) => {
    const [first, ...others] = groups
    const address =
      first && others.length === 0 ? filePath(guide, library, libraryItem(first).shown) : folderPath(guide, path)
    const tiles = covers[at]?.map(tileOf)
    const count = words.files.count({ count: countFiles(groups, publication.content.today()) })
    return html`<li><a href="${address}"><span class="folder-cover">${tiles}</span><span class="folder-name">${titleOf(path)}</span></a>
<p>${words.list([aboveOf(path), count])}</p></li>
`
  })
  return { list: html`<ul class="covers">\n${links}</ul>\n`, ...needs }
}

/** The first items that are shown as pictures or films, else the first one, without descriptions. */
function coversOf(items: readonly LibraryItem[]): readonly LibraryItem[] {
  const pictured = items.filter(isPictured).slice(0, MAX_ON_COVER)
  const covers = pictured.length > 0 ? pictured : items.slice(0, 1)
  return covers.map(item =>
    item.preview?.kind === 'picture' ? { ...item, preview: { ...item.preview, description: '' } } : item,
  )
}

const MAX_ON_COVER = 3
/** The number of items in which a folder looks for pictures. */
const MAX_READ = 100
