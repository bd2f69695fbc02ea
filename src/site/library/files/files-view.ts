import { type BrandFile, folderOf, isExpired } from '../../../brand/file.ts'
import type { FormatGroup } from '../../../brand/library.ts'
import { libraryOf, usableFiles } from '../../../serving/publications/library.ts'
import type { Representation } from '../../../serving/replies/response-cache.ts'
import { type Guide, pathBelow } from '../../guide/guide.ts'
import { type Html, html, type Word } from '../../html.ts'
import { guidePage, listEnd, MAX_ENTRIES } from '../../layout/layout.ts'
import { fileText, guideText } from '../../texts/agent-texts.ts'
import { hasPng } from '../../thumbnails/pngs.ts'
import { SVG_TEXT } from '../../thumbnails/thumbnail.ts'
import type { Words } from '../../words/words.ts'
import { colorIn, colorList, previewColors } from '../colors/color-list.ts'
import { fontSamples } from '../type/font-sample.ts'
import { fileCard, sharedRights } from './file-card.ts'
import { KINDS, type Kind } from './file-kind.ts'
import { type FileList, groupsByKind, groupsIn, listName, listOf, shownGroups } from './file-list.ts'
import { folderSizes, folderTitle, isOnGround, type LibraryItem, libraryItem } from './library-item.ts'
import { filterQuery, type UseFilter, useFields } from './use-filter.ts'

/** A list of a guide's files, or of those that fit a filter; `name` is its path below `/-/`. Undefined if there is no such list. */
export async function filesView(guide: Guide, name: string, filter?: UseFilter): Promise<Representation | undefined> {
  const list = listOf(name)
  if (!list) return undefined
  const { words } = guide
  const library = await libraryOf(guide.publication.content)
  const all = shownGroups(guide, library, filter)
  const groups = groupsIn(all, list)
  const items = groups.slice(0, MAX_ENTRIES).map(libraryItem)
  const sizes = folderSizes(await usableFiles(guide.publication.content, 'library'))
  const hasPictures = items.some(isOnGround)
  const uses = await useFields(guide, library, filter)
  const colors = items.some(({ ground }) => ground !== undefined) ? await colorList(guide) : undefined
  const drawn = await drawnSvgs(guide, items)
  const fonts = items.flatMap(({ shown, preview }) => (preview?.kind === 'font' ? [shown] : []))
  const { sampleOf, keptMs } = await fontSamples(guide, fonts)
  const shared = sharedRights(guide, items)
  const cards = items.map(item =>
    fileCard(guide, item, { ground: colors && colorIn(colors, item.ground)?.hex, drawn, sampleOf, shared }),
  )
  const today = guide.publication.content.today()
  const folders = Map.groupBy(cards, (_, at) => {
    const first = items[at]?.first
    return first && !isExpired(first, today) ? folderOf(first.path) : EXPIRED
  })
  const main = html`<h1>${words.sections.files}</h1>
${library.files.size > 0 && archive(guide, sizes)}
${kindLinks(guide, all, groupsByKind(all), { list, filter })}
${
  uses &&
  html`<form class="uses" role="search" aria-label="${words.files.uses.title}" action="${pathBelow(guide, listName(list))}">
${uses}<button>${words.files.uses.show}</button>
</form>`
}
${hasPictures && (await groundChoice(guide))}
${items.length > 0 ? filterField(words, groups.length, items.length) : html`<p class="lead">${emptyMessage(words, list, filter)}</p>`}
${
  items.length > 0 &&
  choice(
    guide,
    items,
    Array.from(folders, ([folder, cards]) => section(guide, folder, cards, { sizes, rights: shared.get(folder) })),
  )
}
${listEnd(words, groups.length, pathBelow(guide, 'files.zip'))}`
  const title = list === 'all' ? words.sections.files : words.files.kinds[list]
  const view = await guidePage(guide, {
    title: `${title}`,
    below: `/-/${listName(list)}`,
    main,
    sheets: hasPictures || fonts.length > 0 ? [pathBelow(guide, `${listName(list)}.css`) + filterQuery(filter)] : [],
  })
  return { ...view, ...(keptMs !== undefined && { keptMs }) }
}

/** With more files, a browser draws offscreen cards only when they come into view. */
const MAX_DRAWN_AT_ONCE = 60

/** The section of expired files, whichever folder they are in. */
const EXPIRED = ''

function archive(guide: Guide, sizes: ReadonlyMap<string, number>): Html {
  const size = guide.words.bytes((sizes.get('files') ?? 0) + (sizes.get('pages') ?? 0))
  return html`<p class="archive"><a href="${pathBelow(guide, 'files.zip')}" download>${guide.words.files.downloadAll({ size })}</a></p>`
}

/** Links to the kinds of listed items. If the list has all items, a script filters it without a request. */
function kindLinks(
  guide: Guide,
  groups: readonly FormatGroup[],
  kinds: ReadonlyMap<Kind, readonly FormatGroup[]>,
  { list, filter }: { list: FileList; filter: UseFilter | undefined },
): Html | undefined {
  const { words } = guide
  if (kinds.size < 2 && (list === 'all' || kinds.has(list))) return undefined
  const link = (kind: FileList, name: Word, count: number): Html => {
    const current = kind === list && html` aria-current="page"`
    return html`<li><a href="${pathBelow(guide, listName(kind)) + filterQuery(filter)}" data-kind="${kind}"${current}>${name} <span>${words.number(count)}</span></a></li>\n`
  }
  const isWhole = list === 'all' && groups.length <= MAX_ENTRIES
  return html`<nav class="kinds" aria-label="${words.files.kindsOfFiles}"${isWhole && html` data-whole`}>
<ul>
${link('all', words.files.all, groups.length)}${KINDS.map(kind => kinds.has(kind) && link(kind, words.files.kinds[kind], kinds.get(kind)?.length ?? 0))}</ul>
</nav>`
}

