import type { Color } from '../../../brand/color.ts'
import { colorAnchor, groupAnchor } from '../../../serving/addresses.ts'
import type { Representation } from '../../../serving/response-cache.ts'
import { type Guide, pathBelow } from '../../guide/guide.ts'
import { type Html, html, htmlInSteps } from '../../html.ts'
import { headingList } from '../../layout/heading-list.ts'
import { guidePage } from '../../layout/layout.ts'
import { listPage, pageLinks, pageQuery, pageTitle } from '../../layout/pagination.ts'
import { copyButton } from '../copy-button.ts'
import type { ColorGroup } from './color-groups.ts'
import { COLORS_ON_PAGE, colorList } from './color-list.ts'
import { contrastOf } from './contrast.ts'
import { contrastTable } from './contrast-table.ts'

/** The colours of a guide with all their values; undefined beyond the last page of them. */
export async function colorsView(guide: Guide, number: number): Promise<Representation | undefined> {
  const colors = await guide.publication.content.colors()
  const { groups, inRow } = await colorList(guide)
  const page = listPage(inRow, number, COLORS_ON_PAGE)
  if (!page) return undefined
  const isInTable = colors.length > 1 && colors.length <= MAX_IN_TABLE
  const contrastPage = colors.length > MAX_IN_TABLE ? pathBelow(guide, 'contrast') : undefined
  const swatches = await htmlInSteps(page.entries, ({ color }) => swatch(color, contrastPage))
  const shown = Array.from(
    Map.groupBy(swatches, (_, at) => page.entries[at]?.group),
    ([group, swatches]) => ({ heading: group && headingOf(group, group === groups[0]), swatches }),
  )
  const headings = shown.flatMap(({ heading }) => heading ?? [])
  if (isInTable) headings.push({ level: 2, id: 'contrast', text: 'Contrast with each other' })
  const main = html`<header class="prose"><h1>Colours</h1>
${introduction(colors)}</header>
${await htmlInSteps(shown, ({ heading, swatches }) => section(heading, swatches, colors.length > MAX_DRAWN))}
${isInTable && contrastTable(colors)}${pageLinks(pathBelow(guide, 'colors'), page)}`
  return guidePage(guide, {
    title: `Colours${pageTitle(page)}`,
    below: '/-/colors',
    query: pageQuery(number),
    main,
    aside: await headingList(headings),
    sheets: [guide.assets.path('colors.css')],
  })
}

/** With more colours, a table has too many columns to read: each has a page with its contrast to the others instead. */
const MAX_IN_TABLE = 24
/** Of more colours, a browser draws those out of sight when they come into view. */
const MAX_DRAWN = 60

function introduction(colors: readonly Color[]): Html {
  if (colors.length === 0) return html`<p class="lead">There are no colours in this guide.</p>`
  const isPrinted = colors.some(({ cmyk, pms, pms2, ral }) => [cmyk, pms, pms2, ral].some(value => value !== undefined))
  return html`${isPrinted && html`<p class="quiet">CMYK, PMS and RAL are for print and paint, as their authors gave them. A screen only approximates them.</p>\n`}<p class="quiet">Contrast is that of WCAG 2.2: AA asks for 4.5 between letters and their ground, or 3 where they are large (24 px, or 18.66 px bold); AAA asks for 7.</p>`
}

/** The heading of a group; colours without a group have none if they stand first. */
function headingOf({ id, name }: ColorGroup, isFirst: boolean): Heading2 | undefined {
  if (name === undefined && isFirst) return undefined
  if (name === undefined) return { level: 2, id: 'other-colors', text: 'Other colours' }
  return { level: 2, id: groupAnchor(id), text: name }
}

type Heading2 = { level: 2; id: string; text: string }

function section(heading: Heading2 | undefined, swatches: readonly Html[], isOfMany: boolean): Html {
  return html`${heading && html`<h2 id="${heading.id}">${heading.text}</h2>`}
<ul class="swatches${isOfMany && ' many'}">
${swatches}</ul>
`
}

function swatch(color: Color, contrastPage: string | undefined): Html {
  const { id, name, hex } = color
  const anchor = colorAnchor(id)
  const values = VALUES.map(([key, label]) => {
    const value = color[key]
    return value !== undefined && html`<dt>${label}</dt><dd>${value}${copyButton(String(value))}</dd>`
  })
  const [white, black] = [contrastOf(hex, '#ffffff'), contrastOf(hex, '#000000')]
  return html`<li id="${anchor}"><svg aria-hidden="true" fill="${hex}"><rect/></svg><p><a href="#${anchor}">${name}</a></p>
<dl>${values}<dt>On white</dt><dd>${white.text} <b>${white.level}</b></dd><dt>On black</dt><dd>${black.text} <b>${black.level}</b></dd></dl>${
    contrastPage !== undefined && html`<a href="${contrastPage}/${encodeURIComponent(id)}">Contrast with the others</a>`
  }</li>
`
}

const VALUES = [
  ['hex', 'Hex'],
  ['rgb', 'RGB'],
  ['cmyk', 'CMYK'],
  ['pms', 'PMS'],
  ['pms2', 'PMS 2'],
  ['ral', 'RAL'],
] as const
