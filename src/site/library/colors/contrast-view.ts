import type { Color } from '../../../brand/color.ts'
import { CONTRAST_LEVELS, type Contrast, contrastOf } from '../../../brand/styles/contrast.ts'
import type { Representation } from '../../../serving/replies/response-cache.ts'
import { colorTile } from '../../cards/color-tile.ts'
import { treeHtml } from '../../cards/element.ts'
import { type Guide, pathBelow } from '../../guide/guide.ts'
import { type Html, html, type Word } from '../../html.ts'
import { guidePage } from '../../layout/layout.ts'
import { type ListPage, listPage, pageLinks, pageQuery, pageTitle } from '../../layout/pagination.ts'
import { oklabOf } from '../../theme/oklch.ts'
import type { Words } from '../../words/words.ts'
import { colorList, colorPath } from './color-list.ts'
import { pair } from './contrast-table.ts'

/**
 * One colour with its contrast to all others, in descending order. If there are several pages, the first has the
 * colours with the most contrast and the most similar ones. Undefined if the colour or page does not exist.
 */
export async function contrastView(guide: Guide, id: string, number: number): Promise<Representation | undefined> {
  const { words } = guide
  const colors = await guide.publication.content.colors()
  const ground = colors.find(color => color.id === id)
  if (!ground || !listPage(colors.slice(1), number, PAIRS_ON_PAGE)) return undefined
  const list = await colorList(guide)
  const pathOf = (color: Color) => colorPath(guide, list, color.id)
  const page = listPage(compareColors(colors, ground), number, PAIRS_ON_PAGE)
  if (!page) return undefined
  const name = `contrast/${encodeURIComponent(id)}`
  const main = html`<nav class="trail" aria-label="${words.frame.breadcrumb}"><ol><li><a href="${pathOf(ground)}">${words.sections.colors}</a></li></ol></nav>
<header class="prose"><h1>${words.colors.contrastWith({ color: ground.name })}</h1>
<p>${words.colors.contrastOn({ color: ground.name, hex: ground.hex })}${order(words, page)}</p></header>
<ul class="tiles">${treeHtml(colorTile({ words, color: ground, href: pathBelow(guide, name) }))}</ul>
${sections(page, { words, ground, pathOf })}${pageLinks(words, pathBelow(guide, name), page)}`
  return guidePage(guide, {
    title: pageTitle(words, words.colors.contrastWith({ color: ground.name }), page),
    below: `/-/${name}`,
    query: pageQuery(number),
    main,
  })
}

/** Pairs per page. */
const PAIRS_ON_PAGE = 200
/** The number of colours with the most contrast, and of the most similar ones, on the first of several pages. */
const MAX_FIRST = PAIRS_ON_PAGE / 2

type Compared = Contrast & { color: Color }

/** All other colours in display order. */
function compareColors(colors: readonly Color[], ground: Color): readonly Compared[] {
  const others = colors.filter(color => color !== ground)
  const all = others.map(color => ({ color, ...contrastOf(color.hex, ground.hex) }))
  const byContrast = all.sort((a, b) => b.ratio - a.ratio)
  if (byContrast.length <= PAIRS_ON_PAGE) return byContrast
  const rest = byContrast.slice(MAX_FIRST)
  const measured = rest.map(each => ({ each, distance: colorDistance(each.color.hex, ground.hex) }))
  const byDistance = measured.sort((a, b) => a.distance - b.distance)
  const nearest = byDistance.slice(0, MAX_FIRST).map(({ each }) => each)
  const isNear = new Set(nearest)
  return [...byContrast.slice(0, MAX_FIRST), ...nearest, ...rest.filter(each => !isNear.has(each))]
}

function order({ colors }: Words, { number, count }: ListPage<Compared>): string {
  if (count === 1) return ''
  if (number > 1) return ` ${colors.contrastRest}`
  return ` ${colors.contrastFirst({ first: MAX_FIRST })}`
}

type Context = { words: Words; ground: Color; pathOf: (color: Color) => string }

function sections(page: ListPage<Compared>, context: Context): Html[] {
  const { colors } = context.words
  const { entries, number, count } = page
  const isFirstOfMany = number === 1 && count > 1
  const pairs = entries.map(each => pairItem(each, context, isFirstOfMany))
  if (isFirstOfMany) {
    return [section(colors.mostContrast, pairs.slice(0, MAX_FIRST)), section(colors.nearest, pairs.slice(MAX_FIRST))]
  }
  const byLevel = Map.groupBy(pairs, (_, at) => entries[at]?.level)
  return CONTRAST_LEVELS.flatMap(level => {
    const items = byLevel.get(level)
    return items ? [section(colors.levelHeadings[level], items)] : []
  })
}

function pairItem({ color, text, level }: Compared, { words, ground, pathOf }: Context, hasLevel: boolean): Html {
  return html`<li>${pair(color.hex, ground.hex)}<span>${words.number(Number(text), 2)} ${hasLevel && html`<b>${words.colors.levels[level]}</b> `}<a href="${pathOf(color)}">${color.name}</a></span></li>\n`
}

function section(heading: Word, pairs: readonly Html[]): Html {
  return html`<h2>${heading}</h2>
<ul class="pairs">
${pairs}</ul>
`
}

/**
 * The perceived distance of two colours, each `#` and six hex digits: 0 for equal colours, 1 for black and white. It is
 * the distance in Oklab (CSS Color 4 §9.2).
 */
export function colorDistance(one: string, other: string): number {
  const [a, b] = [oklabOf(one), oklabOf(other)]
  return Math.hypot(...a.map((value, at) => value - (b[at] ?? 0)))
}
