import { EDITED_FILES } from '#brand/edit-link.ts'
import { folderOf, isExpired } from '#brand/file.ts'
import type { FormatGroup } from '#brand/library.ts'
import { groupsOf } from '#platform/base/text.ts'
import { countFiles, type Library, libraryOf } from '#serving/publications/library.ts'
import type { Representation } from '#serving/replies/response-cache.ts'
import { heading } from '../../cards/long-words.ts'
import { colorIn, colorList, previewColors } from '../../guide/color-list.ts'
import { KINDS, type Kind } from '../../guide/file-kind.ts'
import { type Guide, partInGuide, pathBelow } from '../../guide/guide.ts'
import { type Html, html, type Word } from '../../html.ts'
import { libraryHead, sectionTrail } from '../../layout/head.ts'
import { editLink, guidePage } from '../../layout/layout.ts'
import { guideText } from '../../texts/agent-texts.ts'
import type { Words } from '../../words/words.ts'
import { fileCard, isOnGround, itemPictures, selection, sharedRights } from './file-card.ts'
import {
  type FileList,
  folderPath,
  foldersOf,
  groupsByKind,
  groupsIn,
  listName,
  listOf,
  MAX_ITEMS,
  pageOf,
  pageSize,
  shownGroups,
} from './file-list.ts'
import { archiveLink, archiveOfAll, librarySizes } from './folder-archives.ts'
import { type FolderEntry, folderCovers } from './folder-covers.ts'
import { distinctNames, openFolderNotes } from './folder-names.ts'
import { isShownAsPicture, type LibraryItem, libraryItem, namedItems } from './library-item.ts'
import { filterQuery, type UseFilter, useFields } from './use-filter.ts'
import { copyCheck } from './versions.ts'

/**
 * A list of a guide's files, or of the files that fit a filter; `name` is its path below `/-/`: `files`, `files/fonts-2`. A
 * long list of all files shows its folders. Undefined if there is no such list.
 */
export async function filesView(guide: Guide, name: string, filter?: UseFilter): Promise<Representation | undefined> {
  const list = listOf(name)
  if (!list) return undefined
  const { words } = guide
  const library = await libraryOf(guide.publication.content)
  const groupsOfAllKinds = shownGroups(guide, library, filter)
  const groups = groupsIn(groupsOfAllKinds, list)
  return listView(guide, library, {
    list,
    groups,
    folders: list === 'all' && !filter ? foldersOf(groups, library) : undefined,
    filter,
    page: pageOf(name),
    pathOf: page => pathBelow(guide, listName(list, page)),
    title: list === 'all' ? words.sections.files : words.files.kinds[list],
    head: html`${libraryHead(guide, words.sections.files)}${library.files.size > 0 && (await archiveOfAll(guide))}`,
    kinds: kindLinks(guide, groupsOfAllKinds, { list, filter }),
    uses: await useForm(guide, library, { list, filter }),
    end: html`${library.files.size > 0 && copyCheck(guide)}${await editLink(guide, { path: EDITED_FILES.files })}`,
  })
}

/** The form that filters a list by use; undefined if no file says how it may be used. */
async function useForm(
  guide: Guide,
  library: Library,
  { list, filter }: Pick<Listing, 'list' | 'filter'>,
): Promise<Html | undefined> {
  const { uses } = guide.words.files
  const fields = await useFields(guide, library, filter)
  return (
    fields &&
    html`<form class="uses" role="search" aria-label="${uses.title}" action="${pathBelow(guide, listName(list))}">
${fields}<button>${uses.show}</button>
</form>`
  )
}

/** A list of the files in a folder: `files/logo`, and its second page `2/files/logo`. Undefined without any. */
export async function folderView(guide: Guide, name: string): Promise<Representation | undefined> {
  const [, page = 1, path = ''] = groupsOf(/^(?:([1-9]\d{0,3})\/)?(.*)$/s, name)
  const library = await libraryOf(guide.publication.content)
  const folder = library.shownFolder(path)
  const groups = shownGroups(guide, library).filter(group => library.folderOf(group) === folder)
  if (groups.length === 0) return undefined
  const title = (await openFolderNotes(guide)).titleOf(folder)
  return listView(guide, library, {
    list: 'all',
    groups,
    folderOfPage: folder,
    page: Number(page),
    pathOf: number => folderPath(guide, folder, number),
    title,
    head: html`${sectionTrail(guide, 'files')}${heading(1, title)}
`,
  })
}

