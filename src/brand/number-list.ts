import { quote } from '../base/text.ts'

/** Numbers as they are written: one text with commas or spaces between them, or a list of texts. */
export type WrittenNumbers = string | readonly string[]

/** The texts of a list of numbers: `29, 112, 184`, `29,112,184`, `29 112 184` and a list are the same. */
export function splitNumbers(written: WrittenNumbers): readonly string[] {
  if (typeof written !== 'string') return written.map(part => part.trim())
  const text = written.trim()
  return text === '' ? [] : text.split(/[ \t]*,[ \t]*|[ \t]+/)
}

/** How many numbers there are, as a message says it: `has three numbers`. */
export function hasNumbers(count: number): string {
  const word = ['no', 'one', 'two', 'three', 'four', 'five', 'six'][count] ?? String(count)
  return `has ${word} ${count === 1 ? 'number' : 'numbers'}`
}

/** What was written, as a message shows it. */
export function quoteNumbers(written: WrittenNumbers): string {
  return quote(typeof written === 'string' ? written : written.join(','))
}
