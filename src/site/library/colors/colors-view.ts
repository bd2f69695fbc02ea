import { type Color, printValuesOf } from '#brand/color.ts'
import type { ColorGroup } from '#brand/styles/color-groups.ts'
import { contrastOf } from '#brand/styles/contrast.ts'
import { colorAnchor, groupAnchor } from '#serving/addresses.ts'
import type { Representation } from '#serving/replies/response-cache.ts'
import { type Place, type Placed, spreadPlaces } from '../../cards/color-spread.ts'
import { colorTile } from '../../cards/color-tile.ts'
import { element, treeHtml } from '../../cards/element.ts'
import { proportionStrip } from '../../cards/proportion-strip.ts'
import { useLink } from '../../exports/use-panel.ts'
import { type Guide, pathBelow } from '../../guide/guide.ts'
import { type Html, html } from '../../html.ts'
import { editLink, guidePage, headingList, type ListedHeading, listEnd, MAX_ENTRIES } from '../../layout/layout.ts'
import { type GuideTheme, themeOf } from '../../theme/guide-theme.ts'
import type { Words } from '../../words/words.ts'
import { type ColorList, type ColorRow, colorIn, colorList, colorPath, groupPath } from './color-list.ts'
import { contrastTable, pair } from './contrast-view.ts'
import { firstPair, pairPicker } from './pair-view.ts'

export async function colorsView(guide: Guide): Promise<Representation> {
  const { words } = guide
  const colors = await guide.publication.content.colors()
  const list = await colorList(guide)
  const isInTable = colors.length > 1 && colors.length <= MAX_IN_TABLE
  const contrastPage = colors.length > MAX_IN_TABLE ? pathBelow(guide, 'contrast') : undefined
  const sections = sectionsOf(words, list.inRow.slice(0, MAX_ENTRIES), list.groups[0])
  const theme = await themeOf(guide.publication)
  const placed: Placed[] = []
  const spreads = sections.map(each => {
    const places = spreadPlaces(each.colors, each.isRamp, placed)
    placed.push(...places)
    return section(words, each, places, {
      contrastPage,
      letterClass: theme.letterClass,
      stage: groupPath(guide, list, each.group),
    })
  })
  const pair = await firstPair(guide, list)
  const pairs = colorPairs(guide, colors, list)
  const headings = sections.flatMap(({ heading }) => heading ?? [])
  if (pair && !guide.site.copy) headings.push({ level: 2, id: 'picker', text: words.colors.tryPair })
  if (pairs) headings.push({ level: 2, id: 'pairs', text: words.colors.pairs })
  if (isInTable) headings.push({ level: 2, id: 'contrast', text: words.colors.contrast })
  const note = html`<p class="quiet color-note">${words.colors.wcag}</p>\n`
  const first = list.groups[0]
  const title =
    first && first.name === undefined
      ? html`<a class="to-stage" href="${groupPath(guide, list, first)}">${words.sections.colors}</a>`
      : words.sections.colors
  const main = html`<header class="prose"><h1>${title}</h1>
${introduction(words, colors)}${colors.length > 0 && !isInTable && note}</header>
${colorProportions(guide, colors, list, theme)}
${colors.length > 0 && formatSwitch(words, colors)}${spreads}${listEnd(words, colors.length, pathBelow(guide, 'exports/colors.csv'))}
${pair && (await pairPicker(guide, list, pair, false))}${pairs && html`<h2 id="pairs">${words.colors.pairs}</h2>\n${pairs}`}${isInTable && contrastTable(words, colors, note)}${colors.length > 0 && useLink(guide)}${await editLink(guide, { path: 'styles/colors.yaml' })}`
  return guidePage(guide, {
    kind: 'colors',
    title: `${words.sections.colors}`,
    below: '/-/colors',
    main,
    aside: headingList(words, headings),
  })
}

/** A table of more colours would have too many columns to read: each colour gets a contrast page instead. */
const MAX_IN_TABLE = 24
/** Tiles per list. */
const MAX_TILES = 60

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
  isRamp: boolean
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
      sections.push({ row, group: row.group, heading, base, isRamp: row.base !== undefined, colors: [color] })
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

function section(words: Words, { heading, base, isRamp, colors }: Section, places: Place[], extras: Extras): Html {
  const tiles = colors.map((color, at) => tile(words, color, places[at], extras))
  return html`${heading && html`<h2 id="${heading.id}"><a class="to-stage" href="${extras.stage}">${heading.text}</a></h2>\n`}${base && html`<p class="tile-name">${words.colors.tintsOf({ color: base.name })}</p>\n`}<ul class="tiles${isRamp && ' ramp'}">
${tiles}</ul>
`
}

type Extras = Pick<GuideTheme, 'letterClass'> & { contrastPage: string | undefined; stage: string }

function tile(words: Words, color: Color, place: Place | undefined, { contrastPage, letterClass }: Extras): Html {
  const id = colorAnchor(color.id)
  const contrastPath = contrastPage && `${contrastPage}/${encodeURIComponent(color.id)}`
  return html`${treeHtml(colorTile({ words, color, letters: letterClass(color), id, href: `#${id}`, place, contrastPath }))}
`
}

/** The share of the brand's surface for each colour; undefined if the project gives none. */
function colorProportions(
  guide: Guide,
  colors: readonly Color[],
  list: ColorList,
  { lettersOn }: GuideTheme,
): Html | undefined {
  const { words } = guide
  const given = colors.filter(({ proportion }) => proportion !== undefined).slice(0, MAX_SHARES)
  if (given.length === 0) return undefined
  const shares = given.map(color => {
    const { id, name, hex, proportion = 0 } = color
    const link = element('a', { href: colorPath(guide, list, id) }, name)
    return {
      hex,
      letters: lettersOn(color),
      proportion,
      line: [link, { type: 'text', value: ` ${words.share(proportion)}` } as const],
    }
  })
  return treeHtml(proportionStrip(words, shares))
}

const MAX_SHARES = 100

/** The colour pairs of text and background that the project recommends; undefined if there are none. */
function colorPairs(guide: Guide, colors: readonly Color[], list: ColorList): Html | undefined {
  const { words } = guide
  const pairs: { letters: Color; ground: Color }[] = []
  for (const letters of colors) {
    if (pairs.length >= MAX_PAIRS) break
    for (const id of letters.on ?? []) {
      const ground = colorIn(list, id)
      if (ground && ground !== letters) pairs.push({ letters, ground })
    }
  }
  if (pairs.length === 0) return undefined
  const items = pairs.slice(0, MAX_PAIRS).map(({ letters, ground }) => {
    const { text, level } = contrastOf(letters.hex, ground.hex)
    const link = ({ id, name }: Color) => html`<a href="${colorPath(guide, list, id)}">${name}</a>`
    const [contrast, rating] = [words.number(Number(text), 2), words.colors.levels[level]]
    return html`<li>${pair(letters.hex, ground.hex)}<p>${words.colors.pair({ letters: link(letters), ground: link(ground) })}<br>${contrast} <b>${rating}</b></p></li>\n`
  })
  return html`<ul class="pairs">\n${items}</ul>\n`
}

const MAX_PAIRS = 200
