import type { Color, PrintReferences } from '#brand/color.ts'
import type { BrandWord, FIXED_LEVELS, LintLevel, LintRuleId, NEUTRALS } from '#brand/lint-rules.ts'
import type { TypeStyle } from '#brand/type-style.ts'

/** What files are compared with: plain data, which also goes to the confined processes. */
export type LintBrand = {
  /** All colours of the brand with their tints, in order. */
  colors: readonly LintColor[]
  types: readonly LintType[]
  /** Families of fonts and type styles, as written, with the fallbacks. */
  families: readonly string[]
  /** Other families that files may use, and other names of the fonts: `lint: {fonts: …}`, OpenType. */
  allowedFonts: readonly string[]
  /** Spot colours that are no inks, besides the usual ones: `lint: {technicalInks: …}`. */
  technicalInks: readonly string[]
  words: readonly BrandWord[]
  /** The language of the guide, and so of its words, as a BCP 47 tag. */
  language: string
  neutrals: (typeof NEUTRALS)[number]
  levels: Readonly<Record<Exclude<LintRuleId, 'unreadable'>, LintLevel> & { unreadable: (typeof FIXED_LEVELS)[number] }>
}

/**
 * `hex` and `dark` are `#` and six digits in lower case; `on` are ids of colours; `guide` is the id of the page that shows
 * it. Print values are as the author wrote them.
 */
export type LintColor = Pick<Color, 'hex' | 'dark'> &
  PrintReferences & {
    id: string
    on?: readonly string[]
    guide?: string | undefined
  }

/** `families` are the family and its fallbacks. */
export type LintType = Pick<TypeStyle, 'size' | 'leading' | 'weight' | 'responsive'> & {
  id: string
  families: readonly string[]
  guide?: string | undefined
}