type Listing = {
  /** The list whose style sheet has the fonts and colours. */
  list: FileList
  groups: readonly FormatGroup[]
  /** The folders to show instead of the items. */
  folders?: ReadonlyMap<string, readonly FormatGroup[]> | undefined
  filter?: UseFilter | undefined
  /** The folder whose page it is; absent for other lists. */
  folderOfPage?: string
  /** The wanted page, from 1. A larger number than the last page's gives the last page. */
  page: number
  pathOf: (page: number) => string
  title: Word
  head: Html
  kinds?: Html | undefined
  uses?: Html | undefined
  end?: Html
}

async function listView(guide: Guide, library: Library, listing: Listing): Promise<Representation> {
  const { words } = guide
  const { list, groups, folders, filter, pathOf, title } = listing
  const part = partOnPage(listing)
  const { page, pages, shownItems } = part
  const covers = await coversFor(guide, library, listing, part)
  const { sections, ...needs } = await fileSections(guide, library, shownItems, listing.folderOfPage)
  const content = folders && covers ? covers.list : sections
  const listSize = {
    isLong: shownItems.length > MAX_DRAWN_AT_ONCE,
    isWhole: isWholeLibrary(listing) && groups.length <= MAX_ITEMS,
  }
  const main = html`${!folders && covers?.list}${listing.kinds}
${await filterFields(guide, library, listing, needs.hasGrounds)}
${groups.length > 0 ? fileCount(guide, groups) : html`<p class="lead">${emptyMessage(words, list, filter)}</p>`}
${groups.length > 0 && selection(guide, content, listSize)}
${pages > 1 && pageLinks(words, { ...listing, page }, pages)}
${listing.end}`
  const needsSheet = needs.hasGrounds || needs.hasFonts || covers?.hasFonts
  const view = await guidePage(guide, {
    title: `${page === 1 ? title : words.list([title, words.number(page)])}`,
    kind: 'files',
    below: partInGuide(guide, pathOf(page)),
    head: listing.head,
    main,
    sheets: needsSheet ? [pathBelow(guide, `${listName(list)}.css`) + filterQuery(filter)] : [],
  })
  return { ...view, keptMs: needs.keptMs ?? covers?.keptMs }
}

function isWholeLibrary({ list, filter, folderOfPage }: Listing): boolean {
  return list === 'all' && !filter && folderOfPage === undefined
}

/**
 * The covers of folders: instead of the items of a very long list, or before the items of a list that has several folders.
 * Undefined for a list without covers.
 */
async function coversFor(guide: Guide, library: Library, listing: Listing, { shownFolders, shownItems }: PartOnPage) {
  if (listing.folders) return folderCovers(guide, library, shownFolders)
  const mayHaveCovers = isWholeLibrary(listing) && shownItems.length > MAX_SMALL
  const itemFolders = mayHaveCovers ? [...Map.groupBy(shownItems, library.folderOf)] : []
  return itemFolders.length > 1 ? folderCovers(guide, library, itemFolders) : undefined
}

/** The fields that filter a list: by name, by use, and the colours behind pictures. */
async function filterFields(
  guide: Guide,
  library: Library,
  { groups, filter, uses }: Listing,
  hasGrounds: boolean,
): Promise<Html> {
  const isFew = groups.length <= MAX_SMALL
  return html`<div class="filters">
${!isFew && nameField(guide, groups.length)}
${(filter || !isFew || library.media.size > 0) && uses}
${hasGrounds && (await groundChoice(guide))}
</div>`
}

/** The page of a listing, the number of its pages, and the folders or the items on it. */
type PartOnPage = {
  page: number
  pages: number
  shownFolders: readonly FolderEntry[]
  shownItems: readonly FormatGroup[]
}

function partOnPage({ groups, folders, page: wantedPage }: Listing): PartOnPage {
  const entries = folders ? [...folders] : groups
  const size = pageSize(entries)
  const pages = Math.ceil(entries.length / size)
  const page = Math.min(wantedPage, Math.max(1, pages))
  const onPage = <Entry>(all: readonly Entry[]) => all.slice((page - 1) * size, page * size)
  return folders
    ? { page, pages, shownFolders: onPage([...folders]), shownItems: [] }
    : { page, pages, shownFolders: [], shownItems: onPage(groups) }
}

/** The cards of items by folder, and whether they need colours or fonts in a style sheet. */
type FileSections = {
  sections: readonly Html[]
  hasGrounds: boolean
  hasFonts: boolean
  /** How long to cache them if a part could not be read. */
  keptMs: number | undefined
}

/**
 * The cards of some items of a library, in sections by folder; expired items come last. The section of `folderOfPage` has
 * no heading, because the page has its title.
 */
