import type { Element } from 'hast'
import { colorChip } from '../../cards/color-tile.ts'

/** The limit of chips per page, since a chip is much longer than its code. */
export const MAX_CHIPS = 2000

/** Code that is only a CSS colour gets a chip of that colour before it, within the limit of the page. */
export function withColorChip(code: Element, page: { chipsLeft: number }): Element | undefined {
  if (page.chipsLeft === 0) return undefined
  const [text, ...others] = code.children
  if (text?.type !== 'text' || others.length > 0 || !COLORS.some(color => color.test(text.value))) return undefined
  page.chipsLeft--
  return { ...code, children: [colorChip(text.value), text] }
}

const COLORS = [
  /^#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i,
  /^rgb\(\d{1,3}(?:, ?| )\d{1,3}(?:, ?| )\d{1,3}\)$/,
  /^hsl\(\d{1,3}(?:, ?| )\d{1,3}%(?:, ?| )\d{1,3}%\)$/,
]
