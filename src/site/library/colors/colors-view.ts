import { type Color, printValuesOf } from '#brand/color.ts'
import type { ColorGroup } from '#brand/styles/color-groups.ts'
import { onDark } from '#brand/styles/dark-values.ts'
import { colorAnchor, groupAnchor } from '#serving/addresses.ts'
import type { Representation } from '#serving/replies/response-cache.ts'
import { type ColorPair, pairList } from '../../cards/color-pairs.ts'
import { colorTile } from '../../cards/color-tile.ts'
import { treeHtml } from '../../cards/element.ts'
import { fitClasses, stepsOf } from '../../cards/long-words.ts'
import { colorArea } from '../../cards/proportions.ts'
import { useLink } from '../../exports/use-panel.ts'
import {
  type ColorList,
  type ColorRow,
  colorList,
  colorPath,
  groupPath,
  recommendedPairs,
  shareOf,
} from '../../guide/color-list.ts'
import { type Guide, pathBelow } from '../../guide/guide.ts'
import { attribute, type Html, html, joinWords, type Word } from '../../html.ts'
import { libraryHead } from '../../layout/head.ts'
import { editLink, guidePage, headingList, type ListedHeading, listEnd, MAX_ENTRIES } from '../../layout/layout.ts'
import { type GuideTheme, themeOf } from '../../theme/guide-theme.ts'
import type { Words } from '../../words/words.ts'
import { contrastTable } from './contrast-view.ts'
import { firstPair, pairPicker } from './pair-view.ts'

/**
 * The page of all colours of a guide, from top to bottom: their shares as an area, tiles by group, two colours that the
 * reader chooses, the recommended pairs, and tables with the contrast of every two colours.
 */
export async function colorsView(guide: Guide): Promise<Representation> {
  const { words } = guide
  const colors = await guide.publication.content.colors()
  const list = await colorList(guide)
  const theme = await themeOf(guide.publication)
  const hasTables = colors.length > 1 && colors.length <= MAX_IN_TABLE
  const parts: Parts = {
    sections: sectionsOf(words, list.inRow.slice(0, MAX_ENTRIES), list.groups[0]),
    initialPair: await firstPair(guide, list),
    recommended: recommendedPairs(list).slice(0, MAX_PAIRS),
    tables: hasTables ? contrastTables(words, colors) : [],
  }
  // The note about WCAG is above the first table, or at the top of the page.
  const note = html`<p class="quiet color-note">${words.colors.wcag}</p>\n`
  const head = html`${libraryHead(guide, titleLink(guide, list))}${colors.length === 0 && html`<p class="lead">${words.colors.none}</p>`}`
  const main = html`${introduction(words, colors)}${colors.length > 0 && !hasTables && note}
${shareArea(words, colors, theme)}
${colors.length > 0 && formatSwitch(words, colors)}${tileLists(guide, list, parts.sections, theme)}${listEnd(words, colors.length, pathBelow(guide, 'exports/colors.csv'))}
${await pairsAndTables(guide, list, parts, note)}${colors.length > 0 && useLink(guide)}${await editLink(guide, { path: 'styles/colors.yaml' })}`
  return guidePage(guide, {
    kind: 'colors',
    title: `${words.sections.colors}`,
    below: '/-/colors',
    head,
    main,
    isWide: theme.layout !== 'docs',
    aside: headingList(words, headingsOf(guide, parts)),
  })
}

type Parts = {
  sections: readonly Section[]
  /** The colours that the form for a pair begins with. */
  initialPair: Awaited<ReturnType<typeof firstPair>>
  recommended: readonly ColorPair[]
  tables: readonly Table[]
}

/** The title of the page. It links to the stage of the first colours if their group has no heading that could. */
function titleLink(guide: Guide, list: ColorList): Html | Word {
  const { colors } = guide.words.sections
  const [firstGroup] = list.groups
  return firstGroup && firstGroup.name === undefined
    ? html`<a class="to-stage" href="${groupPath(guide, list, firstGroup)}">${colors}</a>`
    : colors
}