async function fileSections(
  guide: Guide,
  library: Library,
  groups: readonly FormatGroup[],
  folderOfPage: string | undefined,
): Promise<FileSections> {
  const today = guide.publication.content.today()
  const { items, fonts, sampleOf, keptMs } = await namedItems(guide, groups)
  const pictures = await itemPictures(guide, items)
  const colors = items.some(({ ground }) => ground !== undefined) ? await colorList(guide) : undefined
  const lists = new Map<string, FolderList>()
  const names = await cardNames(guide, library, items)
  const folderOfItem = ({ first }: LibraryItem) => (isExpired(first, today) ? EXPIRED : library.folderOf([first]))
  for (const [folder, folderItems] of Map.groupBy(items, folderOfItem)) {
    const rights = folder === EXPIRED ? undefined : sharedRights(guide, folderItems)
    const width = folderItems.length < MIN_NARROW ? 640 : 320
    const cards = folderItems.map(item => {
      const ground = colors && colorIn(colors, item.ground)?.hex
      return fileCard(guide, item, {
        name: names.get(item),
        ground,
        pictures,
        sampleOf,
        hasRights: !rights,
        library,
        width,
      })
    })
    lists.set(folder, { rights, list: html`<ul class="files">\n${cards}</ul>` })
  }
  return {
    sections: await folderSections(guide, lists, folderOfPage),
    hasGrounds: items.some(item => isOnGround(item, pictures)),
    hasFonts: fonts.length > 0,
    keptMs,
  }
}

/** The names of items on one page, of which none repeats. */
async function cardNames(
  guide: Guide,
  library: Library,
  items: readonly LibraryItem[],
): Promise<ReadonlyMap<LibraryItem, string | undefined>> {
  const { partsOf } = await openFolderNotes(guide)
  const names = distinctNames(
    items.map(({ name, spacedName, first }) => ({ name, parts: [spacedName, ...partsOf(library.folderOf([first]))] })),
  )
  return new Map(items.map((item, at) => [item, names[at]]))
}

/** The cards of a folder, and the rights that all its items share. */
type FolderList = { rights: Html | undefined; list: Html }

/** Stands for the folder of the section with the expired files of all folders. */
const EXPIRED = ''

/**
 * A section for each folder. Folders below a described one without a section also name that; the first of them has its
 * description.
 */
async function folderSections(
  guide: Guide,
  lists: ReadonlyMap<string, FolderList>,
  folderOfPage: string | undefined,
): Promise<Html[]> {
  const { words } = guide
  const sizes = await librarySizes(guide)
  const { notes, titleOf, aboveOf } = await openFolderNotes(guide)
  /** The folders above whose sections their description is not repeated. */
  const describedParents = new Set<string>()
  return Array.from(lists, ([folder, { rights, list }]) => {
    const title = folder === EXPIRED ? words.files.expired : titleOf(folder)
    const parent = folderOf(folder)
    const parentNotes = lists.has(parent) ? undefined : notes.get(parent)
    const titleAbove = parentNotes?.title === undefined ? '' : aboveOf(folder)
    const descriptions = [!describedParents.has(parent) && parentNotes?.description, notes.get(folder)?.description]
    describedParents.add(parent)
    const ownTitle = folder !== folderOfPage && html`${heading(2, title)}\n`
    const above = titleAbove !== '' && html`<p class="above">${titleAbove}</p>\n`
    const archive = archiveLink(guide, folder, title, sizes)
    const head = html`${ownTitle}${above}${archive}${descriptions.map(text => text && html`<p>${text}</p>\n`)}${rights}`
    return html`<section class="folder">
${head.text !== '' && html`<header>${head}</header>`}${list}
</section>
`
  })
}

/** Fewer cards share the width of their row. */
const MIN_NARROW = 4
/** More items can be filtered, and those in several folders begin with covers of these. */
const MAX_SMALL = 6
/** With more files, a browser draws offscreen cards only when they come into view. */
const MAX_DRAWN_AT_ONCE = 60

function pageLinks({ files, number }: Words, { page, pathOf, filter }: Listing, pages: number): Html {
  const links = Array.from({ length: pages }, (_, at) => {
    const mark = at + 1 === page && html` aria-current="page"`
    return html`<li><a href="${pathOf(at + 1) + filterQuery(filter)}"${mark}>${number(at + 1)}</a></li>\n`
  })
  return html`<nav class="kinds" aria-label="${files.parts}"><ul>
${links}</ul></nav>`
}

