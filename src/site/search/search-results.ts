import { type Color, printValuesOf } from '#brand/color.ts'
import { type BrandFile, filename, isFont, isLight, pictureMetadata } from '#brand/file.ts'
import type { Page } from '#brand/page.ts'
import type { TypeStyle } from '#brand/type-style.ts'
import { bestHits } from '#delivery/search/best-entries.ts'
import { type Highlighted, highlight, snippet } from '#delivery/search/marked-text.ts'
import { type SearchIndex, searchItemsOf, type Target, withGuideColors } from '#delivery/search/search-index.ts'
import type { WordMatches } from '#delivery/search/word-index.ts'
import { wordsOf } from '#delivery/search/words.ts'
import { perObject } from '#platform/base/object.ts'
import { wordSet } from '#platform/base/text.ts'
import { type Library, libraryOf } from '#serving/publications/library.ts'
import type { Publication } from '#serving/publications/publications.ts'
import { colorPath } from '../guide/color-list.ts'
import { previewOf, typeName } from '../guide/file-kind.ts'
import { type Guide, treeOf } from '../guide/guide.ts'
import { type Branch, trailTo } from '../guide/page-tree.ts'
import { posterOf } from '../guide/poster.ts'
import { type Html, html, joinWords, type Word } from '../html.ts'
import { filePath } from '../library/files/file-list.ts'
import { itemReader, type LibraryItem } from '../library/files/library-item.ts'
import { isUsable, type UseFilter, usableGroups } from '../library/files/use-filter.ts'
import { typePath } from '../library/type/type-list.ts'
import { firstPages } from '../pages/overview.ts'
import { shownPicture } from '../theme/guide-theme.ts'
import { pictureAddresses } from '../thumbnails/thumbnail.ts'

export type SearchResults = {
  /** How many things were found. */
  count: number
  /** Whether they have all words of the search, not only some. */
  hasAll: boolean
  /** The best of them. */
  results: readonly SearchResult[]
  /** If nothing was found: pages to begin with. */
  suggestions?: readonly SearchResult[]
}

/** A result as it is shown; `where` gives its kind and its place. */
export type SearchResult = { path: string; title: Highlighted; where: Word; text: Highlighted } & Thumb

/** Searches a guide; each page appears once, with its best matching part. A filter keeps only files that fit. */
export async function searchResults(
  guide: Guide,
  index: SearchIndex,
  text: string,
  max: number,
  filter?: UseFilter,
): Promise<SearchResults> {
  const entryAt = await entryReader(guide, index)
  const { colors } = await searchItemsOf(guide.publication.content)
  const matches = index.words.find(await withGuideColors(text, colors))
  const { joined } = await itemFormats(guide.publication.content)
  const { count, best } = bestHits(index, matches, max, await entryFilter(guide, filter), joined)
  const results = best.flatMap(({ entry }) => {
    const listed = entryAt(entry)
    return listed ? [withMarks(listed, matches.isWanted)] : []
  })
  const suggestions = count === 0 ? (await suggestedPages(guide)).map(page => withMarks(page, () => false)) : undefined
  return { count, hasAll: matches.hasAll, results, ...(suggestions && { suggestions }) }
}

/** The entries of each item with several formats, such as `logo.svg` and `logo.png`. */
export const itemFormats = perObject(async (content: Publication['content']) => {
  const { colors, types, files } = await searchItemsOf(content)
  const { groups } = await libraryOf(content)
  // Entries of an index are numbered: colours, type styles, then files.
  const entryOfFile = new Map(files.map(({ path }, at) => [path, colors.length + types.length + at]))
  const groupsOfSeveral = groups.filter(({ length }) => length > 1)
  return { joined: groupsOfSeveral.map(group => group.flatMap(({ path }) => entryOfFile.get(path) ?? [])) }
})

/** The first pages of a guide, for a search without results. */
export async function suggestedPages(guide: Guide): Promise<ShownEntry[]> {
  const tree = await treeOf(guide)
  const files = await guide.publication.content.files()
  const pages = (await firstPages(guide)).flatMap(({ page }) => page ?? [])
  return pages.map(of => shownPage({ guide, tree, files }, { kind: 'page', of, heading: '', anchor: '', text: '' }))
}

