import { lazy } from '../../base/object.ts'

/** How numbers, sizes and dates are written in a language. */
export type Formatters = {
  /** `10,000`; with two digits `4.50`. */
  number: (value: number, digits?: number) => string
  /** A share in per cent: `54%` in English, `54 %` in German. Its space, if it has one, does not break. */
  share: (percent: number) => string
  /** The form of a text that goes with a number, and the number in the place of its first `#`. */
  count: (value: number, forms: PluralForms) => string
  /** A size in powers of ten: `1 byte`, `2.1 kB`, `14 MB`. Its space does not break. */
  bytes: (bytes: number) => string
  /** A day of UTC: `7 March 2026`. */
  day: (date: Date) => string
}

/**
 * A text by the plural forms of a language (CLDR): `{ one: '# file', other: '# files' }`. Forms that are missing are as
 * `other`. No text of an author belongs into them.
 */
type PluralForms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }

/** The figures of a language or of a region that speaks it, by its BCP 47 tag. */
export function formattersFor(locale: string): Formatters {
  const plurals = lazy(() => new Intl.PluralRules(locale))
  const days = lazy(() => new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }))
  const numbers = [0, 1, 2].map(digits => lazy(() => decimals(locale, digits)))
  const number = (value: number, digits = 0) => (numbers[digits]?.() ?? decimals(locale, digits)).format(value)
  const shares = lazy(() => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 }))
  const inUnit = unitsOf(locale)
  return {
    number,
    share: percent =>
      shares()
        .format(percent / 100)
        .replace(/\s/g, '\u00a0'),
    count: (value, forms) => (forms[plurals().select(value)] ?? forms.other).replace('#', () => number(value)),
    bytes: bytes => {
      if (bytes < 1000) return inUnit(bytes, 'byte', 0)
      let [value, unit] = [bytes / 1000, 0]
      while (value >= 999.5 && unit < UNITS.length - 1) [value, unit] = [value / 1000, unit + 1]
      return inUnit(value, UNITS[unit] ?? '', value < 9.95 ? 1 : 0)
    },
    day: date => days().format(date),
  }
}

const UNITS = ['kilobyte', 'megabyte', 'gigabyte', 'terabyte']

function decimals(locale: string, digits: number): Intl.NumberFormat {
  return new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits })
}

/** Writes a value in a unit. Of each form there is one format, since a list of files has hundreds of sizes. */
function unitsOf(locale: string): (value: number, unit: string, digits: number) => string {
  const formats = new Map<string, Intl.NumberFormat>()
  return (value, unit, digits) => {
    const key = `${unit} ${digits}`
    const format = formats.get(key) ?? unitFormat(locale, unit, digits)
    formats.set(key, format)
    return format.format(value).replace(/\s/g, '\u00a0')
  }
}

/** Bytes have a plural in their long form alone. */
function unitFormat(locale: string, unit: string, digits: number): Intl.NumberFormat {
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit,
    unitDisplay: unit === 'byte' ? 'long' : 'short',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
}
