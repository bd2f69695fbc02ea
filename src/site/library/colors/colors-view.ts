import { type Color, printValuesOf } from '#brand/color.ts'
import type { ColorGroup } from '#brand/styles/color-groups.ts'
import { onDark } from '#brand/styles/dark-values.ts'
import { colorAnchor, groupAnchor } from '#serving/addresses.ts'
import type { Representation } from '#serving/replies/response-cache.ts'
import { pairList } from '../../cards/color-pairs.ts'
import { colorTile } from '../../cards/color-tile.ts'
import { treeHtml } from '../../cards/element.ts'
import { fitClasses, stepsOf } from '../../cards/long-words.ts'
import { colorArea } from '../../cards/proportions.ts'
import { useLink } from '../../exports/use-panel.ts'
import { type Guide, pathBelow } from '../../guide/guide.ts'
import { attribute, type Html, html, joinWords } from '../../html.ts'
import { editLink, guidePage, headingList, type ListedHeading, listEnd, MAX_ENTRIES } from '../../layout/layout.ts'
import { type GuideTheme, themeOf } from '../../theme/guide-theme.ts'
import type { Words } from '../../words/words.ts'
import {
  type ColorList,
  type ColorRow,
  colorList,
  colorPath,
  groupPath,
  recommendedPairs,
  shareOf,
} from './color-list.ts'
import { contrastTable } from './contrast-view.ts'
import { firstPair, pairPicker } from './pair-view.ts'

export async function colorsView(guide: Guide): Promise<Representation> {
  const { words } = guide
  const colors = await guide.publication.content.colors()
  const list = await colorList(guide)
  const isInTable = colors.length > 1 && colors.length <= MAX_IN_TABLE
  const sections = sectionsOf(words, list.inRow.slice(0, MAX_ENTRIES), list.groups[0])
  const theme = await themeOf(guide.publication)
  const spreads = sections.map(each =>
    section(words, each, {
      letterClass: theme.letterClass,
      pathOf: ({ id }) => colorPath(guide, id),
      stage: groupPath(guide, list, each.group),
    }),
  )
  const pair = await firstPair(guide, list)
  const pairs = recommendedPairs(list).slice(0, MAX_PAIRS)
  const shares = colors.filter(color => color.proportion).map(color => ({ ...color, letters: theme.lettersOn(color) }))
  const tables = isInTable ? contrastTables(words, colors) : []
  const headings = sections.flatMap(({ heading }) => heading ?? [])
  if (pair && !guide.site.copy) headings.push({ level: 2, id: 'picker', text: words.colors.tryPair })
  if (pairs.length > 0) headings.push({ level: 2, id: 'pairs', text: words.colors.pairs })
  for (const { id, title } of tables) headings.push({ level: 2, id, text: title })
  const note = html`<p class="quiet color-note">${words.colors.wcag}</p>\n`
  const first = list.groups[0]
  const title =
    first && first.name === undefined
      ? html`<a class="to-stage" href="${groupPath(guide, list, first)}">${words.sections.colors}</a>`
      : words.sections.colors
  const main = html`<header class="prose"><h1>${title}</h1>
${introduction(words, colors)}${colors.length > 0 && !isInTable && note}</header>
${shares.length > 0 && treeHtml(colorArea(words, shares))}
${colors.length > 0 && formatSwitch(words, colors)}${spreads}${listEnd(words, colors.length, pathBelow(guide, 'exports/colors.csv'))}
${pair && (await pairPicker(guide, list, pair, false))}${pairs.length > 0 && html`<h2 id="pairs">${words.colors.pairs}</h2>\n${treeHtml(pairList(words, pairs))}\n`}${tables.map(({ colors, ...each }, at) => contrastTable(words, colors, at === 0 ? note : html``, each))}${colors.length > 0 && useLink(guide)}${await editLink(guide, { path: 'styles/colors.yaml' })}`
  return guidePage(guide, {
    kind: 'colors',
    title: `${words.sections.colors}`,
    below: '/-/colors',
    main,
    isWide: theme.layout !== 'docs',
    aside: headingList(words, headings),
  })
}

