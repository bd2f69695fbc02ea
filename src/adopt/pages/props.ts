import type { Value } from '#formats/markdown/mdx-syntax.ts'
import { anyOf, wordSet, wordsIn } from '#platform/base/text.ts'

/** A prop of an element: its name, what it says (undefined if unknown), and how it is written. */
export type Prop = { name: string; value: Value | undefined; start: number; source: string }

/** Props that say only how an element looks or works. */
const LAYOUT = wordSet(`
  type kind role tabindex width height size display position top right
  bottom left inset overflow zindex opacity order float m p margin padding gap gutter space spacing flex grid wrap
  center indented align justify direction color bg background fill stroke border rounded radius shadow elevation font weight xs sm md
  lg xl cols columns rows span mode layout variant theme appearance tone loading decoding aspectratio
  dark light inverted onlyif disabled checked hidden open download controls autoplay muted loop frameborder allowfullscreen above abovesmall`)
/** The first words of the same in other forms: `isOpen`, `maxWidth`. */
const STARTS =
  wordsIn(`is, has, show, hide, with, include, force, full, no, above, below, heading, min, max, background, shadow,
  flex, grid, align, justify, border, margin, padding, font, line, text, place, object, overflow, row, column, col`)
/** Other forms, also `mt` and `aria-hidden`. */
const LAYOUTS = new RegExp(String.raw`^(?:[mp][trblxy]?|aria-(?!label)\w+|${anyOf(STARTS)}[A-Z]\w*)$`)
const CODE_NAMES =
  wordsIn(`id, key, ref, as, is, class, classname, style, css, sx, target, rel, sizes, srcset, viewbox, xmlns,
  allow, vif, velse, velseif, vfor, vmodel, vshow, vslot, vonce`)
/** Props that never have words for readers. */
const CODE = new RegExp(String.raw`^(?:${anyOf(CODE_NAMES)}|on[A-Z]\w*|data-.*)$`, 'i')
/** A value for readers: a name (`Sea`), some words or a colour, unlike `row` and `10px`. */
const WORDS = /^(?=[\p{L}\p{N} ,.'’-]*$)(?:\p{Lu}|\p{L}.*\s\p{L}{3})|^#[\da-fA-F]{3,8}$|^(?:rgb|hsl|cmyk)a?\(/u

/** Whether a prop says nothing that readers miss. */
export function isLayout(name: string, value?: Value): boolean {
  const isLook = LAYOUT.has(name.toLowerCase()) || LAYOUTS.test(name)
  return CODE.test(name) || (isLook && !(typeof value === 'string' && WORDS.test(value)))
}

export type Named = { [name: string]: Value }

export function isNamed(value: Value | undefined): value is Named {
  return typeof value === 'object' && !Array.isArray(value)
}

export function propsOf(value: Named, { start, source }: Pick<Prop, 'start' | 'source'>): Prop[] {
  return Object.entries(value).map(([name, each]) => ({ name, value: each, start, source }))
}