/** The pages whose names or descriptions have words that begin with all of a text, while there is no index. */
export async function namedPages(guide: Guide, text: string, max: number): Promise<SearchResults> {
  const tree = await treeOf(guide)
  const files = await guide.publication.content.files()
  const searchTerms = wordsOf(text).map(({ term }) => term)
  const allPages = [...(await guide.publication.content.pages()).values()]
  const matchingPages = allPages.filter(({ name, description = '' }) => {
    const words = wordsOf(`${name} ${description}`)
    const isNamed = (searchTerm: string) => words.some(({ term }) => term.startsWith(searchTerm))
    return searchTerms.length > 0 && searchTerms.every(isNamed)
  })
  const results = matchingPages.slice(0, max).map(of => {
    const entry = shownPage({ guide, tree, files }, { kind: 'page', of, heading: '', anchor: '', text: '' })
    return withMarks(entry, ({ term }) => searchTerms.some(each => term.startsWith(each)))
  })
  return { count: matchingPages.length, hasAll: true, results }
}

/** The files that fit a filter, without a search text. */
export async function filteredFiles(guide: Guide, max: number, filter: UseFilter): Promise<SearchResults> {
  const { content } = guide.publication
  const library = await libraryOf(content)
  const groups = usableGroups(library, filter, content.today())
  const firstGroups = groups.slice(0, max)
  const itemOf = await itemReader(guide, firstGroups)
  const entries = firstGroups.map(([file]) => shownFile({ guide, library, itemOf }, file))
  // Texts of one piece each, because there is no search text to mark.
  const results = entries.map(({ title, text, isWhole, ...entry }) => ({ ...entry, title: [title], text: [text] }))
  return { count: groups.length, hasAll: true, results }
}

/** Selects the index entries to show: all except expired files, or only files that fit a filter. */
export async function entryFilter(guide: Guide, filter?: UseFilter): Promise<(entry: number) => boolean> {
  const { content } = guide.publication
  const { colors, types, files } = await searchItemsOf(content)
  // The number of the first entry that is a file.
  const firstFile = colors.length + types.length
  const today = content.today()
  return entry => {
    const file = files[entry - firstFile]
    return file ? isUsable(file, filter ?? {}, today) : filter === undefined
  }
}

/** An entry of an index, as results show it before matching words are marked in its title and text. */
export type ShownEntry = {
  path: string
  title: string
  where: Word
  text: string
  /** Whether results show all of the text, not only the part with a match. */
  isWhole: boolean
} & Thumb

/** Opens a reader of index entries. It returns undefined for an entry without a target. */
export async function entryReader(
  guide: Guide,
  index: SearchIndex,
): Promise<(entry: number) => ShownEntry | undefined> {
  const { content } = guide.publication
  const tree = await treeOf(guide)
  const things = await searchItemsOf(content)
  const library = await libraryOf(content)
  const files = await content.files()
  const itemOf = await itemReader(guide, library.groups)
  return entry => {
    const target = index.targetOf(entry, things)
    return target && shownEntry({ guide, tree, library, files, itemOf }, target)
  }
}

function withMarks({ title, text, isWhole, ...entry }: ShownEntry, isWanted: WordMatches['isWanted']): SearchResult {
  return { ...entry, title: highlight(title, isWanted), text: (isWhole ? highlight : snippet)(text, isWanted) }
}

/** The content of a guide from which results are made. */
type ResultSource = {
  guide: Guide
  tree: readonly Branch[]
  library: Library
  files: ReadonlyMap<string, BrandFile>
  itemOf: Awaited<ReturnType<typeof itemReader>>
}

function shownEntry(source: ResultSource, target: Target): ShownEntry {
  const { guide } = source
  if (target.kind === 'page') return shownPage(source, target)
  if (target.kind === 'file') return shownFile(source, target.of)
  if (target.kind === 'type') return shownType(guide, typePath(guide, target.of), target.of)
  return shownColor(guide, colorPath(guide, target.of.id), target.of)
}