/** The number of items; a script filters the listed ones by name. */
function filterField({ files }: Words, count: number, listed: number): Html {
  return html`<div class="narrow">
<label>${files.narrow} <input type="search" maxlength="200" autocomplete="off" spellcheck="false"></label></div>
<p class="found quiet" role="status" data-some="${files.someOf({ found: '{found}', count: listed })}">${files.count({ count })}</p>`
}

/** Radio buttons that show all pictures on a colour, by the style sheet of the list. */
async function groundChoice(guide: Guide): Promise<Html> {
  const { files } = guide.words
  const radio = (value: string, name: Word) =>
    html`<input type="radio" name="ground" value="${value}" aria-label="${name}" title="${name}" form="Png"${value === '' && html` checked`}>\n`
  return html`<form id="Png"><fieldset class="grounds"><legend>${files.previewOn}</legend>
${radio('', files.ownGround)}${(await previewColors(guide)).map(({ hex, name }) => radio(hex.slice(1), name))}</fieldset></form>`
}

function emptyMessage({ files }: Words, list: FileList, filter: UseFilter | undefined): Word {
  if (filter) return files.uses.none
  return list === 'all' ? files.none : files.noneOfKind
}

/** A form that requests an archive of the selected items, which only a service can make. */
function choice(guide: Guide, items: readonly LibraryItem[], sections: readonly Html[]): Html {
  const { files } = guide.words
  const isLong = items.length > MAX_DRAWN_AT_ONCE
  if (guide.copy)
    return html`<div class="choice${isLong && ' many'}">
${sections}</div>`
  return html`<form class="choice${isLong && ' many'}" action="${pathBelow(guide, 'files.zip')}">
<input type="hidden" name="formats" value="all">
${sections}<p class="chosen"><button data-many="${files.tooMany}">${files.downloadChosen} <span></span></button> <button type="reset">${files.clear}</button></p>
</form>`
}

function section(
  guide: Guide,
  folder: string,
  cards: readonly Html[],
  { sizes, rights }: { sizes: ReadonlyMap<string, number>; rights: Html | undefined },
): Html {
  const title = folder === EXPIRED ? guide.words.files.expired : folderTitle(guide.words, folder)
  const size = guide.words.bytes(sizes.get(folder) ?? 0)
  const address = guide.paths.folder(guide.publication.record, folder)
  const kit =
    folder.startsWith('files/') &&
    html`<a href="${address}" download aria-label="${guide.words.files.downloadFolder({ folder: `${title}`, size })}">${guide.words.list(['ZIP', size])}</a>\n`
  return html`<section class="folder">
<h2>${title}</h2>
${kit}${rights}<ul class="files">
${cards}</ul>
</section>
`
}

/** The SVGs of these items that can be drawn as PNGs: those without text, whose fonts are missing there. */
async function drawnSvgs(guide: Guide, items: readonly LibraryItem[]): Promise<ReadonlySet<BrandFile>> {
  const drawn = new Set<BrandFile>()
  const files = guide.copy ? [] : items.flatMap(({ formats }) => formats.filter(hasPng))
  const queue = files.values()
  const readQueue = async () => {
    for (const file of queue) {
      // A list is complete even if a file is damaged.
      const text = await fileText(guide, file).catch(() => undefined)
      if (text !== undefined && !SVG_TEXT.test(text)) drawn.add(file)
    }
  }
  await Promise.all(Array.from({ length: MAX_OPEN }, readQueue))
  return drawn
}

const MAX_OPEN = 8

/**
 * The style sheet of a list of files, `files.css` or `files/fonts.css`: a face and a class for each font, both named
 * from its content hash, and the colours for pictures. Undefined if the list has neither.
 */
export async function fileFaces(guide: Guide, name: string, filter?: UseFilter): Promise<Representation | undefined> {
  const list = listOf(name)
  if (!list) return undefined
  const { publication, paths } = guide
  const groups = groupsIn(shownGroups(guide, await libraryOf(publication.content), filter), list)
  const items = groups.slice(0, MAX_ENTRIES).map(libraryItem)
  const rules = items.map(({ shown, preview }) => {
    if (preview?.kind !== 'font') return ''
    const { face, format } = preview
    const source = `url("${paths.file(publication.record, shown)}") format("${format}")`
    return `@font-face{font-family:${face};src:${source};font-display:block}.${face}{font-family:${face},system-ui}\n`
  })
  if (items.some(isOnGround)) for (const { hex } of await previewColors(guide)) rules.push(groundRules(hex))
  const sheet = rules.join('')
  return sheet === '' ? undefined : guideText(guide, sheet, 'text/css')
}

/** The colour of a radio button, and of all pictures while it is checked. */
function groundRules(hex: string): string {
  const radio = `.grounds [value="${hex.slice(1)}"]`
  return `${radio}{background:${hex}}main:has(${radio}:checked) .tile{--on:${hex}}\n`
}
