import { quote } from '../base/text.ts'
import { isDecimal, shortestDecimal } from './decimal.ts'
import { hasNumbers, quoteNumbers, splitNumbers, type WrittenNumbers } from './number-list.ts'
import type { Parsed } from './parsed.ts'

/** Reads four numbers from 0 to 100 and gives them as replies do: `84,39,0,28`, without needless zeros. */
export function parseCmyk(written: WrittenNumbers): Parsed<string> {
  const form = 'write four, 0 to 100, as in "84,39,0,28"'
  const parts = splitNumbers(written)
  if (!parts.every(isInk)) return { reason: `is ${quoteNumbers(written)}; ${form.replace('four', 'four numbers')}` }
  if (parts.length !== 4) return { reason: `${hasNumbers(parts.length)}; ${form}` }
  return { value: parts.map(shortestDecimal).join(',') }
}

/**
 * Reads a number of RAL Classic: `5015`, `RAL 5015`. A number of another RAL system (Design, Effect, Plastics) is
 * `foreign`: right, but nothing that replies have a place for.
 */
export function parseRal(text: string): Parsed<number> | { foreign: string } {
  const number = text.trim().replace(/^RAL[ -]?(?:(?:Classic|Design|Effect|Plastics)(?: |$))?/i, '')
  if (/^[1-9]\d{3}$/.test(number)) return { value: Number(number) }
  if (FOREIGN.test(number))
    return {
      foreign: `is ${quote(text)}, which is not of RAL Classic and is left out; keep it in the name or on a page`,
    }
  return { reason: `is ${quote(text)}; write the four digits of a RAL Classic number, as in 5015` }
}

/** RAL Design (`240 40 40`, `H240L40C40`), RAL Effect (`110-1`, `840-M`), RAL Plastics (`P1 5015`). */
const FOREIGN = /^(?:H?\d{3}[ -]?L?\d{2}[ -]?C?\d{2}|\d{3}-[1-6M]|P[12][ -]?\d{4})$/i

function isInk(text: string): boolean {
  return isDecimal(text) && !text.startsWith('-') && Number(text) <= 100
}
