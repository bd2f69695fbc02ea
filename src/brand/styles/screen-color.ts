import type { Rgb } from '#formats/css/hex.ts'
import { failed, ok, type Result } from '#platform/base/result.ts'
import { groupsOf, quote } from '#platform/base/text.ts'
import { hasNumbers, quoteNumbers, splitChannels, type WrittenNumbers } from '../written-numbers.ts'

/** Reads `#1d70b8` or `#abc`, with or without `#`, in upper or lower case. The problem is the end of a sentence. */
export function parseHex(text: string): Result<Rgb, string> {
  const digits = groupsOf(/^#?([0-9a-f]{6}|[0-9a-f]{3})$/i, text.trim())[1]
  if (digits === undefined)
    return failed(`is ${quote(text)}; write # and three or six hex digits in quotes, as in "#1d70b8"`)
  const pairs = digits.length === 3 ? digits.replace(/./g, '$&$&') : digits
  const number = Number.parseInt(pairs, 16)
  return ok([number >> 16, (number >> 8) & 255, number & 255])
}

/** Reads three whole numbers from 0 to 255: `29, 112, 184`, `rgb(29 112 184)` or a list. The problem ends a sentence. */
export function parseRgb(numbers: WrittenNumbers): Result<Rgb, string> {
  const form = 'write three whole numbers, 0 to 255, as in "29,112,184"'
  const parts = splitChannels(numbers, 'rgb')
  const isChannel = (part: string) => /^\d{1,3}$/.test(part) && Number(part) <= 255
  if (!parts.every(isChannel)) return failed(`is ${quoteNumbers(numbers)}; ${form}`)
  const [red, green, blue, ...more] = parts.map(Number)
  if (red === undefined || green === undefined || blue === undefined || more.length > 0)
    return failed(`${hasNumbers(parts.length)}; ${form}`)
  return ok([red, green, blue])
}

/** A colour as three numbers separated by commas: `29,112,184`. */
export function rgbText(rgb: Rgb): string {
  return rgb.join(',')
}
