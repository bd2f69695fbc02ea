import type { Color } from '#brand/color.ts'
import type { Page } from '#brand/page.ts'
import type { ColorGroup } from '#brand/styles/color-groups.ts'
import { onDark } from '#brand/styles/dark-values.ts'
import type { Representation } from '#serving/replies/response-cache.ts'
import { type ColorPair, mutualPairs, pairList } from '../../cards/color-pairs.ts'
import { colorTile } from '../../cards/color-tile.ts'
import { treeHtml } from '../../cards/element.ts'
import { heading } from '../../cards/long-words.ts'
import {
  type ColorList,
  colorList,
  colorPath,
  groupName,
  groupPath,
  groupWith,
  recommendedPairs,
  shareOf,
} from '../../guide/color-list.ts'
import { type Guide, partInGuide, pathBelow } from '../../guide/guide.ts'
import { type Html, html, joinWords, type Word } from '../../html.ts'
import { sectionTrail } from '../../layout/head.ts'
import { guidePage, listEnd, MAX_ENTRIES } from '../../layout/layout.ts'
import { themeOf } from '../../theme/guide-theme.ts'
import type { Words } from '../../words/words.ts'
import { compareColors } from './contrast-view.ts'

/**
 * The page of a colour: its values, the recommended pairs with it, its contrast with its own group and with the other
 * colours, and the pages that use it. Undefined if the colour does not exist.
 */
export async function colorView(guide: Guide, id: string): Promise<Representation | undefined> {
  const { words, publication } = guide
  const colors = await publication.content.colors()
  const list = await colorList(guide)
  const color = colors.find(each => each.id === id)
  const group = groupWith(list, id)
  if (!color || !group) return undefined
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
function pairsWith(words: Words, list: ColorList, { id }: Color): Html | false {
  const pairs = recommendedPairs(list).filter(({ letters, ground }) => [letters.id, ground.id].includes(id))
  return (
    pairs.length > 0 && html`<h2>${words.colors.pairs}</h2>\n${treeHtml(pairList(words, pairs.slice(0, MAX_PAIRS)))}`
  )
}

const MAX_PAIRS = 60

/** The contrast of a colour with its group, which has this title, with the other colours, and with all on dark pages. */
function contrastParts(
  guide: Guide,
  colors: readonly Color[],
  color: Color,
  { title, isInGroup }: { title: Word; isInGroup: (pair: ColorPair) => boolean },
): Html {
  const { words } = guide
  const compared = compareColors(colors, color)
  const others = compared.filter(pair => !isInGroup(pair))
  const dark = colors.some(each => each.dark !== undefined) ? compareColors(colors, color, onDark) : []
  const darkTitle = joinWords([words.colors.contrast, words.fields.dark], ' · ')
  return html`${contrastPart(guide, title, compared.filter(isInGroup))}${contrastPart(guide, words.colors.contrastOthers, others)}${contrastPart(guide, darkTitle, dark)}${listEnd(words, others.length, pathBelow(guide, 'exports/colors.csv'))}`
}

/** A section with pairs of other colours and this one, those without enough contrast closed; undefined without pairs. */
function contrastPart(guide: Guide, title: Word, pairs: readonly ColorPair[]): Html | undefined {
  if (pairs.length === 0) return undefined
  const shown = pairs.slice(0, MAX_ENTRIES).map(pair => ({ ...pair, href: colorPath(guide, pair.letters.id) }))
  return html`<h2>${title}</h2>\n${mutualPairs(guide.words, shown).map(treeHtml)}\n`
}

/** The pages that link to a colour or its group, or have it as a ground, in reading order. */
async function usedIn({ site, publication, words }: Guide, color: Color, group: ColorGroup): Promise<Html | undefined> {
  const pages = (await publication.content.pages()).values().filter(page => uses(page, color, group))
  const links = pages
    .take(MAX_PAGES)
    .map(({ id, name }) => html`<li><a href="${site.paths.page(publication.record, id)}">${name}</a></li>\n`)
  const items = links.toArray()
  if (items.length === 0) return undefined
  return html`<h2>${words.files.usedIn}</h2>\n<div class="prose"><ul class="page-list">\n${items}</ul></div>\n`
}

const MAX_PAGES = 48

function uses({ cover, ground, bands = [], links }: Page, { id }: Color, group: ColorGroup): boolean {
  const isLinked = links.some(
    ({ to }) => to.list === 'colors' && (to.id === id || (group.id !== '' && to.group === group.id)),
  )
  return isLinked || [cover?.color, ground, ...bands].includes(id)
}
