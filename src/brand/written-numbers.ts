import { quote } from '../base/text.ts'

/** Numbers as people write them: one text with commas or spaces between the numbers, or a list of texts. */
export type WrittenNumbers = string | readonly string[]

/** The numbers as a list of texts: `29, 112, 184`, `29,112,184`, `29 112 184` and a list give the same. */
export function splitNumbers(written: WrittenNumbers): readonly string[] {
  if (typeof written !== 'string') return written.map(part => part.trim())
  const text = written.trim()
  return text === '' ? [] : text.split(/[ \t]*,[ \t]*|[ \t]+/)
}

/**
 * Whether a text is a number in plain decimal notation: `16`, `-0.02`, `.5`. Hexadecimal digits, exponents, separators,
 * units, infinities and texts of more than 100 characters are refused.
 */
export function isDecimal(text: string): boolean {
  return text.length <= 100 && /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/.test(text)
}

/**
 * Drops the sign and needless zeros of a decimal number: `84.50` becomes `84.5`, `.5` becomes `0.5`, `007` becomes
 * `7`.
 */
export function shortestDecimal(text: string): string {
  const [whole = '', fraction = ''] = text.replace(/^[+-]/, '').split('.')
  const digits = fraction.replace(/0+$/, '')
  return (whole.replace(/^0+/, '') || '0') + (digits === '' ? '' : `.${digits}`)
}

/** The count of numbers as a part of a message: `has three numbers`. */
export function hasNumbers(count: number): string {
  const word = ['no', 'one', 'two', 'three', 'four', 'five', 'six'][count] ?? String(count)
  return `has ${word} ${count === 1 ? 'number' : 'numbers'}`
}

/** Numbers as a message quotes them. */
export function quoteNumbers(written: WrittenNumbers): string {
  return quote(typeof written === 'string' ? written : written.join(','))
}
