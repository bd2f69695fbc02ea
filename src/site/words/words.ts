import { readFileSync } from 'node:fs'
import { field, lazy } from '../../base/object.ts'
import { memoize } from '../../base/text.ts'
import { ENGLISH, EnglishText, Html, html, type Word } from '../html.ts'
import { type Formatters, formattersFor } from './formatters.ts'
import type { Placeholders } from './placeholders.ts'

/** The website's own words in one language, completed with English, and its formatters. */
export type Words = Phrases<Placeholders> & Formatters & { lang: string }

type Phrases<Names> = {
  readonly [Key in keyof Names]: Names[Key] extends string ? Phrase<Names[Key]> : Phrases<Names[Key]>
}

/** A word, or a function of the values for its placeholders. Numbers are formatted; the value `link` is an address. */
type Phrase<Name extends string> = [Name] extends [never]
  ? Word
  : 'link' extends Name
    ? (values: Record<Name, Value>) => Html
    : { (values: Record<Name, Word | number>): Word; (values: Record<Name, Value>): Html | Word }

type Value = Html | Word | number

/** The languages of the website, each with a file of words that is read on first use. */
export const LANGUAGES: readonly string[] = ['en', 'ar', 'de', 'es', 'fr', 'it', 'ja', 'nl', 'pt']

/**
 * The words for a guide by the BCP 47 tag of its language: `de-AT` has the words of `de` and the formats of Austria;
 * `en-US` also has American spelling. A language without words has English words and formats.
 */
export function wordsFor(tag = 'en'): Words {
  const { language, region, baseName } = new Intl.Locale(tag)
  if (!LANGUAGES.includes(language)) return untranslated()
  // Many tags share the formats of a few regions.
  const { locale } = new Intl.NumberFormat(baseName === 'en' ? 'en-GB' : baseName).resolvedOptions()
  const cached = made.get(locale)
  if (cached) return cached
  const isAmerican = language === 'en' && region === 'US'
  const translation = isAmerican ? americanWords() : readWords(language)
  const words = { ...translatedWords(language, translation), ...formattersFor(locale), lang: language }
  made.set(locale, words)
  return words
}

const made = new Map<string, Words>()
const untranslated = lazy(() => ({ ...translatedWords('en', {}), ...englishFormatters(), lang: 'en' }))

/** The content of a file of words. */
export const readWords = memoize((language): unknown =>
  JSON.parse(readFileSync(new URL(`./${language}.json`, import.meta.url), 'utf8')),
)

const english = lazy((): object => Object(readWords('en')))
const englishFormatters = lazy(() => formattersFor('en-GB'))

/** English words in American spelling. */
export function americanWords(): unknown {
  return JSON.parse(JSON.stringify(english()).replaceAll('olour', 'olor').replaceAll('icence', 'icense'))
}

/** The words of a language, completed with the English words that it lacks, each marked as English. */
export function translatedWords(language: string, translation: unknown): Phrases<Placeholders>
export function translatedWords(language: string, translation: unknown): object {
  return translate(english(), translation, language === 'en' ? englishFormatters() : formattersFor(language))
}

function translate(group: object, translation: unknown, formatters: Formatters): object {
  const entries = Object.entries(group).map(([key, word]) => {
    const own = field(translation, key)
    if (isGroup(word)) return [key, translate(word, own, formatters)]
    return [key, own === undefined ? asEnglish(phrase(word, englishFormatters())) : phrase(own, formatters)]
  })
  return Object.fromEntries(entries)
}

/** Whether a value is a group of words instead of a word, which is a string or an object of plural forms. */
export function isGroup(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Object.keys(value).every(key => PLURALS.has(key))
}

const PLURALS: ReadonlySet<string> = new Set(['zero', 'one', 'two', 'few', 'many', 'other'])

/** The names of the values that a word needs. */
export function placeholdersOf(word: unknown): string[] {
  const marks = JSON.stringify(word).matchAll(/\{(\w+)\}|<(link)>/g)
  return [...new Set([...marks].map(([, name, link]) => name ?? link ?? ''))]
}

type Fill = (values: Readonly<Record<string, Value>>) => Html | string

function phrase(word: unknown, formatters: Formatters): string | Fill {
  if (typeof word === 'string') return MARK.test(word) ? filler(word, formatters) : word
  const forms = new Map(Object.entries(Object(word)).map(([form, text]) => [form, filler(String(text), formatters)]))
  const fillOther = forms.get('other')
  return values => (forms.get(formatters.plural(Number(values.count))) ?? fillOther)?.(values) ?? ''
}

/** A placeholder or a link. */
const MARK = /(\{\w+\}|<link>.*?<\/link>)/

function filler(text: string, { number }: Formatters): Fill {
  const parts = text.split(MARK)
  return values => {
    const filled = parts.map(part => {
      if (part.startsWith('<link>'))
        return html`<a href="${values.link}">${part.slice('<link>'.length, -'</link>'.length)}</a>`
      const value = part.startsWith('{') ? values[part.slice(1, -1)] : part
      return typeof value === 'number' ? number(value) : (value ?? part)
    })
    return filled.some(part => part instanceof Html) ? html`${filled}` : filled.join('')
  }
}

function asEnglish(word: Html | string | Fill): Html | Word | ((...values: Parameters<Fill>) => unknown) {
  if (typeof word === 'function') return values => asEnglish(word(values))
  if (word instanceof Html) return html`<bdi lang="${ENGLISH.lang}" dir="${ENGLISH.dir}">${word}</bdi>`
  return new EnglishText(word)
}
