import type { TypeStyle } from '../../../brand/type-style.ts'
import { familyList, styleDeclarations } from '../../../export/css/css-text.ts'
import { typeAnchor } from '../../../serving/addresses.ts'
import { type Html, html, type Word } from '../../html.ts'
import type { Words } from '../../words/words.ts'

/** A type style with a sample, its values, and its CSS to copy. */
export function styleSample(words: Words, style: TypeStyle, families: ReadonlyMap<string, unknown>): Html {
  const { id, name, family, fallback = [] } = style
  const anchor = typeAnchor(id)
  const names = [...(family === undefined ? [] : [family]), ...fallback]
  const css = styleDeclarations(style, names.length === 0 ? undefined : familyList(names))
  const copyCss = words.copy.copy(`${words.type.cssOf(name)}`)
  const values = valuesOf(words, style).map(([label, value]) => html`<dt>${label}</dt><dd>${value}</dd>`)
  return html`<article class="style" id="${anchor}">
<h3><a href="#${anchor}">${name}</a></h3>
<div class="sample"><p class="${anchor}">${sampleText(words, style)}</p></div>
${fontNote(words, family, families)}
${values.length > 0 && html`<dl>${values}</dl>\n`}${
  css.length > 0 &&
  html`<div class="css"><pre><code>${css.join(';\n')};</code></pre><button type="button" class="copy" data-copy aria-label="${copyCss}"></button></div>\n`
}</article>
`
}

/** The sample text of a type style: the brand's own, otherwise a sentence with every letter. */
export function sampleText({ type }: Words, { sample, size = 0 }: TypeStyle): Word {
  return sample ?? (size < LARGE ? type.sample : type.largeSample)
}

/** In px; at this size, a line fits few letters. */
const LARGE = 40

function fontNote(
  { type }: Words,
  family: string | undefined,
  families: ReadonlyMap<string, unknown>,
): Html | undefined {
  if (family === undefined) return html`<p class="quiet">${type.noFont}</p>`
  if (families.has(family)) return undefined
  return html`<p class="quiet">${type.missingFont(family)}</p>`
}

function valuesOf({ type }: Words, style: TypeStyle): readonly (readonly [label: Word, value: Word | number])[] {
  const { family, weight, size, leading, tracking, casing, spacing, responsive, fallback } = style
  const settings = (tags: Readonly<Record<string, number>> = {}) =>
    Object.entries(tags)
      .map(([tag, value]) => `${tag} ${value}`)
      .join(', ') || undefined
  const values = [
    [type.family, family],
    [type.weightLabel, weight],
    [type.slant, style.style && type.slants[style.style]],
    [type.size, size === undefined ? undefined : `${size} px`],
    [type.leading, leading],
    [type.tracking, tracking === undefined ? undefined : `${tracking} em`],
    [type.casing, casing === 'none' ? undefined : type.casings[casing]],
    [type.spacing, spacing === undefined ? undefined : type.afterParagraph(spacing)],
    [type.responsive, responsive ? type.sizeFollows : undefined],
    [type.features, settings(style.features)],
    [type.axes, settings(style.axes)],
    [type.fallback, fallback?.join(', ')],
  ] as const
  return values.flatMap(([label, value]) => (value === undefined ? [] : [[label, value] as const]))
}
