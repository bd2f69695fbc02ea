import type { TypeStyle } from '#brand/type-style.ts'
import { sizeRange } from '#export/style-sheets/css-text.ts'
import { typeAnchor } from '#serving/addresses.ts'
import type { TypeSample } from '../../cards/link-target.ts'
import type { Guide } from '../../guide/guide.ts'
import type { Word } from '../../html.ts'
import type { Words } from '../../words/words.ts'
import { guideFonts } from './faces/guide-fonts.ts'
import { familyPaths, typePath } from './type-list.ts'

/** Type styles as lists of samples show them: each with its values, and a note if the guide lacks its font. */
export async function typeSamples(guide: Guide, styles: readonly TypeStyle[]): Promise<TypeSample[]> {
  const [{ families }, paths] = [await guideFonts(guide), await familyPaths(guide)]
  return styles.map(style => {
    const { id, name, family } = style
    const href = family === undefined ? undefined : paths.get(family)
    return {
      name,
      className: typeAnchor(id),
      href: typePath(guide, style),
      facts: valuesOf(guide.words, style),
      note: fontNote(guide.words, family, families),
      ...(family !== undefined && href !== undefined && { family: { name: family, href } }),
      sample: sampleText(guide.words, style),
    }
  })
}

/** `weight 600, italic, 37–64 px / 1.1, -0.02 em, uppercase` */
function valuesOf({ type, list }: Words, style: TypeStyle): Word {
  const { leading, tracking, weight, style: slant = 'normal', casing } = style
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
  ]
  return list(values)
}

/** A note on the font of a sample, if the style names none or the guide lacks its file. */
export function fontNote(
  { type }: Words,
  family: string | undefined,
  families: ReadonlyMap<string, unknown>,
): Word | undefined {
  if (family === undefined) return type.noFont
  return families.has(family) ? undefined : type.missingFont({ family })
}

/** The sample text of a type style: the brand's own, otherwise a sentence with every letter. */
export function sampleText({ type }: Words, { sample, size = 0 }: TypeStyle): Word {
  return sample ?? (size < LARGE ? type.sample : type.largeSample)
}

/** In px; at this size, a line fits few letters. */
const LARGE = 40
