import { inSteps } from '../../../base/steps.ts'
import type { Color } from '../../../brand/color.ts'
import type { ColorGroup } from '../../../brand/styles/color-groups.ts'
import { colorAnchor, groupAnchor } from '../../../serving/addresses.ts'
import type { Representation } from '../../../serving/replies/response-cache.ts'
import { colorTile } from '../../cards/color-tile.ts'
import { treeHtml } from '../../cards/element.ts'
import { useHeading, usePanel } from '../../exports/use-panel.ts'
import { type Guide, pathBelow } from '../../guide/guide.ts'
import { type Html, html } from '../../html.ts'
import { headingList, type ListedHeading } from '../../layout/heading-list.ts'
import { guidePage } from '../../layout/layout.ts'
import { listPage, pageLinks, pageQuery, pageTitle } from '../../layout/pagination.ts'
import type { Words } from '../../words/words.ts'
import { COLORS_ON_PAGE, type ColorRow, colorList } from './color-list.ts'
import { colorPairs } from './color-pairs.ts'
import { contrastTable } from './contrast-table.ts'
import { colorProportions } from './proportions.ts'

/** The colours of a guide with all their values; undefined beyond the last page. */
export async function colorsView(guide: Guide, number: number): Promise<Representation | undefined> {
  const { words } = guide
  const colors = await guide.publication.content.colors()
  const list = await colorList(guide)
  const page = listPage(list.inRow, number, COLORS_ON_PAGE)
  if (!page) return undefined
  const isInTable = colors.length > 1 && colors.length <= MAX_IN_TABLE
  const contrastPage = colors.length > MAX_IN_TABLE ? pathBelow(guide, 'contrast') : undefined
  const tiles = await inSteps(page.entries, ({ color }) => tile(words, color, contrastPage))
  const shown = sectionsOf(
    words,
    Array.from(
      Map.groupBy(tiles, (_, at) => page.entries[at]?.row),
      ([row, tiles]) => ({ row, tiles }),
    ),
    list.groups[0],
  )
  const pairs = number === 1 ? await colorPairs(guide, colors, list) : undefined
  const headings = shown.flatMap(({ heading }) => heading ?? [])
  if (pairs) headings.push({ level: 2, id: 'pairs', text: words.colors.pairs })
  if (isInTable) headings.push({ level: 2, id: 'contrast', text: words.colors.contrast })
  const use = number === 1 && colors.length > 0 ? await usePanel(guide, 'colors') : undefined
  if (use) headings.push(useHeading(words))
  const note = html`<p class="quiet color-note">${words.colors.wcag}</p>\n`
  const main = html`<header class="prose"><h1>${words.sections.colors}</h1>
${introduction(words, colors)}${colors.length > 0 && !isInTable && note}</header>
${number === 1 && (await colorProportions(guide, colors, list))}
${await inSteps(shown, each => section(words, each, colors.length > MAX_DRAWN_AT_ONCE))}
${pairs && html`<h2 id="pairs">${words.colors.pairs}</h2>\n${pairs}`}${isInTable && contrastTable(words, colors, note)}${use}${pageLinks(words, pathBelow(guide, 'colors'), page)}`
  return guidePage(guide, {
    title: pageTitle(words, words.sections.colors, page),
    below: '/-/colors',
    query: pageQuery(number),
    main,
    aside: await headingList(words, headings),
  })
}

/** A table of more colours would have too many columns to read: each colour gets a contrast page instead. */
const MAX_IN_TABLE = 24
/** With more tiles, a browser draws offscreen tiles only when they come into view. */
const MAX_DRAWN_AT_ONCE = 60

function introduction(words: Words, colors: readonly Color[]): Html {
  if (colors.length === 0) return html`<p class="lead">${words.colors.none}</p>`
  const isPrinted = colors.some(({ cmyk, pms, pms2, ral }) => [cmyk, pms, pms2, ral].some(value => value !== undefined))
  return html`${isPrinted && html`<p class="quiet color-note">${words.colors.print}</p>\n`}`
}

/** A row of tiles, with the heading of its group on the first row of that group on the page. */
type Section = { heading?: ListedHeading | undefined; base?: Color | undefined; tiles: readonly Html[] }

function sectionsOf(
  words: Words,
  rows: readonly { row: ColorRow | undefined; tiles: readonly Html[] }[],
  first: ColorGroup | undefined,
): Section[] {
  return rows.map(({ row, tiles }, at) => {
    const isFirstOfGroup = row?.group !== rows[at - 1]?.row?.group
    const heading = row && isFirstOfGroup ? headingOf(words, row.group, row.group === first) : undefined
    return { heading, base: row?.base, tiles }
  })
}

/** The heading of a group. Colours without a group have none if they come first. */
function headingOf({ colors }: Words, { id, name }: ColorGroup, isFirst: boolean): ListedHeading | undefined {
  if (name === undefined && isFirst) return undefined
  if (name === undefined) return { level: 2, id: 'other-colors', text: colors.others }
  return { level: 2, id: groupAnchor(id), text: name }
}

function section({ colors }: Words, { heading, base, tiles }: Section, isOfMany: boolean): Html {
  const isTall = !base && tiles.length <= MAX_TALL
  const isInThirds = emptyIn(3, tiles.length) < emptyIn(4, tiles.length)
  return html`${heading && html`<h2 id="${heading.id}">${heading.text}</h2>\n`}${base && html`<p class="quiet color-note">${colors.tintsOf(base.name)}</p>\n`}<ul class="tiles${isTall ? ' tall' : isInThirds && ' thirds'}${base && ' tints'}${isOfMany && ' many'}">
${tiles}</ul>
`
}

/** With at most this many colours, there is space to show them large. */
const MAX_TALL = 4

/** The number of empty cells in the last row of a grid. */
function emptyIn(columns: number, count: number): number {
  return (columns - (count % columns)) % columns
}

function tile(words: Words, color: Color, contrastPage: string | undefined): Html {
  const id = colorAnchor(color.id)
  return html`${treeHtml(
    colorTile({
      words,
      color,
      id,
      href: `#${id}`,
      hasContrast: true,
      contrastPath: contrastPage && `${contrastPage}/${encodeURIComponent(color.id)}`,
    }),
  )}
`
}
