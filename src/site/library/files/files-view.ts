import type { FormatGroup } from '#brand/library.ts'
import { countFiles, type Library, libraryOf, usableFiles } from '#serving/publications/library.ts'
import type { Representation } from '#serving/replies/response-cache.ts'
import { type Guide, pathBelow } from '../../guide/guide.ts'
import { type Html, html, type Word } from '../../html.ts'
import { guidePage, MAX_ENTRIES } from '../../layout/layout.ts'
import { guideText } from '../../texts/agent-texts.ts'
import { previewColors } from '../colors/color-list.ts'
import { selection } from './file-card.ts'
import {
  folderAt,
  folderPages,
  folderPath,
  foldersAbove,
  foldersOf,
  type ListPage,
  MAX_ITEMS,
  pagesOf,
} from './file-folders.ts'
import { KINDS, type Kind } from './file-kind.ts'
import { type FileList, groupsByKind, groupsIn, listName, listOf, pageOf, shownGroups } from './file-list.ts'
import { fileSections, folderTiles, wholeFolder } from './file-sections.ts'
import { folderSizes, isShownAsPicture, libraryItem, lowestFolder, openFolderNotes } from './library-item.ts'
import { namedGroups } from './name-filter.ts'
import { type FileFilter, filterQuery, type UseFilter, useFields } from './use-filter.ts'
import { copyCheck } from './versions.ts'

/**
 * A list of a guide's files, or of those that fit a filter; `name` is its path below `/-/`. A long list of all files shows
 * its folders. Undefined if there is no such list.
 */
export async function filesView(guide: Guide, name: string, filter?: FileFilter): Promise<Representation | undefined> {
  const list = listOf(name)
  if (!list) return undefined
  const { words } = guide
  const library = await libraryOf(guide.publication.content)
  const isLong = shownGroups(guide, library).length > MAX_ITEMS
  const ofUse = shownGroups(guide, library, usesOf(filter))
  const pages = (groups: readonly FormatGroup[]) => (isLong ? pagesOf(groups) : [{ folders: [], groups }])
  const folder = isLong && list === 'all' && !usesOf(filter) ? foldersOf(ofUse, library).get('files') : undefined
  const scope = groupsIn(ofUse, list)
  const found = await openList(guide, library, { scope, pages: folder ? folderPages(folder) : pages(scope), filter })
  const isAll = list === 'all' && !found.filter && !found.isPart
  return listView(guide, library, {
    ...found,
    page: pageOf(name),
    title: list === 'all' ? words.sections.files : words.files.kinds[list],
    pathOf: page => pathBelow(guide, listName(list, page)),
    head: html`<div class="titled"><h1>${words.sections.files}</h1>
<p class="to-check"><a href="#Check">${words.files.check.title}</a></p>
${library.files.size > 0 && (await archiveOfAll(guide))}</div>
${kindLinks(guide, ofUse, { list, filter: found.filter, isWhole: list === 'all' && !found.isPart })}`,
    empty: list === 'all' ? words.files.none : words.files.noneOfKind,
    end: copyCheck(guide),
    isAll,
    sheet: isLong ? undefined : listName(list),
  })
}

/** The list of the files in a folder and its subfolders; `path` is its path in files.yaml. Undefined without any. */
export async function folderView(guide: Guide, path: string, filter?: FileFilter): Promise<Representation | undefined> {
  const { words, site, publication } = guide
  const library = await libraryOf(publication.content)
  const folders = foldersOf(shownGroups(guide, library), library)
  const { folder, page } = folderAt(folders, path) ?? {}
  if (!folder || page === undefined) return undefined
  const uses = usesOf(filter)
  const ofUse = uses && (foldersOf(shownGroups(guide, library, uses), library).get(folder.path)?.groups ?? [])
  const scope = ofUse ?? folder.groups
  const { titleOf, notes } = await openFolderNotes(guide)
  const links = foldersAbove(folders, folder).map(above => {
    const title = above.path === 'files' ? words.sections.files : titleOf(above.path)
    return html`<li><a href="${folderPath(guide, folders, above)}">${title}</a></li>`
  })
  const sizes = folderSizes(await usableFiles(publication.content, 'library'))
  const size = sizes.get(folder.path)
  const kit = site.paths.folder(publication.record, lowestFolder(sizes, folder.path))
  const title = titleOf(folder.path)
  const label = words.files.downloadFolder({ folder: `${title}`, size: words.bytes(size?.bytes ?? 0) })
  const note = notes.get(folder.path)?.description
  return listView(guide, library, {
    ...(await openList(guide, library, { scope, pages: ofUse ? pagesOf(ofUse) : folderPages(folder), filter })),
    page,
    title,
    pathOf: number => folderPath(guide, folders, folder, number),
    head: html`<nav class="trail" aria-label="${words.frame.breadcrumb}"><ol>${links}</ol></nav>
<div class="titled"><h1>${title}</h1>
${size && folder.path.startsWith('files/') && html`<p class="archive"><a href="${kit}" download>${label}</a></p>`}</div>
${note !== undefined && html`<p class="note">${note}</p>\n`}`,
    empty: words.files.none,
    own: folder.path,
  })
}

