import { readFileSync } from 'node:fs'
import { hasOwnWords } from '#brand/languages.ts'
import { field, lazy } from '#platform/base/object.ts'
import { isRightToLeft, memoize } from '#platform/base/text.ts'
import { ENGLISH, EnglishText, Html, html, joinWords, type Word } from '../html.ts'
import { ENGLISH_WORDS } from './en.ts'

/** The website's own words in one language, completed with English, and its formatters. */
export type Words = Phrases & Formatters & { lang: string }

/** The words of a group of `en.ts`, and of the groups in it. */
type Phrases<Group = typeof ENGLISH_WORDS> = {
  readonly [Key in keyof Group]: Group[Key] extends string
    ? Phrase<NamesIn<Group[Key]>>
    : keyof Group[Key] extends Intl.LDMLPluralRule
      ? Phrase<NamesIn<Group[Key][keyof Group[Key]]>>
      : Phrases<Group[Key]>
}

/** The names of the values that a text needs: those in braces, and `link`. */
type NamesIn<Text> =
  | (Text extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never)
  | (Text extends `${string}<link>${string}` ? 'link' : never)

/** A word, or a function of the values for its placeholders. Numbers are formatted; the value `link` is an address. */
type Phrase<Name extends string> = [Name] extends [never]
  ? Word
  : 'link' extends Name
    ? (values: Record<Name, Value>) => Html
    : { (values: Record<Name, Word | number>): Word; (values: Record<Name, Value>): Html | Word }

type Value = Html | Word | number

/**
 * The words for a guide by the BCP 47 tag of its language: `de-AT` has the words of `de` and the formats of Austria;
 * `en-US` also has American spelling. A language without words has English words and formats.
 */
export function wordsFor(tag = 'en'): Words {
  if (!hasOwnWords(tag)) return untranslated()
  const { language, region, baseName } = new Intl.Locale(tag)
  // Many tags share the formats of a few regions.
  const { locale } = new Intl.NumberFormat(baseName === 'en' ? 'en-GB' : baseName).resolvedOptions()
  const cached = wordsByLocale.get(locale)
  if (cached) return cached
  const isAmerican = language === 'en' && region === 'US'
  const translation = isAmerican ? americanWords() : readWords(language)
  const words = { ...translatedWords(language, translation), ...formattersFor(locale), lang: language }
  wordsByLocale.set(locale, words)
  return words
}

const wordsByLocale = new Map<string, Words>()
const untranslated = lazy(() => ({ ...translatedWords('en', {}), ...englishFormatters(), lang: 'en' }))

/** The words of a language as they are written. */
export const readWords = memoize((language): unknown =>
  language === 'en' ? ENGLISH_WORDS : JSON.parse(readFileSync(new URL(`.//${language}.json`, import.meta.url), 'utf8')),
)

const englishFormatters = lazy(() => formattersFor('en-GB'))

/** English words in American spelling. */
export function americanWords(): unknown {
  return JSON.parse(JSON.stringify(ENGLISH_WORDS).replaceAll('olour', 'olor').replaceAll('icence', 'icense'))
}

/** The words of a language, completed with the English words that it lacks, each marked as English. */
export function translatedWords(language: string, translation: unknown): Phrases
export function translatedWords(language: string, translation: unknown): object {
  return translate(ENGLISH_WORDS, translation, language === 'en' ? englishFormatters() : formattersFor(language))
}

function translate(group: object, translation: unknown, formatters: Formatters): object {
  const entries = Object.entries(group).map(([key, word]) => {
    const translated = field(translation, key)
    if (isGroup(word)) return [key, translate(word, translated, formatters)]
    const isMissing = translated === undefined
    return [key, isMissing ? asEnglish(phrase(word, englishFormatters())) : phrase(translated, formatters)]
  })
  return Object.fromEntries(entries)
}

/** Whether a value is a group of words instead of a word, which is a string or an object of plural forms. */
export function isGroup(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Object.keys(value).every(key => PLURALS.has(key))
}

const PLURALS: ReadonlySet<string> = new Set(['zero', 'one', 'two', 'few', 'many', 'other'])

type Fill = (values: Readonly<Record<string, Value>>) => Html | string

/** A plain word, or a function that fills in its values; of plural forms, the one for the value `count`. */
function phrase(word: unknown, formatters: Formatters): string | Fill {
  if (typeof word === 'string') return MARK.test(word) ? filler(word, formatters) : word
  const forms = new Map(Object.entries(Object(word)).map(([form, text]) => [form, filler(String(text), formatters)]))
  const fillOther = forms.get('other')
  return values => (forms.get(formatters.plural(Number(values.count))) ?? fillOther)?.(values) ?? ''
}

/** A placeholder such as `{count}`, or a link: `<link>Sign in</link>`. */
const MARK = /(\{\w+\}|<link>[^<]*<\/link>)/

