import type { TypeStyle } from '../../../brand/type-style.ts'
import { familyList, sizeRange, styleDeclarations } from '../../../export/css/css-text.ts'
import { typeAnchor } from '../../../serving/addresses.ts'
import { type Html, html, joinWords, type Word } from '../../html.ts'
import type { Words } from '../../words/words.ts'

/** The type styles in one table: values and an editable sample, and all values with the CSS to copy in a folded row. */
export function styleTable(
  words: Words,
  styles: readonly TypeStyle[],
  families: ReadonlyMap<string, unknown>,
): Html | undefined {
  if (styles.length === 0) return undefined
  const { type, search } = words
  const columns = COLUMNS.filter(({ of }) => styles.some(style => of(style, type) !== undefined))
  const labels = [search.typeStyle, ...columns.map(({ label }) => type[label]), type.sampleLabel]
  return html`<table class="scale"><thead><tr>${labels.map(label => html`<th scope="col">${label}</th>`)}</tr></thead>
${styles.map(style => rowsOf(words, style, columns, families))}</table>
`
}

/** The values in a column; undefined if a style has none. */
type Column = {
  label: 'size' | 'leading' | 'tracking' | 'weightLabel'
  of: (style: TypeStyle, words: Words['type']) => Word | number | undefined
}

/** The columns between name and sample, each if a style has a value for it. */
const COLUMNS: readonly Column[] = [
  { label: 'size', of: style => (style.size === undefined ? undefined : `${sizeRange(style)} px`) },
  { label: 'leading', of: ({ leading }) => leading },
  { label: 'tracking', of: ({ tracking }) => (tracking === undefined ? undefined : `${tracking} em`) },
  {
    label: 'weightLabel',
    of: ({ weight, style = 'normal' }, { slants }) =>
      style === 'normal' ? weight : joinWords([weight === undefined ? '' : String(weight), slants[style]], ' '),
  },
]

function rowsOf(
  words: Words,
  style: TypeStyle,
  columns: readonly Column[],
  families: ReadonlyMap<string, unknown>,
): Html {
  const { type, specimen } = words
  const { id, name, family, fallback = [] } = style
  const anchor = typeAnchor(id)
  const names = [...(family === undefined ? [] : [family]), ...fallback]
  const css = styleDeclarations(style, names.length === 0 ? undefined : familyList(names))
  const copyCss = words.copy.copy({ what: `${type.cssOf({ style: name })}` })
  const note = fontNote(words, family, families)
  const values = valuesOf(words, style).map(([label, value]) => html`<dt>${label}</dt><dd>${value}</dd>`)
  return html`<tbody id="${anchor}">
<tr><th scope="row"><a href="#${anchor}">${name}</a>${family !== undefined && html` <span class="quiet">${family}</span>`}</th>
${columns.map(({ of }) => html`<td>${of(style, type)}</td>`)}
<td class="sample"><p class="${anchor}" dir="auto" contenteditable="plaintext-only" role="textbox" aria-label="${specimen.write({ family: name })}" spellcheck="false">${sampleText(words, style)}</p>${note && html`<p class="quiet">${note}</p>`}</td></tr>
${
  css.length > 0 &&
  html`<tr><td colspan="${columns.length + 2}"><details><summary aria-label="${`${type.details}: ${name}`}">${type.details}</summary><div class="style">
<dl>${values}</dl>
<div class="css"><pre><code>${css.join(';\n')};</code></pre><button type="button" class="copy" data-copy aria-label="${copyCss}"></button></div>
</div></details></td></tr>
`
}</tbody>
`
}

/** The sample text of a type style: the brand's own, otherwise a sentence with every letter. */
export function sampleText({ type }: Words, { sample, size = 0 }: TypeStyle): Word {
  return sample ?? (size < LARGE ? type.sample : type.largeSample)
}

/** In px; at this size, a line fits few letters. */
const LARGE = 40

/** A note on the font of a sample, if the style names none or the guide lacks its file. */
export function fontNote(
  { type }: Words,
  family: string | undefined,
  families: ReadonlyMap<string, unknown>,
): Word | undefined {
  if (family === undefined) return type.noFont
  return families.has(family) ? undefined : type.missingFont({ family })
}

function valuesOf({ type, list }: Words, style: TypeStyle): readonly (readonly [label: Word, value: Word | number])[] {
  const { family, weight, size, leading, tracking, casing, spacing, responsive, fallback } = style
  const settings = (tags: Readonly<Record<string, number>> = {}) =>
    list(Object.entries(tags).map(([tag, value]) => `${tag} ${value}`)) || undefined
  const values = [
    [type.family, family],
    [type.weightLabel, weight],
    [type.slant, style.style && type.slants[style.style]],
    [type.size, size === undefined ? undefined : `${size} px`],
    [type.leading, leading],
    [type.tracking, tracking === undefined ? undefined : `${tracking} em`],
    [type.casing, casing === 'none' ? undefined : type.casings[casing]],
    [type.spacing, spacing === undefined ? undefined : type.afterParagraph({ ems: `${spacing}` })],
    [type.responsive, responsive ? type.sizeFollows : undefined],
    [type.features, settings(style.features)],
    [type.axes, settings(style.axes)],
    [type.fallback, fallback && list(fallback)],
  ] as const
  return values.flatMap(([label, value]) => (value === undefined ? [] : [[label, value] as const]))
}
