import type { FormatGroup } from '#brand/library.ts'
import { libraryOf, usableFiles } from '#serving/publications/library.ts'
import type { Representation } from '#serving/replies/response-cache.ts'
import { type Guide, pathBelow } from '../../guide/guide.ts'
import { type Html, html, type Word } from '../../html.ts'
import { guidePage, listEnd, MAX_ENTRIES } from '../../layout/layout.ts'
import { guideText } from '../../texts/agent-texts.ts'
import type { Words } from '../../words/words.ts'
import { previewColors } from '../colors/color-list.ts'
import { selection } from './file-card.ts'
import { KINDS, type Kind } from './file-kind.ts'
import { type FileList, groupsByKind, groupsIn, listName, listOf, shownGroups } from './file-list.ts'
import { type FolderSizes, fileSections, wholeFolder } from './file-sections.ts'
import { folderSizes, isShownAsPicture, libraryItem } from './library-item.ts'
import { filterQuery, type UseFilter, useFields } from './use-filter.ts'
import { copyCheck } from './versions.ts'

/** A list of a guide's files, or of those that fit a filter; `name` is its path below `/-/`. Undefined if there is no such list. */
export async function filesView(guide: Guide, name: string, filter?: UseFilter): Promise<Representation | undefined> {
  const list = listOf(name)
  if (!list) return undefined
  const { words } = guide
  const library = await libraryOf(guide.publication.content)
  const all = shownGroups(guide, library, filter)
  const groups = groupsIn(all, list)
  const listed = groups.slice(0, MAX_ENTRIES)
  const sizes = folderSizes(await usableFiles(guide.publication.content, 'library'))
  const uses = await useFields(guide, library, filter)
  const { sections, hasGrounds, hasFonts, keptMs } = await fileSections(guide, library, listed)
  const isWhole = list === 'all' && !filter && listed.length === groups.length
  const main = html`<div class="titled"><h1>${words.sections.files}</h1>
<p class="to-check"><a href="#Check">${words.files.check.title}</a></p>
${library.files.size > 0 && archive(guide, sizes)}</div>
${kindLinks(guide, all, groupsByKind(all), { list, filter })}
<div class="filters">
${listed.length > 0 && filterField(words)}
<div class="swiped">
${
  uses &&
  html`<form class="uses" role="search" aria-label="${words.files.uses.title}" action="${pathBelow(guide, listName(list))}">
${uses}<button>${words.files.uses.show}</button>
</form>`
}
${hasGrounds && (await groundChoice(guide))}
</div></div>
${listed.length > 0 ? fileCount(words, groups.length, listed.length) : html`<p class="lead">${emptyMessage(words, list, filter)}</p>`}
${listed.length > 0 && selection(guide, sections, { isLong: listed.length > MAX_DRAWN_AT_ONCE, isWhole })}
${listEnd(words, groups.length, pathBelow(guide, 'files.zip'))}${copyCheck(guide)}`
  const title = list === 'all' ? words.sections.files : words.files.kinds[list]
  const view = await guidePage(guide, {
    title: `${title}`,
    kind: 'files',
    below: `/-/${listName(list)}`,
    main,
    sheets: hasGrounds || hasFonts ? [pathBelow(guide, `${listName(list)}.css`) + filterQuery(filter)] : [],
  })
  return { ...view, keptMs }
}

/** With more files, a browser draws offscreen cards only when they come into view. */
const MAX_DRAWN_AT_ONCE = 60

function archive(guide: Guide, sizes: FolderSizes): Html {
  const size = guide.words.bytes((sizes.get('files')?.bytes ?? 0) + (sizes.get('pages')?.bytes ?? 0))
  const address = guide.site.paths.folder(guide.publication.record, wholeFolder(sizes))
  return html`<p class="archive"><a href="${address}" download>${guide.words.files.downloadAll({ size })}</a></p>`
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

/** A field by which a script filters the listed items. */
function filterField({ files }: Words): Html {
  return html`<div class="narrow">
<label>${files.narrow} <input type="search" maxlength="200" autocomplete="off" spellcheck="false"></label></div>`
}

function fileCount({ files }: Words, count: number, listed: number): Html {
  return html`<p class="found quiet" role="status" data-some="${files.someOf({ found: '{found}', count: listed })}">${files.count({ count })}</p>`
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

/**
 * The style sheet of a list of files, `files.css` or `files/fonts.css`: a face and a class for each font, both named
 * from its content hash, and the colours for pictures. Undefined if the list has neither.
 */
export async function fileFaces(guide: Guide, name: string, filter?: UseFilter): Promise<Representation | undefined> {
  const list = listOf(name)
  if (!list) return undefined
  const { site, publication } = guide
  const groups = groupsIn(shownGroups(guide, await libraryOf(publication.content), filter), list)
  const items = groups.slice(0, MAX_ENTRIES).map(libraryItem)
  const rules = items.map(({ shown, preview }) => {
    if (preview?.kind !== 'font') return ''
    const { face, format } = preview
    const source = `url("${site.paths.file(publication.record, shown)}") format("${format}")`
    return `@font-face{font-family:${face};src:${source};font-display:block}.${face}{font-family:${face},system-ui}\n`
  })
  if (items.some(isShownAsPicture)) for (const { hex } of await previewColors(guide)) rules.push(groundRules(hex))
  const sheet = rules.join('')
  return sheet === '' ? undefined : guideText(guide, sheet, 'text/css')
}

/** The colour of a radio button, and of all pictures while it is checked. */
function groundRules(hex: string): string {
  const radio = `.grounds [value="${hex.slice(1)}"]`
  return `${radio}{background:${hex}}main:has(${radio}:checked) .tile{--on:${hex}}\n`
}
