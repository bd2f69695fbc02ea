import { type Channels, channelsPattern, SHARE } from '#brand/written-numbers.ts'
import type { Schema } from './schema.ts'
import { BLANK } from './values.ts'

/** The range of numbers that a key accepts. */
type Range = {
  /** Absent if the range is symmetric around zero. */
  min?: 'zero' | 'above zero'
  max: number
  isWhole?: boolean
}

/** The schema of a number, with or without quotes, and with an optional unit of this pattern. */
export function number(range: Range, unit = ''): Schema {
  const { min, max, isWhole } = range
  const { type, noun } = formOf(isWhole)
  return {
    type: [type, 'string'],
    ...(min === 'above zero' ? { exclusiveMinimum: 0 } : { minimum: min === 'zero' ? 0 : -max }),
    maximum: max,
    pattern: `^\\s*${decimal(range)}${unit}\\s*$`,
    patternErrorMessage: `Write a ${noun}, ${describeRange(range)}.`,
  }
}

/** How numbers are written: their type and noun, their digits after a point, also without others, and a sign after them. */
type NumberForm = Readonly<Record<'noun' | 'fraction' | 'alone' | 'sign', string>> & { type: 'integer' | 'number' }

function formOf(isWhole = false): NumberForm {
  return isWhole ? WHOLE : DECIMAL
}

const WHOLE: NumberForm = {
  type: 'integer',
  noun: 'whole number',
  fraction: '(?:\\.0*)?',
  alone: '\\.0+',
  sign: '',
}
const DECIMAL: NumberForm = {
  type: 'number',
  noun: 'number',
  fraction: '(?:\\.\\d*)?',
  alone: '\\.\\d+',
  sign: '(?:\\s*%)?',
}

function describeRange({ min, max }: Range): string {
  const top = max.toLocaleString('en')
  if (min === 'above zero') return `above 0, at most ${top}`
  return min === 'zero' ? `0 to ${top}` : `-${top} to ${top}`
}

/** The pattern of a decimal number in a range. */
function decimal({ min, max, isWhole }: Range): string {
  const digits = magnitude(max, isWhole)
  if (min === 'zero') return `(?:\\+?${digits}|-(?:0+(?:\\.0*)?|\\.0+))`
  return min === 'above zero' ? `\\+?(?=[0.]*[1-9])${digits}` : `[+-]?${digits}`
}

/** The pattern of an unsigned decimal number up to a maximum. */
export function magnitude(max: number, isWhole?: boolean): string {
  const { fraction, alone } = formOf(isWhole)
  return `(?:0*(?:${upTo(max - 1)}${fraction}|${max}(?:\\.0*)?)|${alone})`
}

/** The pattern of a whole number up to a maximum, with no more digits than the maximum. */
export function upTo(max: number): string {
  const digits = String(max)
  if (/^9+$/.test(digits)) return `\\d{1,${digits.length}}`
  const shorter = digits.length > 1 ? [`\\d{1,${digits.length - 1}}`] : []
  const smaller = [...digits].flatMap((digit, at) => {
    if (digit === '0') return []
    const rest = digits.length - at - 1
    return [`${digits.slice(0, at)}[0-${Number(digit) - 1}]${rest === 0 ? '' : `\\d{${rest}}`}`]
  })
  return `(?:${[...shorter, ...smaller, digits].join('|')})`
}

/** The channels of a colour, of one pattern: a list, or a string. Editors show `error` otherwise. */
export function numbers(
  channels: Channels,
  range: { max: number; isWhole?: boolean },
  pattern: string,
  error: string,
): Schema {
  const { max, isWhole } = range
  const { type, sign } = formOf(isWhole)
  const count = channels.length
  const patterns = channels === 'rgb' ? [pattern, SHARE] : [pattern]
  return {
    type: ['array', 'string'],
    items: {
      type: [type, 'string'],
      minimum: 0,
      maximum: max,
      pattern: `^\\s*${pattern}${sign}\\s*$`,
      patternErrorMessage: error,
    },
    minItems: count,
    maxItems: count,
    pattern: `^${BLANK}(?:${patterns.map(each => channelsPattern(channels, each)).join('|')})${BLANK}$`,
    patternErrorMessage: error,
    maxLength: 200,
  }
}
