import { field, lazy } from '../../base/object.ts'
import { ENGLISH, EnglishText, Html, html, type Word } from '../html.ts'
import { ar } from './ar.ts'
import { de } from './de.ts'
import { en, type Texts, type Translation } from './en.ts'
import { enUs } from './en-us.ts'
import { es } from './es.ts'
import { type Formatters, formattersFor } from './formatters.ts'
import { fr } from './fr.ts'
import { it } from './it.ts'
import { ja } from './ja.ts'
import { nl } from './nl.ts'
import { pt } from './pt.ts'

/** The website's own words in one language, completed with English, and its formatters. */
export type Words = WithEnglish<Texts> & Formatters & { lang: string }

type WithEnglish<Text> = Text extends string
  ? Word
  : Text extends (...given: infer Given) => infer Made
    ? (...given: Given) => WithEnglish<Made>
    : Text extends Html
      ? Html
      : { readonly [Key in keyof Text]: WithEnglish<Text[Key]> }

/** The table of each language, keyed by BCP 47 tag. A service usually needs only one, so each is made on first use. */
export const LANGUAGES: Readonly<Record<string, () => Translation>> = { ar, de, en, es, fr, it, ja, nl, pt }

/**
 * The words for a guide by the BCP 47 tag of its language: `de-AT` has the words of `de` and the formats of Austria;
 * `en-US` also has American spelling. A language without a table has English words and formats.
 */
export function wordsFor(tag = 'en'): Words {
  const { language, region, baseName } = new Intl.Locale(tag)
  const isAmerican = language === 'en' && region === 'US'
  const translation = isAmerican ? enUs : Object.hasOwn(LANGUAGES, language) ? LANGUAGES[language] : undefined
  if (!translation) return untranslated()
  // Many tags share the formats of a few regions.
  const { locale } = new Intl.NumberFormat(baseName === 'en' ? 'en-GB' : baseName).resolvedOptions()
  const known = made.get(locale)
  if (known) return known
  const words = { ...withEnglish(en(), translation()), ...formattersFor(locale), lang: language }
  made.set(locale, words)
  return words
}

const made = new Map<string, Words>()
const untranslated = lazy(() => ({ ...withEnglish(en(), {}), ...formattersFor('en-GB'), lang: 'en' }))

/** Completes a translation with the English words that it lacks, each marked as English. */
export function withEnglish(english: Texts, translation: Translation): WithEnglish<Texts>
export function withEnglish(english: Texts, translation: Translation): object {
  return complete(english, translation)
}

function complete(english: object, translation: unknown): object {
  const words = Object.entries(english).map(([key, word]) => [key, translate(word, field(translation, key))])
  return Object.fromEntries(words)
}

function translate(english: unknown, translation: unknown): unknown {
  if (typeof english === 'object' && english !== null) return complete(english, translation)
  return translation ?? asEnglish(english)
}

function asEnglish(text: unknown): unknown {
  if (typeof text === 'function') return (...given: unknown[]) => asEnglish(text(...given))
  if (text instanceof Html) return html`<bdi lang="${ENGLISH.lang}" dir="${ENGLISH.dir}">${text}</bdi>`
  return new EnglishText(String(text))
}
