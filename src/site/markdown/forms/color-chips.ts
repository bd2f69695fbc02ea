import type { Element } from 'hast'
import { colorChip } from '../../cards/color-chip.ts'

/** How many chips a page may have, since each is many times longer than its code. */
export const MAX_CHIPS = 2000

/** Code that is nothing but a colour of CSS, with a chip of that colour before it as long as the page may have more. */
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
