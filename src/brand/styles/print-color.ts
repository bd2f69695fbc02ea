import { failed, ok, type Result } from '../../base/result.ts'
import { quote } from '../../base/text.ts'
import type { RuleId } from '../finding.ts'
import {
  hasNumbers,
  isDecimal,
  quoteNumbers,
  shortestDecimal,
  splitNumbers,
  type WrittenNumbers,
} from '../written-numbers.ts'

/**
 * Reads four numbers from 0 to 100 and formats them as in API replies: `84,39,0,28`, without needless zeros. The
 * problem is the end of a sentence.
 */
export function parseCmyk(numbers: WrittenNumbers): Result<string, string> {
  const form = 'write four, 0 to 100, as in "84,39,0,28"'
  const parts = splitNumbers(numbers)
  if (!parts.every(isInk)) return failed(`is ${quoteNumbers(numbers)}; ${form.replace('four', 'four numbers')}`)
  if (parts.length !== 4) return failed(`${hasNumbers(parts.length)}; ${form}`)
  return ok(parts.map(shortestDecimal).join(','))
}

/**
 * Reads a RAL Classic number: `5015`, `RAL 5015`. A number of another RAL system (Design, Effect, Plastics) has its own
 * rule: it is correct, but replies have no field for it.
 */
export function parseRal(text: string): Result<number, { rule: RuleId; message: string }> {
  const number = text.trim().replace(/^RAL[ -]?(?:(?:Classic|Design|Effect|Plastics)(?: |$))?/i, '')
  if (/^[1-9]\d{3}$/.test(number)) return ok(Number(number))
  if (OTHER_SYSTEMS.test(number)) {
    const message = `is ${quote(text)}, which is not of RAL Classic and is left out; keep it in the name or on a page`
    return failed({ rule: 'ral-design', message })
  }
  const message = `is ${quote(text)}; write the four digits of a RAL Classic number, as in 5015`
  return failed({ rule: 'value-invalid', message })
}

/** RAL Design (`240 40 40`, `H240L40C40`), RAL Effect (`110-1`, `840-M`), RAL Plastics (`P1 5015`). */
const OTHER_SYSTEMS = /^(?:H?\d{3}[ -]?L?\d{2}[ -]?C?\d{2}|\d{3}-[1-6M]|P[12][ -]?\d{4})$/i

function isInk(text: string): boolean {
  return isDecimal(text) && !text.startsWith('-') && Number(text) <= 100
}