/** A page, or the part of it below a heading. The start of a page has neither `heading` nor `anchor`. */
function shownPage(
  { guide, tree, files }: Pick<ResultSource, 'guide' | 'tree' | 'files'>,
  { of, heading, anchor, text }: Extract<Target, { kind: 'page' }>,
): ShownEntry {
  const { site, publication, words } = guide
  const path = site.paths.page(publication.record, of.id)
  const names = trailTo(tree, of.id).map(({ name }) => name)
  const trail = heading === '' ? names.slice(0, -1) : names
  return {
    path: anchor === '' ? path : `${path}#${encodeURIComponent(anchor)}`,
    title: heading || of.name,
    where: joinWords([words.search.page, trail.join(' / ')], ' · '),
    text: heading === '' && of.description !== undefined ? `${of.description} ${text}` : text,
    isWhole: false,
    ...pageThumb(guide, files, of),
  }
}

function shownColor({ words }: Guide, path: string, color: Color): ShownEntry {
  const { name, rgb, hex } = color
  const print = printValuesOf(color).map(({ system, value }) => `${system} ${value}`)
  return {
    path,
    title: name,
    where: words.search.color,
    text: [hex, `RGB ${rgb}`, ...print].join(' · '),
    isWhole: true,
    hex,
  }
}

function shownType({ words }: Guide, path: string, { name, family, size }: TypeStyle): ShownEntry {
  return {
    path,
    title: name,
    where: words.search.typeStyle,
    text: [family, size && `${size} px`].filter(Boolean).join(' · '),
    isWhole: true,
    ...LETTERS,
  }
}

/** A file with all formats of its item. */
function shownFile(
  { guide, library, itemOf }: Pick<ResultSource, 'guide' | 'library' | 'itemOf'>,
  of: BrandFile,
): ShownEntry {
  const group = library.groupWith.get(of.path) ?? [of]
  const item = itemOf(group)
  const { description } = pictureMetadata(of)
  const types = [...new Set(item.formats.map(typeName))].filter(type => type !== undefined)
  return {
    path: filePath(guide, library, item.shown),
    title: group.length > 1 ? item.name : (of.title ?? filename(of.path)),
    where: joinWords([guide.words.files.file, types.join(', ')], ' · '),
    text: description || of.path,
    isWhole: false,
    ...itemThumb(guide, item),
  }
}

/** The small picture of a result: a colour, a picture and the classes of its frame, or a sign such as `Aa` or `PDF`. */
export type Thumb = { hex?: string; picture?: string; look?: string; sign?: string }

const LETTERS: Thumb = { sign: 'Aa' }

function itemThumb(guide: Guide, { shown, preview, formats, ground }: LibraryItem): Thumb {
  if (preview?.kind === 'font' || isFont(shown)) return LETTERS
  const picture = preview?.kind === 'picture' ? shown : formats.find(file => previewOf(file)?.kind === 'picture')
  return picture ? pictureThumb(guide, picture, ground) : { sign: typeName(shown) ?? '…' }
}

/** The cover of a page; for a film, its poster. */
function pageThumb(guide: Guide, files: ReadonlyMap<string, BrandFile>, { cover, ground }: Page): Thumb {
  const file = cover?.file === undefined ? undefined : files.get(cover.file)
  const picture = shownPicture(file)?.file ?? (file && posterOf(files, file))
  return picture ? pictureThumb(guide, picture, ground ?? picture.ground) : {}
}

function pictureThumb(guide: Guide, file: BrandFile, ground: string | undefined): Thumb {
  const look = [
    ground === undefined ? isLight(file) && 'light' : `ground-${ground}`,
    PHOTOGRAPHS.has(file.contentType) && 'fill',
  ]
  return { picture: pictureAddresses(guide, file, 320).src, look: look.filter(Boolean).join(' ') }
}

const PHOTOGRAPHS = wordSet('image/avif image/jpeg image/webp')

/** The small picture of a result as HTML; undefined without one. */
export function thumbPart({ hex, picture, look, sign }: Thumb): Html | undefined {
  if (hex !== undefined) return html`<svg aria-hidden="true"><rect width="100%" height="100%" fill="${hex}"/></svg>`
  const inside = picture === undefined ? sign : html`<img src="${picture}" alt="" loading="lazy" decoding="async">`
  return inside === undefined ? undefined : html`<span class="thumb ${look}" aria-hidden="true">${inside}</span>`
}