function usesOf(filter: FileFilter | undefined): UseFilter | undefined {
  const { name: _, ...uses } = filter ?? {}
  return Object.keys(uses).length === 0 ? undefined : uses
}

/** The items of a list on pages. */
type OpenList = {
  pages: readonly ListPage[]
  /** The number of files in the list, without and with the words in its filter. */
  total: number
  count: number
  /** Whether its first page has only a part of it, so that only the service can filter it by name. */
  isPart: boolean
  isNamed: boolean
  /** The part of the filter that the service applies. */
  filter: FileFilter | undefined
}

async function openList(
  guide: Guide,
  library: Library,
  { scope, pages, filter }: Pick<OpenList, 'pages' | 'filter'> & { scope: readonly FormatGroup[] },
): Promise<OpenList> {
  const today = guide.publication.content.today()
  const isPart = pages.length > 1 || pages.some(({ folders }) => folders.length > 0)
  const isNamed = isPart && filter?.name !== undefined
  const groups = isNamed ? await namedGroups(guide, library, scope, filter.name) : scope
  return {
    pages: isNamed ? pagesOf(groups) : pages,
    total: countFiles(scope, today),
    count: countFiles(groups, today),
    isPart,
    isNamed,
    filter: isPart ? filter : usesOf(filter),
  }
}

type Listing = OpenList & {
  /** The number of the page, and its path. A number after the last page is that of the last one. */
  page: number
  pathOf: (page: number) => string
  title: Word
  head: Html
  empty: Word
  end?: Html
  /** The folder whose page it is. */
  own?: string
  /** Whether it has all files of the guide. */
  isAll?: boolean
  /** The name of the style sheet of a short list. */
  sheet?: string | undefined
}

async function listView(guide: Guide, library: Library, listing: Listing): Promise<Representation> {
  const { words } = guide
  const { pages, pathOf, title, filter, count, total, own, isAll = false, sheet } = listing
  const page = Math.min(listing.page, pages.length)
  const { folders, groups } = pages[page - 1] ?? { folders: [], groups: [] }
  const cards = await fileSections(guide, library, groups, own)
  const { hasGrounds, hasFonts } = cards
  const tiles = await folderTiles(guide, foldersOf(shownGroups(guide, library), library), folders)
  const uses = await useFields(guide, library, filter)
  const isEmpty = folders.length + groups.length === 0
  const status = listing.isNamed
    ? words.files.someOf({ found: words.number(count), count: total })
    : words.files.count({ count })
  const size = { isLong: groups.length > MAX_DRAWN_AT_ONCE, isWhole: isAll }
  const empty = filter?.name
    ? words.search.noneFor({ text: filter.name })
    : filter
      ? words.files.uses.none
      : listing.empty
  const main = html`${listing.head}
<div class="filters">
${(!isEmpty || listing.isNamed) && nameField(guide, listing)}
<div class="swiped">
${
  uses &&
  html`<form class="uses" role="search" aria-label="${words.files.uses.title}" action="${pathOf(1)}">
${uses}${hiddenFields({ name: filter?.name })}<button>${words.files.uses.show}</button>
</form>`
}
${hasGrounds && (await groundChoice(guide))}
</div></div>
<div class="listed">${isEmpty ? html`<p class="lead">${empty}</p>` : html`<p class="found quiet" role="status" data-some="${words.files.someOf({ found: '{found}', count })}">${status}</p>`}
${(!isEmpty || listing.isPart) && selection(guide, [...(tiles ? [tiles] : []), ...cards.sections], size)}
${pageLinks(guide, listing, page)}</div>
${listing.end}`
  const style = (name: string) => pathBelow(guide, name)
  const view = await guidePage(guide, {
    title: `${page === 1 ? title : words.list([title, words.number(page)])}`,
    kind: 'files',
    below: pathOf(page).slice(guide.site.paths.project(guide.publication.record).length),
    main,
    sheets:
      sheet !== undefined
        ? [hasGrounds || hasFonts ? style(`${sheet}.css`) + filterQuery(filter) : undefined]
        : [hasGrounds ? style('files.css') : undefined, hasFonts ? style('files/fonts.css') : undefined],
  })
  return { ...view, keptMs: cards.keptMs }
}