/** A table for each scheme in which colours differ. */
function contrastTables({ colors: { contrast }, fields }: Words, colors: readonly Color[]) {
  const light = { id: 'contrast', title: contrast, colors }
  if (colors.every(({ dark }) => dark === undefined)) return [light]
  return [light, { id: 'contrast-dark', title: joinWords([contrast, fields.dark], ' · '), colors: colors.map(onDark) }]
}

/** A table of more colours would have too many columns to read: the page of each colour has its contrast. */
const MAX_IN_TABLE = 24
/** Tiles per list. */
const MAX_TILES = 60
const MAX_PAIRS = 200

function introduction(words: Words, colors: readonly Color[]): Html {
  if (colors.length === 0) return html`<p class="lead">${words.colors.none}</p>`
  const isPrinted = colors.some(color => printValuesOf(color).length > 0)
  return html`${isPrinted && html`<p class="quiet color-note">${words.colors.print}</p>\n`}`
}

/** Chooses which values have copy buttons; the style sheet hides the others. */
function formatSwitch({ colors: { copyAs } }: Words, colors: readonly Color[]): Html {
  const formats = FORMATS.filter(([format]) => format !== 'cmyk' || colors.some(({ cmyk }) => cmyk !== undefined))
  const options = formats.map(
    ([format, label], at) =>
      html`<label><input type="radio" name="format" value="${format}"${at === 0 && html` checked`}> ${label}</label>\n`,
  )
  return html`<fieldset class="color-formats"><legend>${copyAs}</legend>${options}</fieldset>\n`
}

const FORMATS = [
  ['hex', 'HEX'],
  ['rgb', 'RGB'],
  ['cmyk', 'CMYK'],
  ['oklch', 'OKLCH'],
] as const

/** A list of tiles, with the heading of its group or the name of its base on the first list of each on the page. */
type Section = {
  group: ColorGroup
  heading?: ListedHeading | undefined
  base?: Color | undefined
  colors: Color[]
}

function sectionsOf(words: Words, entries: ColorList['inRow'], first: ColorGroup | undefined): Section[] {
  const sections: (Section & { row: ColorRow })[] = []
  for (const { color, row } of entries) {
    const last = sections.at(-1)
    if (last?.row === row && last.colors.length < MAX_TILES) last.colors.push(color)
    else {
      const heading = last?.row.group === row.group ? undefined : headingOf(words, row.group, row.group === first)
      const base = last?.row === row ? undefined : row.base
      sections.push({ row, group: row.group, heading, base, colors: [color] })
    }
  }
  return sections
}

/** The heading of a group. Colours without a group have none if they come first. */
function headingOf({ colors }: Words, { id, name }: ColorGroup, isFirst: boolean): ListedHeading | undefined {
  if (name === undefined && isFirst) return undefined
  if (name === undefined) return { level: 2, id: 'other-colors', text: colors.others }
  return { level: 2, id: groupAnchor(id), text: name }
}

function section(words: Words, { heading, base, colors }: Section, extras: Extras): Html {
  const tiles = colors.map(color => tile(words, color, extras))
  const classes = fitClasses(stepsOf(`${heading?.text ?? ''}`)).join(' ')
  return html`${heading && html`<h2${attribute('class', classes)} id="${heading.id}"><a class="to-stage" href="${extras.stage}">${heading.text}</a></h2>\n`}${base && html`<p class="tile-name">${words.colors.tintsOf({ color: base.name })}</p>\n`}<ul class="tiles${base && ' ramp'}">
${tiles}</ul>
`
}

type Extras = Pick<GuideTheme, 'letterClass'> & { pathOf: (color: Color) => string; stage: string }

function tile(words: Words, color: Color, { pathOf, letterClass }: Extras): Html {
  const id = colorAnchor(color.id)
  const note = shareOf(words, color)
  return html`${treeHtml(colorTile({ words, color, letters: letterClass(color), note, id, href: pathOf(color) }))}
`
}
