import type { FontMetadata } from '../../brand/file.ts'
import type { CharacterRange } from '../../fonts/characters.ts'
import type { FontFacts } from '../../fonts/font-facts.ts'
import { cssString } from '../css/css-text.ts'
import { fontFormat, type WeightRange } from './font-faces.ts'

/** The content of an `@font-face` rule (CSS Fonts 4 §4). */
type Face = {
  family: string
  weights: WeightRange
  /** The value of `font-stretch`, if it is not the regular width. */
  stretch?: string | undefined
  style: FontMetadata['style']
  /** How text appears before the font has loaded. */
  display: 'swap' | 'block'
  /** The font in its formats, the preferred one first. */
  sources: readonly { address: string; contentType: string }[]
  /** The value of `unicode-range`. */
  range?: string | undefined
}

/** The descriptors of an `@font-face` rule, each with its value. */
export function faceDescriptors({
  family,
  weights,
  stretch,
  style,
  display,
  sources,
  range,
}: Face): (readonly [name: string, value: string])[] {
  const descriptors = [
    ['font-family', cssString(family)],
    ['font-weight', [...new Set(weights)].join(' ')],
    ['font-stretch', stretch],
    ['font-style', style ?? 'normal'],
    ['font-display', display],
    ['src', sources.map(sourceOf).join(', ')],
    ['unicode-range', range],
  ] as const
  return descriptors.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
}

function sourceOf({ address, contentType }: Face['sources'][number]): string {
  const format = fontFormat(contentType)
  return `url(${cssString(address)})${format === undefined ? '' : ` format("${format}")`}`
}

/** The characters of a font as a `unicode-range`; undefined if unknown or in too many ranges. */
export function unicodeRange(facts: FontFacts | undefined): string | undefined {
  const { ranges = [] } = facts?.characters ?? {}
  return ranges.length === 0 || ranges.length > MAX_RANGES ? undefined : rangeText(ranges)
}

/** Ranges of characters as a `unicode-range`. */
export function rangeText(ranges: readonly CharacterRange[]): string {
  const hex = (code: number) => code.toString(16)
  return ranges.map(([first, last]) => `U+${hex(first)}${last > first ? `-${hex(last)}` : ''}`).join(',')
}

const MAX_RANGES = 200
