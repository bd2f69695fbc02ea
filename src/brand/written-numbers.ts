import { quote } from '../base/text.ts'

/** Numbers as people write them: one string separated by commas or spaces, or a list of strings. */
export type WrittenNumbers = string | readonly string[]

/** The numbers as a list of strings: `29, 112, 184`, `29,112,184`, `29 112 184` and a list give the same. */
export function splitNumbers(numbers: WrittenNumbers): readonly string[] {
  if (typeof numbers !== 'string') return numbers.map(part => part.trim())
  const text = numbers.trim()
  return text === '' ? [] : text.split(/[ \t]*,[ \t]*|[ \t]+/)
}

/** Whether a string is a plain decimal number of at most 100 characters: `16`, `-0.02`, `.5`. */
export function isDecimal(text: string): boolean {
  return text.length <= 100 && /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/.test(text)
}

/** Removes the sign and needless zeros of a decimal number: `84.50` becomes `84.5`, `.5` becomes `0.5`. */
export function shortestDecimal(text: string): string {
  const [whole = '', fraction = ''] = text.replace(/^[+-]/, '').split('.')
  const digits = fraction.replace(/0+$/, '')
  return (whole.replace(/^0+/, '') || '0') + (digits === '' ? '' : `.${digits}`)
}

/** The count of numbers, as part of a message: `has three numbers`. */
export function hasNumbers(count: number): string {
  const word = ['no', 'one', 'two', 'three', 'four', 'five', 'six'][count] ?? String(count)
  return `has ${word} ${count === 1 ? 'number' : 'numbers'}`
}

/** Numbers, quoted for a message. */
export function quoteNumbers(numbers: WrittenNumbers): string {
  return quote(typeof numbers === 'string' ? numbers : numbers.join(','))
}