/**
 * Links to the kinds of listed items, with the number of each; undefined if there is only one kind. If the list has all
 * items, a script filters it without a request.
 */
function kindLinks(
  guide: Guide,
  groups: readonly FormatGroup[],
  { list, filter }: Pick<Listing, 'list' | 'filter'>,
): Html | undefined {
  const { words } = guide
  const today = guide.publication.content.today()
  const isWhole = list === 'all' && groups.length > MAX_SMALL && groups.length <= MAX_ITEMS
  const kinds: ReadonlyMap<Kind, readonly FormatGroup[]> = groupsByKind(groups)
  if (kinds.size < 2 && (list === 'all' || kinds.has(list))) return undefined
  const link = (kind: FileList, name: Word, groupsOfKind: readonly FormatGroup[]): Html => {
    const current = kind === list && html` aria-current="page"`
    const address = pathBelow(guide, listName(kind)) + filterQuery(filter)
    const count = words.number(countFiles(groupsOfKind, today))
    return html`<li><a href="${address}" data-kind="${kind}"${current}>${name} <span>${count}</span></a></li>\n`
  }
  return html`<nav class="kinds" aria-label="${words.files.kindsOfFiles}"${isWhole && html` data-whole`}>
<ul>
${link('all', words.files.all, groups)}${KINDS.map(kind => kinds.has(kind) && link(kind, words.files.kinds[kind], kinds.get(kind) ?? []))}</ul>
</nav>`
}

/** A field by which a script filters the items on the page. The items of several pages are found by search. */
function nameField(guide: Guide, count: number): Html {
  const { files, search } = guide.words
  return count <= MAX_ITEMS
    ? html`<div class="narrow">
<label>${files.narrow} <input type="search" maxlength="200" autocomplete="off" spellcheck="false"></label></div>`
    : html`<div class="search"><form action="${pathBelow(guide, 'search')}">
<label for="Name">${search.hint}</label>
<input type="search" id="Name" name="q" maxlength="200" autocomplete="off">
<button>${search.search}</button>
</form></div>`
}

function fileCount({ words: { files }, publication }: Guide, groups: readonly FormatGroup[]): Html {
  const count = countFiles(groups, publication.content.today())
  return html`<p class="found quiet" role="status" data-some="${files.someOf({ found: '{found}', count })}">${files.count({ count })}</p>`
}

function emptyMessage({ files }: Words, list: FileList, filter: UseFilter | undefined): Word {
  if (filter) return files.uses.none
  return list === 'all' ? files.none : files.noneOfKind
}

/** Radio buttons that show all pictures on a colour, by the style sheet of the list. */
async function groundChoice(guide: Guide): Promise<Html> {
  const { files } = guide.words
  const radio = (value: string, name: Word) =>
    html`<input type="radio" name="ground" value="${value}" aria-label="${name}" title="${name}" form="Png"${value === '' && html` checked`}>\n`
  return html`<form id="Png"><fieldset class="grounds"><legend>${files.previewOn}</legend>
${radio('', files.ownGround)}${(await previewColors(guide)).map(({ hex, name }) => radio(hex.slice(1), name))}</fieldset></form>`
}

/**
 * The style sheet of a list of files, `files.css` or `files/fonts.css`: a face and a class for each font, both named
 * from its content hash, and the colours for pictures. Undefined if the list has neither.
 */
export async function fileFaces(guide: Guide, name: string, filter?: UseFilter): Promise<Representation | undefined> {
  const list = listOf(name)
  if (!list) return undefined
  const { site, publication } = guide
  const groups = groupsIn(shownGroups(guide, await libraryOf(publication.content), filter), list)
  const rules = groups.map(group => {
    const { shown, preview } = libraryItem(group)
    if (preview?.kind !== 'font') return ''
    const { face, format } = preview
    const source = `url("${site.paths.file(publication.record, shown)}") format("${format}")`
    return `@font-face{font-family:${face};src:${source};font-display:block}.${face}{font-family:${face},system-ui}\n`
  })
  if (groups.some(group => isShownAsPicture(libraryItem(group))))
    for (const { hex } of await previewColors(guide)) rules.push(groundRules(hex))
  const sheet = rules.join('')
  return sheet === '' ? undefined : guideText(guide, sheet, 'text/css')
}

/** The colour of a radio button, and of all pictures while it is checked. */
function groundRules(hex: string): string {
  const radio = `.grounds [value="${hex.slice(1)}"]`
  return `${radio}{background:${hex}}main:has(${radio}:checked) .tile{--on:${hex}}\n`
}