function shareArea(words: Words, colors: readonly Color[], { lettersOn }: GuideTheme): Html | false {
  const shares = colors.filter(color => color.proportion).map(color => ({ ...color, letters: lettersOn(color) }))
  return shares.length > 0 && treeHtml(colorArea(words, shares))
}

function tileLists(guide: Guide, list: ColorList, sections: readonly Section[], { letterClass }: GuideTheme): Html[] {
  const pathOf = ({ id }: Color) => colorPath(guide, id)
  return sections.map(each =>
    section(guide.words, each, { letterClass, pathOf, stage: groupPath(guide, list, each.group) }),
  )
}

async function pairsAndTables(
  guide: Guide,
  list: ColorList,
  { initialPair, recommended, tables }: Parts,
  note: Html,
): Promise<Html> {
  const { words } = guide
  const tableParts = tables.map((table, at) => contrastTable(words, table.colors, at === 0 ? note : html``, table))
  return html`${initialPair && (await pairPicker(guide, list, initialPair, false))}${recommended.length > 0 && html`<h2 id="pairs">${words.colors.pairs}</h2>\n${treeHtml(pairList(words, recommended))}\n`}${tableParts}`
}

/** The headings of the page in order, for the list next to it. The list in a copy leaves out the form. */
function headingsOf({ words, site }: Guide, { sections, initialPair, recommended, tables }: Parts): ListedHeading[] {
  const headings = sections.flatMap(({ heading }) => heading ?? [])
  if (initialPair && !site.copy) headings.push({ level: 2, id: 'picker', text: words.colors.tryPair })
  if (recommended.length > 0) headings.push({ level: 2, id: 'pairs', text: words.colors.pairs })
  for (const { id, title } of tables) headings.push({ level: 2, id, text: title })
  return headings
}

/** A table of contrast: its anchor, its title, and the colours with their values in one scheme. */
type Table = { id: string; title: Word; colors: readonly Color[] }

/** A table for each scheme in which colours differ. */
function contrastTables({ colors: { contrast }, fields }: Words, colors: readonly Color[]): Table[] {
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

/** A list of at most `MAX_TILES` tiles, all of one row. */
type Section = {
  group: ColorGroup
  /** The heading of the group, if this is its first section. */
  heading?: ListedHeading | undefined
  /** The colour whose tints these are, if this is the first section of their row. */
  base?: Color | undefined
  colors: Color[]
}

function sectionsOf(words: Words, entries: ColorList['inRow'], firstGroup: ColorGroup | undefined): Section[] {
  const sections: (Section & { row: ColorRow })[] = []
  for (const { color, row } of entries) {
    const latest = sections.at(-1)
    const isSameRow = latest?.row === row
    if (isSameRow && latest.colors.length < MAX_TILES) {
      latest.colors.push(color)
      continue
    }
    const { group } = row
    const heading = latest?.row.group === group ? undefined : headingOf(words, group, group === firstGroup)
    sections.push({ row, group, heading, base: isSameRow ? undefined : row.base, colors: [color] })
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
  const baseName = base && html`<p class="tile-name">${words.colors.tintsOf({ color: base.name })}</p>\n`
  return html`${heading && groupHeading(heading, extras.stage)}${baseName}<ul class="tiles${base && ' ramp'}">
${tiles}</ul>
`
}

function groupHeading({ id, text }: ListedHeading, stage: string): Html {
  const classes = fitClasses(stepsOf(`${text}`)).join(' ')
  return html`<h2${attribute('class', classes)} id="${id}"><a class="to-stage" href="${stage}">${text}</a></h2>\n`
}

/** The class of letters on a tile, the path of a colour's page, and the path of the group's stage. */
type Extras = Pick<GuideTheme, 'letterClass'> & { pathOf: (color: Color) => string; stage: string }

function tile(words: Words, color: Color, { pathOf, letterClass }: Extras): Html {
  const id = colorAnchor(color.id)
  const note = shareOf(words, color)
  return html`${treeHtml(colorTile({ words, color, letters: letterClass(color), note, id, href: pathOf(color) }))}
`
}
