import { folderOf, isExpired } from '#brand/file.ts'
import type { FormatGroup } from '#brand/library.ts'
import { countFiles, type Library, usableFiles } from '#serving/publications/library.ts'
import type { Guide } from '../../guide/guide.ts'
import { type Html, html } from '../../html.ts'
import { colorIn, colorList } from '../colors/color-list.ts'
import { fontSamples } from '../type/font-sample.ts'
import { fileCard, isOnGround, itemPictures, pictureTile, sharedRights } from './file-card.ts'
import { type FileFolder, folderPath } from './file-folders.ts'
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
  const { content } = guide.publication
  const today = content.today()
  const folderOfItem = (group: FormatGroup) => (isExpired(group[0], today) ? EXPIRED : library.folderOf(group))
  const listed = groups.map(group => ({ folder: folderOfItem(group), item: libraryItem(group) }))
  const items = listed.map(({ item }) => item)
  const pictures = await itemPictures(guide, items)
  const colors = items.some(({ ground }) => ground !== undefined) ? await colorList(guide) : undefined
  const fonts = items.flatMap(({ shown, preview }) => (preview?.kind === 'font' ? [shown] : []))
  const { sampleOf, keptMs } = await fontSamples(guide, fonts)
  const folders = Map.groupBy(listed, ({ folder }) => folder)
  const shared = new Map<string, Html>()
  const cards = new Map<string, readonly Html[]>()
  for (const [folder, within] of folders) {
    const itemsThere = within.map(({ item }) => item)
    const rights = folder === EXPIRED ? undefined : sharedRights(guide, itemsThere)
    if (rights) shared.set(folder, rights)
    const made = itemsThere.map(item => {
      const ground = colors && colorIn(colors, item.ground)?.hex
      return fileCard(guide, item, { ground, pictures, sampleOf, hasRights: !rights, library })
    })
    cards.set(folder, made)
  }
  const sizes = folderSizes(await usableFiles(content, 'library'))
  return {
    sections: folderSections(guide, cards, { own, sizes, shared, ...(await openFolderNotes(guide)) }),
    hasGrounds: items.some(item => isOnGround(item, pictures)),
    hasFonts: fonts.length > 0,
    keptMs,
  }
}

/** Links to folders, each with its title, the number of its files, and the picture of the first that has one. */
export async function folderTiles(
  guide: Guide,
  all: ReadonlyMap<string, FileFolder>,
  folders: readonly FileFolder[],
): Promise<Html | undefined> {
  if (folders.length === 0) return undefined
  const { words, publication } = guide
  const { titleOf } = await openFolderNotes(guide)
  const covers = new Map(folders.map(folder => [folder, coverOf(folder)]))
  const pictures = await itemPictures(
    guide,
    [...covers.values()].flatMap(item => item ?? []),
  )
  const colors = await colorList(guide)
  const tiles = folders.map(folder => {
    const { path, groups } = folder
    const item = covers.get(folder)
    const ground = colorIn(colors, item?.ground)?.hex
    const count = countFiles(groups, publication.content.today())
    return html`<li><a href="${folderPath(guide, all, folder)}">${item && pictureTile(guide, item, { ground, pictures })}<span class="file-name">${titleOf(path)}</span></a>
<p class="quiet">${words.files.count({ count })}</p></li>
`
  })
  return html`<section class="folder"><ul class="files folders">
${tiles}</ul></section>
`
}

/** The first item of a folder that is shown as a picture, else its first one, without a description. */
function coverOf({ groups }: FileFolder): LibraryItem | undefined {
  const items = Iterator.from(groups).map(libraryItem)
  const item = items.find(isShownAsPicture) ?? (groups[0] && libraryItem(groups[0]))
  return item?.preview?.kind === 'picture' ? { ...item, preview: { ...item.preview, description: '' } } : item
}

/** The section of expired files of all folders. */
const EXPIRED = ''

type SectionFacts = {
  own: string | undefined
  sizes: FolderSizes
  shared: ReadonlyMap<string, Html>
} & Awaited<ReturnType<typeof openFolderNotes>>

/**
 * A section for each folder. Folders with the same title, and folders below a described one without a section, also name
 * the folder above, unless that is `files`. The first section below such a folder has its description.
 */
function folderSections(
  guide: Guide,
  folders: ReadonlyMap<string, readonly Html[]>,
  { own, sizes, shared, notes, ...texts }: SectionFacts,
): Html[] {
  const { site, words, publication } = guide
  const titleOf = (folder: string) => (folder === EXPIRED ? words.files.expired : texts.titleOf(folder))
  const titles = Map.groupBy(folders.keys(), folder => `${titleOf(folder)}`)
  const described = new Set([own])
  return Array.from(folders, ([folder, cards]) => {
    const list = html`${shared.get(folder)}<ul class="files">
${cards}</ul>`
    if (folder === own) return html`<section class="folder">${list}</section>\n`
    const title = titleOf(folder)
    const parent = folderOf(folder)
    const outer = folders.has(parent) ? undefined : notes.get(parent)
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
<h2>${title}</h2>
${parent !== own && (isShared || outer?.title !== undefined) && html`<p class="above">${titleOf(parent)}</p>\n`}${kit}${description.map(text => text && html`<p class="note">${text}</p>\n`)}${list}
</section>
`
  })
}

/** The lowest folder with all files of the library, if they are all below `files`. */
export function wholeFolder(sizes: FolderSizes): string {
  return sizes.has('pages') ? 'files' : lowestFolder(sizes, 'files')
}

export type FolderSizes = ReturnType<typeof folderSizes>
