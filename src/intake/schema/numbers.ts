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

/** How numbers are written. All but the first two are patterns. */
type NumberForm = {
  readonly type: 'integer' | 'number'
  readonly noun: string
  /** A point and digits after the whole part: `.5` of `1.5`. Whole numbers may only have zeros. */
  readonly fraction: string
  /** A number that begins with its point: `.5`. */
  readonly alone: string
  /** A sign after an item of a list of channels. */
  readonly sign: string
}

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

/**
 * The pattern of a whole number up to a maximum, with no more digits than the maximum: `(?:\d{1,2}|[0-1]\d{2}|2[0-4]\d{1}|…)`
 * for 255. An alternative for fewer digits, one for each digit that is smaller than that of the maximum, and the maximum.
 */
export function upTo(max: number): string {
  const digits = String(max)
  if (/^9+$/.test(digits)) return `\\d{1,${digits.length}}`
  const shorter = digits.length > 1 ? [`\\d{1,${digits.length - 1}}`] : []
  const smaller = [...digits].flatMap((digit, at) => {
    if (digit === '0') return []
    const laterDigits = digits.length - at - 1
    return [`${digits.slice(0, at)}[0-${Number(digit) - 1}]${laterDigits === 0 ? '' : `\\d{${laterDigits}}`}`]
  })
  return `(?:${[...shorter, ...smaller, digits].join('|')})`
}

/**
 * The schema for the channels of a colour, as a list or a string.
 *
 * @param pattern the pattern of one channel
 * @param error the message that editors show for other values
 */
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