/** Makes a function that fills values into a sentence. The result is HTML if it has a link, or if a value is HTML. */
function filler(text: string, { number }: Formatters): Fill {
  const parts = text.split(MARK)
  return values => {
    const filledParts = parts.map(part => {
      if (part.startsWith('<link>'))
        return html`<a href="${values.link}">${part.slice('<link>'.length, -'</link>'.length)}</a>`
      const value = part.startsWith('{') ? values[part.slice(1, -1)] : part
      return typeof value === 'number' ? number(value) : (value ?? part)
    })
    return filledParts.some(part => part instanceof Html) ? html`${filledParts}` : filledParts.join('')
  }
}

/** A word that is marked as English, or a function whose result is. */
function asEnglish(word: Html | string | Fill): Html | Word | ((...values: Parameters<Fill>) => unknown) {
  if (typeof word === 'function') return values => asEnglish(word(values))
  if (word instanceof Html) return html`<bdi lang="${ENGLISH.lang}" dir="${ENGLISH.dir}">${word}</bdi>`
  return new EnglishText(word)
}

/** Formatters for numbers, sizes and dates of a language. */
type Formatters = {
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
  /** A minute in UTC: `7 March 2026 at 12:00 UTC`. */
  time: (date: Date) => string
  /** A day in UTC without its year: `7 March`. */
  dayOfYear: (date: Date) => string
  /** Whole minutes, hours, or days from two on: `3 hours ago`; if the time is to come, `in 3 hours`. */
  ago: (elapsedMs: number) => string
}

/** The formatters for a language or its region (BCP 47). Digits are Latin, as in the values of colours and type. */
export function formattersFor(tag: string): Formatters {
  const locale = `${new Intl.Locale(tag, { numberingSystem: 'latn' })}`
  const plurals = lazy(() => new Intl.PluralRules(locale))
  const days = lazy(() => new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }))
  const daysOfYear = lazy(() => new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long', timeZone: 'UTC' }))
  const minutes = lazy(() => new Intl.DateTimeFormat(locale, MINUTE))
  const times = lazy(() => new Intl.RelativeTimeFormat(locale))
  const decimal = decimalsOf(locale)
  const number = (value: number, digits = 0) => decimal(value, digits)
  const shares = lazy(() => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 }))
  const isMirrored = isRightToLeft(tag)
  const isolate = (text: Word) => (isMirrored ? joinWords(['\u2068', text, '\u2069'], '') : text)
  const size = (value: number, digits: number, unit: string) =>
    `${isolate(decimal(value, digits, unit).replace(/\s/g, '\u00a0'))}`
  const comma = tag.startsWith('ar') ? '، ' : tag.startsWith('ja') ? '、' : ', '
  return {
    number,
    share: percent =>
      shares()
        .format(percent / 100)
        .replace(/\s/g, '\u00a0'),
    plural: value => plurals().select(value),
    bytes: bytes => {
      const { value, digits, unit } = scaledBytes(bytes)
      return size(value, digits, unit)
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
    time: date => minutes().format(date),
    dayOfYear: date => daysOfYear().format(date),
    ago: elapsedMs => times().format(...distanceOf(elapsedMs)),
  }
}

/** A number of bytes in its unit, with one digit after the point if it has one before it: 2.1 kilobytes, 14 megabytes. */
function scaledBytes(bytes: number): { value: number; digits: number; unit: string } {
  if (bytes < 1000) return { value: bytes, digits: 0, unit: 'byte' }
  let value = bytes / 1000
  let unit = 0
  // 999.5 would be rounded to 1000, and 9.95 to 10.
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000
    unit++
  }
  return { value, digits: value < 9.95 ? 1 : 0, unit: UNITS[unit] ?? '' }
}

/** A time as `Intl.RelativeTimeFormat` takes it: -3 hours for three hours ago, and at least a minute. */
function distanceOf(elapsedMs: number): [number, 'minute' | 'hour' | 'day'] {
  const minutes = Math.max(1, Math.floor(Math.abs(elapsedMs) / 60_000))
  const sign = elapsedMs < -60_000 ? 1 : -1
  if (minutes < 60) return [sign * minutes, 'minute']
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? [sign * hours, 'hour'] : [sign * Math.floor(hours / 24), 'day']
}

const MINUTE = {
  year: 'numeric',
  month: 'long',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
  timeZoneName: 'short',
} as const
const UNITS = ['kilobyte', 'megabyte', 'gigabyte', 'terabyte']

/** Writes a value, perhaps with its unit. Formats are reused, since a list of files has hundreds of sizes. */
function decimalsOf(locale: string): (value: number, digits: number, unit?: string) => string {
  const formats = new Map<string, Intl.NumberFormat>()
  return (value, digits, unit) => {
    const key = `${unit} ${digits}`
    // Only the long form of bytes has a plural.
    const form = unit && ({ style: 'unit', unit, unitDisplay: unit === 'byte' ? 'long' : 'short' } as const)
    const precision = { minimumFractionDigits: digits, maximumFractionDigits: digits }
    const format = formats.get(key) ?? new Intl.NumberFormat(locale, { ...form, ...precision })
    formats.set(key, format)
    return format.format(value)
  }
}
