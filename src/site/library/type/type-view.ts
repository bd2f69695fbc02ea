import { type BrandFile, filename } from '../../../brand/file.ts'
import type { TypeStyle } from '../../../brand/type-style.ts'
import { typeAnchor } from '../../../serving/addresses.ts'
import type { Representation } from '../../../serving/response-cache.ts'
import { type Guide, pathBelow } from '../../guide/guide.ts'
import { type Html, html, htmlInSteps } from '../../html.ts'
import { headingList } from '../../layout/heading-list.ts'
import { guidePage } from '../../layout/layout.ts'
import { pageLinks, pageQuery, pageTitle } from '../../layout/pagination.ts'
import { copyButton } from '../copy-button.ts'
import { cssString, styleDeclarations } from './css-text.ts'
import { fontLine, specimen } from './specimen.ts'
import { typePage } from './type-list.ts'

/** The type styles of a guide as they look, and its fonts; undefined beyond the last page of them. */
export async function typeView(guide: Guide, number: number): Promise<Representation | undefined> {
  const { publication, paths } = guide
  const found = await typePage(guide, number)
  if (!found) return undefined
  const { page, fonts } = found
  const styles = page.entries.flatMap(entry => (entry.kind === 'style' ? [entry.style] : []))
  const faces = page.entries.flatMap(entry => (entry.kind === 'face' ? [entry.face] : []))
  const unread = page.entries.flatMap(entry => (entry.kind === 'unread' ? [entry.file] : []))
  const address = (file: BrandFile) => paths.file(publication.record, file)
  const hasFonts = faces.length + unread.length > 0
  const headings = [
    ...(styles.length > 0 ? [{ level: 2, id: 'styles', text: 'Styles' }] : []),
    ...styles.map(({ id, name }) => ({ level: 3, id: typeAnchor(id), text: name })),
    ...(hasFonts ? [{ level: 2, id: 'fonts', text: 'Fonts' }] : []),
  ]
  const lines = await htmlInSteps(faces, face => fontLine(face, address(face.file)))
  const families = Map.groupBy(lines, (_, at) => faces[at]?.family ?? '')
  const specimens = await htmlInSteps(families, ([family, lines]) => specimen(family, lines, fonts.regular(family)[0]))
  const main = html`<header class="prose"><h1>Type</h1>
${page.entries.length === 0 && html`<p class="lead">There are no type styles and no fonts in this guide.</p>`}</header>
${styles.length > 0 && html`<h2 id="styles">Styles</h2>\n`}${await htmlInSteps(styles, style => styleSample(style, fonts.families))}
${hasFonts && html`<h2 id="fonts">Fonts</h2>\n`}${specimens}
${await htmlInSteps(unread, file => unreadNote(file, address(file)))}${pageLinks(pathBelow(guide, 'type'), page)}`
  return guidePage(guide, {
    title: `Type${pageTitle(page)}`,
    below: '/-/type',
    query: pageQuery(number),
    main,
    aside: await headingList(headings),
    sheets: [guide.assets.path('type.css'), `${pathBelow(guide, 'type.css')}${pageQuery(number)}`],
  })
}

function unreadNote(file: BrandFile, address: string): Html {
  return html`<p><a href="${address}" download>${filename(file.path)}</a> cannot be read as a font, so it is not shown.</p>\n`
}

function styleSample(style: TypeStyle, families: ReadonlyMap<string, unknown>): Html {
  const { id, name, family } = style
  const anchor = typeAnchor(id)
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

/** In px; of this size, a line has room for few letters. */
const LARGE = 40

/** The lines do not wrap, so that nothing below them moves when the font arrives. */
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
