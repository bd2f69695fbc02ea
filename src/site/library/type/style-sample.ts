import type { TypeStyle } from '../../../brand/type-style.ts'
import { typeAnchor } from '../../../serving/addresses.ts'
import { type Html, html } from '../../html.ts'
import { copyButton } from '../copy-button.ts'
import { familyList, styleDeclarations } from './css-text.ts'

/** A type style as it looks, its values, and its CSS to copy. */
export function styleSample(style: TypeStyle, families: ReadonlyMap<string, unknown>): Html {
  const { id, name, family, fallback = [] } = style
  const anchor = typeAnchor(id)
  const names = [...(family === undefined ? [] : [family]), ...fallback]
  const css = styleDeclarations(style, names.length === 0 ? undefined : familyList(names))
  const values = valuesOf(style).map(([label, value]) => html`<dt>${label}</dt><dd>${value}</dd>`)
  return html`<article class="style" id="${anchor}">
<h3><a href="#${anchor}">${name}</a></h3>
<div class="sample"><p class="${anchor}">${sampleText(style)}</p></div>
${fontNote(family, families)}
${values.length > 0 && html`<dl>${values}</dl>\n`}${
  css.length > 0 &&
  html`<div class="css"><pre><code>${css.join(';\n')};</code></pre>${copyButton(`the CSS of ${name}`)}</div>\n`
}</article>
`
}

/** What a type style is shown with: the brand's words, else a sentence with every letter. */
function sampleText({ sample, size = 0 }: TypeStyle): string {
  return sample ?? (size < LARGE ? SAMPLE : LARGE_SAMPLE)
}

/** In px; of this size, a line has room for few letters. */
const LARGE = 40
const LARGE_SAMPLE = 'The five boxing wizards jump quickly: 1/2'
const SAMPLE = 'The five boxing wizards jump quickly. Jackdaws love my big sphinx of quartz: 1/2, 27 of 180.'

function fontNote(family: string | undefined, families: ReadonlyMap<string, unknown>): Html | undefined {
  if (family === undefined) return html`<p class="quiet">No font is given, so it is shown in that of this website.</p>`
  if (families.has(family)) return undefined
  return html`<p class="quiet">${family} is not among this guide’s files, so it is shown in another font where it is not installed.</p>`
}

function valuesOf(style: TypeStyle): readonly (readonly [label: string, value: string | number])[] {
  const { family, weight, size, leading, tracking, casing, spacing, responsive, fallback } = style
  const features = Object.entries(style.features).map(([tag, value]) => `${tag} ${value}`)
  const values = [
    ['Family', family],
    ['Weight', weight],
    ['Style', style.style],
    ['Size', size === undefined ? undefined : `${size} px`],
    ['Leading', leading],
    ['Tracking', tracking === undefined ? undefined : `${tracking} em`],
    ['Casing', casing === 'none' ? undefined : casing],
    ['Spacing', spacing === undefined ? undefined : `${spacing} em after a paragraph`],
    ['Responsive', responsive ? 'the size follows the screen' : undefined],
    ['Features', features.length === 0 ? undefined : features.join(', ')],
    ['Fallback', fallback?.join(', ')],
  ] as const
  return values.flatMap(([label, value]) => (value === undefined ? [] : [[label, value] as const]))
}
