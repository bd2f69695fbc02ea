import { folderOf, isExpired, isForPreviews } from '../../../brand/file.ts'
import type { FormatGroup } from '../../../brand/library.ts'
import { type Library, libraryOf } from '../../../serving/publications/library.ts'
import type { Representation } from '../../../serving/replies/response-cache.ts'
import { type Guide, pathBelow } from '../../guide/guide.ts'
import { type Html, html, type Word } from '../../html.ts'
import { guidePage } from '../../layout/layout.ts'
import { lastDay } from '../../library/files/file-card.ts'
import { fileAt, filePath, placeInList, shownGroup, shownGroups } from '../../library/files/file-list.ts'
import { folderTitle, type LibraryItem, libraryItem } from '../../library/files/library-item.ts'
import { selection } from '../../library/files/selection.ts'
import { isShowable, shownAddress } from '../../thumbnails/thumbnail.ts'
import { fileFacts } from './file-facts.ts'
import { fileDownloads } from './file-formats.ts'
import { largePreview } from './large-preview.ts'

/** The page of the file with this path in files.yaml; undefined if the library does not list it. */
export async function fileView(guide: Guide, path: string): Promise<Representation | undefined> {
  const { publication, paths, urls, words } = guide
  const { record, content } = publication
  const library = await libraryOf(content)
  const file = fileAt(library, path)
  const group = file && shownGroup(guide, library, file)
  if (!file || !group) return undefined
  const item = libraryItem(group)
  const isOver = isExpired(file, content.today())
  const { shown, keptMs } = await largePreview(guide, item, { file, isOver })
  const day = lastDay(guide, file)
  const main = html`${await trail(guide, library, group)}<header class="prose"><h1>${item.name}</h1>
${item.description !== '' && html`<p class="lead">${item.description}</p>\n`}${day !== undefined && html`<p class="rights${isOver && ' expired'}"><span>${day}</span> ${isOver && words.files.over}</p>\n`}</header>
<div class="asset"><div class="look">
${shown}</div>
<div class="about">
${await fileDownloads(guide, item, file)}${!isOver && !guide.copy && selectionOf(guide, item)}${await fileFacts(guide, { item, file, group })}</div></div>
${neighbours(guide, library, group)}`
  const view = await guidePage(guide, {
    title: item.name,
    kind: 'mixed',
    description: item.description || undefined,
    below: filePath(guide, library, file).slice(paths.project(record).length),
    main,
    image: isForPreviews(file) && isShowable(file) ? shownAddress(record, file, urls) : undefined,
    sheets: item.preview?.kind === 'font' ? [pathBelow(guide, 'files/fonts.css')] : [],
  })
  return { ...view, ...(keptMs !== undefined && { keptMs }) }
}

/** A box that adds the item to the selection of files. */
function selectionOf(guide: Guide, { name, first }: LibraryItem): Html {
  const box = html`<input type="checkbox" name="path" value="${first.path}">`
  return selection(guide, html`<p><label>${box} ${guide.words.files.choose({ name })}</label></p>\n`)
}

/** The list of files at the place of the item, and its folder. */
async function trail(guide: Guide, library: Library, group: FormatGroup): Promise<Html> {
  const { words, publication } = guide
  const { folders } = await publication.content.appearance()
  const path = folderOf(group[0].path)
  const notes = folders?.find(each => each.path === path)
  const folder = folderTitle(words, path, notes)
  return html`<nav class="trail" aria-label="${words.frame.breadcrumb}"><ol><li><a href="${placeInList(guide, library, group)}">${words.sections.files}</a></li><li>${folder}</li></ol></nav>
`
}

/** The items before and after in the list of all files. */
function neighbours(guide: Guide, library: Library, group: FormatGroup): Html | undefined {
  const { words } = guide
  const groups = shownGroups(guide, library)
  const at = groups.indexOf(group)
  const link = (to: FormatGroup | undefined, rel: string, word: Word) =>
    to &&
    html`<a rel="${rel}" href="${filePath(guide, library, libraryItem(to).shown)}"><span class="quiet">${word}</span> ${libraryItem(to).name}</a>`
  return html`<nav class="neighbours" aria-label="${words.files.neighbours}">${link(groups[at - 1], 'prev', words.pages.previous)}${link(groups[at + 1], 'next', words.pages.next)}</nav>`
}
