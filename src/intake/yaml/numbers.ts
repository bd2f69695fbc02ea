import { failed, ok, type Result } from '../../base/result.ts'
import { isDecimal, type WrittenNumbers } from '../../brand/written-numbers.ts'
import { invalid, type Reader, refuse, withSubject } from './reader.ts'
import { readParsed } from './texts.ts'

const MAX_NUMBER = 1_000_000

/**
 * Reads a number in plain decimal notation, from minus one million to one million.
 *
 * @param form the expected form for messages: `a number above 0, as in 16`
 */
export function readNumber(form: string, accepts: (number: number) => boolean): Reader<number> {
  const parse = (text: string): number | undefined => {
    // Adding 0 turns -0 into 0.
    const number = isDecimal(text) ? Number(text) + 0 : Number.NaN
    return Math.abs(number) <= MAX_NUMBER && accepts(number) ? number : undefined
  }
  return node => {
    const text = node.kind === 'text' ? node.text.trim() : ''
    const value = parse(text)
    if (value !== undefined) return ok(value)
    const bare = text.replace(/ ?[a-z]{1,4}$/i, '')
    const isWithUnit = bare !== text && parse(bare) !== undefined
    return refuse(node, isWithUnit ? `write only the number, without a unit: ${bare}` : `write ${form}`)
  }
}

/**
 * Reads and parses several numbers, written as one string or as a list.
 *
 * @param form the expected form for messages: `four numbers, 0 to 100`
 */
export function readNumbers<Value>(
  parse: (written: WrittenNumbers) => Result<Value, string>,
  form: string,
): Reader<Value> {
  return node => {
    if (node.kind === 'mapping') return refuse(node, `write ${form}`)
    if (node.kind !== 'list') return readParsed(parse)(node)
    const other = node.items.find(item => item.kind !== 'text')
    if (other !== undefined) return failed(withSubject('has an entry that', refuse(other, 'write a number')))
    const parsed = parse(node.items.flatMap(item => (item.kind === 'text' ? [item.text] : [])))
    return parsed.ok ? parsed : invalid(node, parsed.problem)
  }
}