/** With more files, a browser draws offscreen cards only when they come into view. */
const MAX_DRAWN_AT_ONCE = 60

/** Links to the pages of a list. */
function pageLinks({ words }: Guide, { pages, pathOf, filter }: Listing, current: number): Html | undefined {
  if (pages.length < 2) return undefined
  const links = pages.map((_, at) => {
    const mark = at + 1 === current && html` aria-current="page"`
    return html`<li><a href="${pathOf(at + 1) + filterQuery(filter)}"${mark}>${words.number(at + 1)}</a></li>\n`
  })
  return html`<nav class="parts" aria-label="${words.files.parts}"><ol>
${links}</ol></nav>`
}

async function archiveOfAll(guide: Guide): Promise<Html> {
  const sizes = folderSizes(await usableFiles(guide.publication.content, 'library'))
  const size = guide.words.bytes((sizes.get('files')?.bytes ?? 0) + (sizes.get('pages')?.bytes ?? 0))
  const address = guide.site.paths.folder(guide.publication.record, wholeFolder(sizes))
  return html`<p class="archive"><a href="${address}" download>${guide.words.files.downloadAll({ size })}</a></p>`
}

/** Links to the kinds of listed items. If the list has all items, a script filters it without a request. */
function kindLinks(
  guide: Guide,
  groups: readonly FormatGroup[],
  { list, filter, isWhole }: { list: FileList; filter: FileFilter | undefined; isWhole: boolean },
): Html | undefined {
  const { words } = guide
  const today = guide.publication.content.today()
  const kinds: ReadonlyMap<Kind, readonly FormatGroup[]> = groupsByKind(groups)
  if (kinds.size < 2 && (list === 'all' || kinds.has(list))) return undefined
  const link = (kind: FileList, name: Word, of: readonly FormatGroup[]): Html => {
    const current = kind === list && html` aria-current="page"`
    return html`<li><a href="${pathBelow(guide, listName(kind)) + filterQuery(filter)}" data-kind="${kind}"${current}>${name} <span>${words.number(countFiles(of, today))}</span></a></li>\n`
  }
  return html`<nav class="kinds" aria-label="${words.files.kindsOfFiles}"${isWhole && html` data-whole`}>
<ul>
${link('all', words.files.all, groups)}${KINDS.map(kind => kinds.has(kind) && link(kind, words.files.kinds[kind], kinds.get(kind) ?? []))}</ul>
</nav>`
}

/** A field for a name. A script filters the items on the page, or if these are a part, asks the service; a copy searches. */
function nameField(guide: Guide, { isPart, pathOf, filter }: Listing): Html {
  const { files } = guide.words
  const { name, ...uses } = filter ?? {}
  const field = (key: string) =>
    html`<label>${files.narrow} <input type="search"${key !== '' && html` name="${key}" value="${name}"`} maxlength="200" autocomplete="off" spellcheck="false"></label>`
  const button = html`<button>${guide.words.search.search}</button>`
  if (!isPart) return html`<div class="narrow">\n${field('')}</div>`
  return guide.site.copy
    ? html`<form class="narrow" action="${pathBelow(guide, 'search')}">\n${field('q')}${button}</form>`
    : html`<form class="narrow" action="${pathOf(1)}" data-remote>\n${field('name')}${hiddenFields(uses)}${button}</form>`
}

function hiddenFields(fields: FileFilter | { name: string | undefined }): Html {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined)
  return html`${entries.map(([name, value]) => html`<input type="hidden" name="${name}" value="${`${value}`}">`)}`
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
  const rules = groups.slice(0, MAX_ENTRIES).map(group => {
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
