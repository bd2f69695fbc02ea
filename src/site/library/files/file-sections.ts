import { folderOf, isExpired } from '#brand/file.ts'
import type { FormatGroup } from '#brand/library.ts'
import { countFiles, type Library, usableFiles } from '#serving/publications/library.ts'
import type { Guide } from '../../guide/guide.ts'
import { type Html, html } from '../../html.ts'
import { colorIn, colorList } from '../colors/color-list.ts'
import { fontSamples } from '../type/font-sample.ts'
import { fileCard, isOnGround, itemPictures, pictureTile, sharedRights } from './file-card.ts'
import { folderPath } from './file-list.ts'
import {
  folderSizes,
  isShownAsPicture,
  type LibraryItem,
  libraryItem,
  lowestFolder,
  openFolderNotes,
} from './library-item.ts'

/** The cards of items by folder, and the parts of style sheets that they need. */
type FileSections = {
  sections: readonly Html[]
  hasGrounds: boolean
  hasFonts: boolean
  /** How long to cache them if a part could not be read. */
  keptMs: number | undefined
}

/**
 * The cards of some items of a library, in sections by folder; expired items come last. The section of the folder `own`,
 * whose page this is, has no heading.
 */
export async function fileSections(
  guide: Guide,
  library: Library,
  groups: readonly FormatGroup[],
  own?: string,
): Promise<FileSections> {
  const today = guide.publication.content.today()
  const items = groups.map(libraryItem)
  const pictures = await itemPictures(guide, items)
  const colors = items.some(({ ground }) => ground !== undefined) ? await colorList(guide) : undefined
  const fonts = items.flatMap(({ shown, preview }) => (preview?.kind === 'font' ? [shown] : []))
  const { sampleOf, keptMs } = await fontSamples(guide, fonts)
  const lists = new Map<string, Html>()
  const folderOfItem = ({ first }: LibraryItem) => (isExpired(first, today) ? EXPIRED : library.folderOf([first]))
  for (const [folder, within] of Map.groupBy(items, folderOfItem)) {
    const rights = folder === EXPIRED ? undefined : sharedRights(guide, within)
    const cards = within.map(item => {
      const ground = colors && colorIn(colors, item.ground)?.hex
      return fileCard(guide, item, { ground, pictures, sampleOf, hasRights: !rights, library })
    })
    lists.set(folder, html`${rights}<ul class="files">\n${cards}</ul>`)
  }
  return {
    sections: await folderSections(guide, lists, own),
    hasGrounds: items.some(item => isOnGround(item, pictures)),
    hasFonts: fonts.length > 0,
    keptMs,
  }
}

/** The section of expired files of all folders. */
const EXPIRED = ''

/**
 * A section for each folder. Folders with the same title, and folders below a described one without a section, also name
 * the folder above, unless that is `files`. The first section below such a folder has its description.
 */
async function folderSections(guide: Guide, lists: ReadonlyMap<string, Html>, own?: string): Promise<Html[]> {
  const { site, words, publication } = guide
  const sizes = folderSizes(await usableFiles(publication.content, 'library'))
  const { notes, titleOf } = await openFolderNotes(guide)
  const titles = Map.groupBy(lists.keys(), folder => `${titleOf(folder)}`)
  const described = new Set<string>()
  return Array.from(lists, ([folder, list]) => {
    const title = folder === EXPIRED ? words.files.expired : titleOf(folder)
    const parent = folderOf(folder)
    const outer = lists.has(parent) ? undefined : notes.get(parent)
    const isShared = (titles.get(`${title}`)?.length ?? 0) > 1 && parent !== 'files' && folder.includes('/')
    const size = words.bytes(sizes.get(folder)?.bytes ?? 0)
    const hasArchive =
      folder.startsWith('files/') &&
      sizes.has(folder) &&
      lowestFolder(sizes, folder) === folder &&
      folder !== wholeFolder(sizes)
    const kit =
      hasArchive &&
      html`<a href="${site.paths.folder(publication.record, folder)}" download aria-label="${words.files.downloadFolder({ folder: `${title}`, size })}">${words.list(['ZIP', size])}</a>\n`
    const description = [!described.has(parent) && outer?.description, notes.get(folder)?.description]
    described.add(parent)
    return html`<section class="folder">
${folder !== own && html`<h2>${title}</h2>\n`}${(isShared || outer?.title !== undefined) && html`<p class="above">${titleOf(parent)}</p>\n`}${kit}${description.map(text => text && html`<p class="note">${text}</p>\n`)}${list}
</section>
`
  })
}

/** Links to folders, each with its title, the folder above, the number of its files, and the first picture. */
export async function folderTiles(
  guide: Guide,
  folders: readonly (readonly [path: string, groups: readonly FormatGroup[]])[],
): Promise<Html> {
  const { words, publication } = guide
  const { titleOf } = await openFolderNotes(guide)
  const covers = folders.map(([, groups]) => coverOf(groups))
  const pictures = await itemPictures(
    guide,
    covers.flatMap(item => item ?? []),
  )
  const colors = await colorList(guide)
  const tiles = folders.map(([path, groups], at) => {
    const [item, parent] = [covers[at], folderOf(path)]
    const ground = colorIn(colors, item?.ground)?.hex
    const count = words.files.count({ count: countFiles(groups, publication.content.today()) })
    const above = parent === '' || parent === 'files' ? '' : titleOf(parent)
    return html`<li><a href="${folderPath(guide, path)}">${item && pictureTile(guide, item, { ground, pictures })}<span class="file-name">${titleOf(path)}</span></a>
<p class="quiet">${words.list([above, count])}</p></li>
`
  })
  return html`<section class="folder"><ul class="files folders">
${tiles}</ul></section>
`
}

/** The first item that is shown as a picture, else the first one, without a description. */
function coverOf(groups: readonly FormatGroup[]): LibraryItem | undefined {
  const [first] = groups
  const item = Iterator.from(groups).map(libraryItem).find(isShownAsPicture) ?? (first && libraryItem(first))
  return item?.preview?.kind === 'picture' ? { ...item, preview: { ...item.preview, description: '' } } : item
}

/** The lowest folder with all files of the library, if they are all below `files`. */
export function wholeFolder(sizes: FolderSizes): string {
  return sizes.has('pages') ? 'files' : lowestFolder(sizes, 'files')
}

type FolderSizes = ReturnType<typeof folderSizes>
