import { type BrandFile, filename, isFont } from '../../brand/file.ts'
import type { TypeStyle } from '../../brand/type-style.ts'
import type { Made } from '../../serving/prepared.ts'
import { guidePage } from '../frame.ts'
import { type Guide, pathBelow } from '../guide.ts'
import { headingList } from '../heading-list.ts'
import { type Html, html } from '../html.ts'
import { copyButton } from './copy-button.ts'
import { cssString, styleDeclarations } from './css-text.ts'
import { familiesOf, fontFaces } from './font-faces.ts'
import { specimen } from './specimen.ts'
import { styleAnchor } from './style-anchor.ts'

/** The type styles of a guide as they look, and its fonts. */
export async function typeView(guide: Guide): Promise<Made> {
  const { publication, paths } = guide
  const [types, files] = await Promise.all([publication.content.types(), publication.content.files()])
  const families = familiesOf(fontFaces(files.values()))
  const unread = [...files.values()].filter(file => isFont(file) && !file.metadata)
  const address = (file: BrandFile) => paths.file(publication.record, file)
  const hasFonts = families.size + unread.length > 0
  const headings = [
    ...(types.length > 0 ? [{ level: 2, id: 'styles', text: 'Styles' }] : []),
    ...types.map(({ id, name }) => ({ level: 3, id: styleAnchor('type', id), text: name })),
    ...(hasFonts ? [{ level: 2, id: 'fonts', text: 'Fonts' }] : []),
  ]
  const main = html`<header class="prose"><h1>Type</h1>
${types.length === 0 && !hasFonts && html`<p class="lead">There are no type styles and no fonts in this guide.</p>`}</header>
${types.length > 0 && html`<h2 id="styles">Styles</h2>\n`}${types.map(style => styleSample(style, families))}
${hasFonts && html`<h2 id="fonts">Fonts</h2>\n`}${[...families].map(([name, faces]) => specimen(name, faces, address))}
${unread.map(file => html`<p><a href="${address(file)}" download>${filename(file.path)}</a> cannot be read as a font, so it is not shown.</p>\n`)}`
  const sheets = [guide.assets.path('type.css'), pathBelow(guide, 'type.css')]
  return guidePage(guide, { title: 'Type', below: '/-/type', main, aside: headingList(headings), sheets })
}

function styleSample(style: TypeStyle, families: ReadonlyMap<string, unknown>): Html {
  const { id, name, family } = style
  const anchor = styleAnchor('type', id)
  const css = styleDeclarations(style, family === undefined ? undefined : cssString(family))
  const values = valuesOf(style).map(([label, value]) => html`<dt>${label}</dt><dd>${value}</dd>`)
  return html`<article class="style" id="${anchor}">
<h3><a href="#${anchor}">${name}</a></h3>
<div class="sample" role="region" aria-label="Sample of ${name}" tabindex="0"><p class="${anchor}">${(style.size ?? 0) < LARGE ? SAMPLE : LARGE_SAMPLE}</p></div>
${fontNote(family, families)}
${values.length > 0 && html`<dl>${values}</dl>\n`}${
  css.length > 0 &&
  html`<div class="css"><pre><code>${css.join(';\n')};</code></pre>${copyButton(`the CSS of ${name}`)}</div>\n`
}</article>
`
}

/** Of this size, px, a line holds few letters. */
const LARGE = 40

/** Lines of their own, which break nowhere: however wide a font is, what stands below stays where it is as it comes. */
const LARGE_SAMPLE = html`The five boxing<br>wizards jump<br>quickly: 1/2`
const SAMPLE = html`The five boxing wizards jump<br>quickly. Jackdaws love my big<br>sphinx of quartz: 1/2, 27 of 180.`

function fontNote(family: string | undefined, families: ReadonlyMap<string, unknown>): Html | undefined {
  if (family === undefined) return html`<p class="quiet">No font is given, so it is shown in that of this website.</p>`
  if (families.has(family)) return undefined
  return html`<p class="quiet">${family} is not among this guide’s files, so it is shown in another font.</p>`
}

function valuesOf(style: TypeStyle): readonly (readonly [label: string, value: string | number])[] {
  const { family, size, leading, tracking, casing, spacing, responsive } = style
  const features = Object.entries(style.features).map(([tag, value]) => `${tag} ${value}`)
  const values = [
    ['Family', family],
    ['Size', size === undefined ? undefined : `${size} px`],
    ['Leading', leading],
    ['Tracking', tracking === undefined ? undefined : `${tracking} em`],
    ['Casing', casing === 'none' ? undefined : casing],
    ['Spacing', spacing === undefined ? undefined : `${spacing} em after a paragraph`],
    ['Responsive', responsive ? 'the size follows the screen' : undefined],
    ['Features', features.length === 0 ? undefined : features.join(', ')],
  ] as const
  return values.flatMap(([label, value]) => (value === undefined ? [] : [[label, value] as const]))
}
