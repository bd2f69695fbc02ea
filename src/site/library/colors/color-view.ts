import type { Color } from '#brand/color.ts'
import type { Page } from '#brand/page.ts'
import type { ColorGroup } from '#brand/styles/color-groups.ts'
import type { Representation } from '#serving/replies/response-cache.ts'
import { type ColorPair, darkPair, failingPairs, mutualPairs, pairList } from '../../cards/color-pairs.ts'
import { colorTile } from '../../cards/color-tile.ts'
import { treeHtml } from '../../cards/element.ts'
import { heading } from '../../cards/long-words.ts'
import {
  type ColorList,
  colorList,
  colorPath,
  entryIn,
  groupName,
  groupPath,
  recommendedPairs,
  shareOf,
} from '../../guide/color-list.ts'
import { type Guide, partInGuide, pathBelow } from '../../guide/guide.ts'
import { type Html, html, joinWords, type Word } from '../../html.ts'
import { sectionTrail } from '../../layout/head.ts'
import { guidePage, listEnd, MAX_ENTRIES } from '../../layout/layout.ts'
import { themeOf } from '../../theme/guide-theme.ts'
import type { Words } from '../../words/words.ts'
import { byContrast, compareColors } from './contrast-view.ts'

/**
 * The page of a colour: its values, the recommended pairs with it, its contrast with its own group and with the other
 * colours, and the pages that use it. Undefined if the colour does not exist.
 */
export async function colorView(guide: Guide, id: string): Promise<Representation | undefined> {
  const { words, publication } = guide
  const colors = await publication.content.colors()
  const list = await colorList(guide)
  const entry = entryIn(list, id)
  if (!entry) return undefined
  const { color, row } = entry
  const { group } = row
  const href = colorPath(guide, color.id)
  const title = groupName(words, list, group)
  const isInGroup = ({ letters }: ColorPair) => list.groups.length > 1 && group.colors.includes(letters)
  // A single group without a name has the name of the section.
  const between = title === words.sections.colors ? [] : [html`<a href="${groupPath(guide, list, group)}">${title}</a>`]
  const head = html`${sectionTrail(guide, 'colors', between)}${heading(1, color.name)}
`
  const main = html`<ul class="tiles stage-tiles">${await stageTile(guide, color, href)}</ul>
${pairsWith(words, list, color)}
${contrastParts(guide, colors, color, { title, isInGroup })}
${await usedIn(guide, color, group)}<p class="quiet color-note">${words.colors.wcag}</p>`
  return guidePage(guide, {
    title: color.name,
    kind: 'colors',
    description: color.use,
    below: partInGuide(guide, href),
    head,
    main,
    isWide: true,
  })
}

async function stageTile({ words, publication }: Guide, color: Color, href: string): Promise<Html> {
  const letters = (await themeOf(publication)).letterClass(color)
  return treeHtml(colorTile({ words, color, letters, href, title: color.hex, note: shareOf(words, color) }))
}

/** The recommended pairs that have a colour. */
function pairsWith(words: Words, list: ColorList, { id }: Color): Html | undefined {
  const pairs = recommendedPairs(list).filter(({ letters, ground }) => [letters.id, ground.id].includes(id))
  return section(words.colors.pairs, pairs.length, treeHtml(pairList(words, pairs.slice(0, MAX_PAIRS))))
}

const MAX_PAIRS = 60

/**
 * The contrast of a colour with its group, which has this title, with the other colours, and with those that have another
 * value on dark pages. All pairs without enough contrast are one closed row, below the other colours; those on dark pages
 * have their own.
 */
function contrastParts(
  guide: Guide,
  colors: readonly Color[],
  color: Color,
  { title, isInGroup }: { title: Word; isInGroup: (pair: ColorPair) => boolean },
): Html {
  const { words } = guide
  const compared = compareColors(colors, color)
  const others = compared.filter(pair => !isInGroup(pair))
  const inGroup = linkedPairs(guide, compared.filter(isInGroup))
  const withOthers = linkedPairs(guide, others)
  const onDark = linkedPairs(guide, byContrast(compared.flatMap(pair => darkPair(pair) ?? [])))
  const darkTitle = joinWords([words.colors.contrast, words.fields.dark], ' · ')
  return html`${contrastPart(words, title, inGroup, [])}${contrastPart(words, words.colors.contrastOthers, withOthers, [...inGroup, ...withOthers])}${contrastPart(words, darkTitle, onDark, onDark)}${listEnd(words, others.length, pathBelow(guide, 'exports/colors.csv'))}`
}

/** Pairs that link to the page of their letters; the heading above them names their scheme. */
function linkedPairs(guide: Guide, pairs: readonly ColorPair[]): ColorPair[] {
  return pairs.slice(0, MAX_ENTRIES).map(pair => ({ ...pair, isDark: false, href: colorPath(guide, pair.letters.id) }))
}

/** A section with those `pairs` that have enough contrast as lines for both directions, and the others of `all` as a row. */
function contrastPart(
  words: Words,
  title: Word,
  pairs: readonly ColorPair[],
  all: readonly ColorPair[],
): Html | undefined {
  const lists = [
    { shown: pairs.filter(({ level }) => level !== 'fails'), view: mutualPairs },
    { shown: all.filter(({ level }) => level === 'fails'), view: failingPairs },
  ].filter(({ shown }) => shown.length > 0)
  return section(title, lists.length, html`${lists.map(({ shown, view }) => treeHtml(view(words, shown)))}`)
}

/** A section of a page with a heading; undefined if it has no items. */
function section(title: Word, count: number, content: Html): Html | undefined {
  return count > 0 ? html`<h2>${title}</h2>\n${content}\n` : undefined
}

/** The pages that link to a colour or its group, or have it as a ground, in reading order. */
async function usedIn({ site, publication, words }: Guide, color: Color, group: ColorGroup): Promise<Html | undefined> {
  const pages = (await publication.content.pages()).values().filter(page => uses(page, color, group))
  const items = pages
    .take(MAX_PAGES)
    .map(({ id, name }) => html`<li><a href="${site.paths.page(publication.record, id)}">${name}</a></li>\n`)
    .toArray()
  return section(words.files.usedIn, items.length, html`<div class="prose"><ul class="page-list">\n${items}</ul></div>`)
}

const MAX_PAGES = 48

function uses({ cover, ground, bands = [], links }: Page, { id }: Color, group: ColorGroup): boolean {
  const isLinked = links.some(
    ({ to }) => to.list === 'colors' && (to.id === id || (group.id !== '' && to.group === group.id)),
  )
  return isLinked || [cover?.color, ground, ...bands].includes(id)
}
