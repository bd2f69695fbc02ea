import { lazy } from '../../base/object.ts'
import { isRightToLeft } from '../../base/text.ts'
import { joinWords, type Word } from '../html.ts'

/** Formatters for numbers, sizes and dates of a language. */
export type Formatters = {
  /** `10,000`; with two digits `4.50`. */
  number: (value: number, digits?: number) => string
  /** A percentage: `54%` in English, `54 %` in German, with a non-breaking space. */
  share: (percent: number) => string
  /** The plural category of a number (CLDR). */
  plural: (value: number) => Intl.LDMLPluralRule
  /** A size in powers of ten: `1 byte`, `2.1 kB`, `14 MB`, with a non-breaking space. */
  bytes: (bytes: number) => string
  /** The comma of the language with its space. */
  comma: string
  /**
   * Values, except empty ones, with the comma of the language: `SVG, 240 × 80`. From right to left, invisible
   * characters (UAX 9) keep the order of the list and that within each value.
   */
  list: (values: readonly (Word | undefined)[]) => Word
  /** A day in UTC: `7 March 2026`. */
  day: (date: Date) => string
  /** A day in UTC without its year: `7 March`. */
  dayOfYear: (date: Date) => string
  /** Whole minutes or hours before now, at least one minute: `3 hours ago`. */
  ago: (elapsedMs: number) => string
}

/**
 * The formatters for a language or its region, by BCP 47 tag. Their digits are Latin, as in the values of colours and
 * type next to them.
 */
export function formattersFor(tag: string): Formatters {
  const locale = `${new Intl.Locale(tag, { numberingSystem: 'latn' })}`
  const plurals = lazy(() => new Intl.PluralRules(locale))
  const days = lazy(() => new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }))
  const daysOfYear = lazy(() => new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long', timeZone: 'UTC' }))
  const times = lazy(() => new Intl.RelativeTimeFormat(locale))
  const numbers = [0, 1, 2].map(digits => lazy(() => decimals(locale, digits)))
  const number = (value: number, digits = 0) => (numbers[digits]?.() ?? decimals(locale, digits)).format(value)
  const shares = lazy(() => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 }))
  const inUnit = unitsOf(locale)
  const isMirrored = isRightToLeft(tag)
  const isolate = (text: Word) => (isMirrored ? joinWords(['\u2068', text, '\u2069'], '') : text)
  const comma = tag.startsWith('ar') ? '، ' : tag.startsWith('ja') ? '、' : ', '
  return {
    number,
    share: percent =>
      shares()
        .format(percent / 100)
        .replace(/\s/g, '\u00a0'),
    plural: value => plurals().select(value),
    bytes: bytes => {
      if (bytes < 1000) return `${isolate(inUnit(bytes, 'byte', 0))}`
      let [value, unit] = [bytes / 1000, 0]
      while (value >= 999.5 && unit < UNITS.length - 1) [value, unit] = [value / 1000, unit + 1]
      return `${isolate(inUnit(value, UNITS[unit] ?? '', value < 9.95 ? 1 : 0))}`
    },
    comma,
    list: values => {
      const list = joinWords(
        values.map(value => value && isolate(value)),
        comma,
      )
      return isMirrored && list !== '' ? joinWords(['\u200f', list], '') : list
    },
    day: date => days().format(date),
    dayOfYear: date => daysOfYear().format(date),
    ago: elapsedMs => {
      const minutes = Math.max(1, Math.floor(elapsedMs / 60_000))
      return minutes < 60 ? times().format(-minutes, 'minute') : times().format(-Math.floor(minutes / 60), 'hour')
    },
  }
}

const UNITS = ['kilobyte', 'megabyte', 'gigabyte', 'terabyte']

function decimals(locale: string, digits: number): Intl.NumberFormat {
  return new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits })
}

/** Writes a value with its unit. Formats are reused, since a list of files has hundreds of sizes. */
function unitsOf(locale: string): (value: number, unit: string, digits: number) => string {
  const formats = new Map<string, Intl.NumberFormat>()
  return (value, unit, digits) => {
    const key = `${unit} ${digits}`
    const format = formats.get(key) ?? unitFormat(locale, unit, digits)
    formats.set(key, format)
    return format.format(value).replace(/\s/g, '\u00a0')
  }
}

/** Only the long form of bytes has a plural. */
function unitFormat(locale: string, unit: string, digits: number): Intl.NumberFormat {
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit,
    unitDisplay: unit === 'byte' ? 'long' : 'short',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
}
