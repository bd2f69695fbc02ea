import type { TypeStyle } from '#brand/type-style.ts'
import { familyList, sizeRange, styleDeclarations } from '#delivery/export/style-sheets/css-text.ts'
import { typeAnchor } from '#serving/addresses.ts'
import { copyButton } from '../../cards/color-tile.ts'
import { element } from '../../cards/element.ts'
import { specimenCard } from '../../cards/link-card.ts'
import type { TypeSample } from '../../cards/link-target.ts'
import type { Guide } from '../../guide/guide.ts'
import type { Word } from '../../html.ts'
import type { Words } from '../../words/words.ts'
import { guideFonts } from './faces/guide-fonts.ts'
import { familyPaths, typePath } from './type-list.ts'

/** Type styles as lists of samples show them: each with its values, and a note on each family that the guide lacks. */
export async function typeSamples(guide: Guide, styles: readonly TypeStyle[]): Promise<TypeSample[]> {
  const { families } = await guideFonts(guide)
  const paths = await familyPaths(guide)
  const { type } = guide.words
  return styles.map((style, at) => {
    const { id, name, family, sample, size = LARGE } = style
    const href = family === undefined ? undefined : paths.get(family)
    // Why the sample may not be in its font; only shown for the first style of the family.
    const note = family === undefined ? type.noFont : families.has(family) ? undefined : type.missingFont({ family })
    const isFirstOfFamily = styles.findIndex(other => other.family === family) === at
    return {
      name,
      className: typeAnchor(id),
      href: typePath(guide, style),
      facts: valuesOf(guide.words, style),
      note: isFirstOfFamily ? note : undefined,
      ...(family !== undefined && href !== undefined && { family: { name: family, href } }),
      // The brand's own text, otherwise a sentence with every letter.
      sample: sample ?? (size < LARGE ? type.sample : type.largeSample),
    }
  })
}

/** A list of type styles; on a page of type, samples can be edited and their CSS copied. False without any styles. */
export async function styleList(guide: Guide, styles: readonly TypeStyle[], isEditable = true) {
  const samples = await typeSamples(guide, styles)
  const items = samples.map((sample, at) => {
    const style = isEditable && styles[at]
    return specimenCard(style ? { ...sample, editor: editorOf(guide.words, style) } : sample)
  })
  return items.length > 0 && element('ul', { className: ['cards', 'link-cards'] }, items)
}

function editorOf(words: Words, style: TypeStyle): TypeSample['editor'] {
  const { name, family, fallback = [] } = style
  const names = family === undefined ? fallback : [family, ...fallback]
  const css = styleDeclarations(style, names.length === 0 ? undefined : familyList(names))
  const code = element('pre', {}, element('code', {}, css.map(line => `${line};`).join('\n')))
  const copy = copyButton(words, `${words.type.cssOf({ style: name })}`, '')
  const box = element('div', { className: ['code'] }, code, copy)
  return {
    label: words.specimen.write({ family: name }),
    css: css.length > 0 && element('details', {}, element('summary', { ariaLabel: `CSS: ${name}` }, 'CSS'), box),
  }
}

/** `weight 600, italic, 37–64 px / 1.1, -0.02 em, uppercase, zero 1` */
function valuesOf({ type, list }: Words, style: TypeStyle): Word {
  const { leading, tracking, weight, style: slant = 'normal', casing, features, axes } = style
  const measures = [
    style.size === undefined ? '' : `${sizeRange(style)}\u00a0px`,
    leading === undefined ? '' : `${leading}`,
  ]
  const values = [
    weight === undefined ? undefined : type.weight({ weight: `${weight}` }),
    slant === 'normal' ? undefined : type.slants[slant],
    measures.filter(text => text !== '').join('\u00a0/\u00a0'),
    tracking === undefined ? undefined : `${tracking}\u00a0em`,
    casing === 'none' ? undefined : type.casings[casing],
    ...Object.entries({ ...features, ...axes }).map(([tag, value]) => `${tag}\u00a0${value}`),
  ]
  return list(values)
}

/** In px; at this size, a line fits few letters. */
const LARGE = 40
