import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { type Formatters, formattersFor } from './formatters.ts'
import { fr } from './fr.ts'
import { it } from './it.ts'
import { ja } from './ja.ts'
import { nl } from './nl.ts'
import { pt } from './pt.ts'

/** What the website itself says, in one language, by where it stands. Numbers that stand alone come from its figures. */
export type Words = Texts & Formatters & { lang: string }

/** The texts of a language: those that English has. */
type Texts = ReturnType<typeof en>

/** What gives the texts of each language, by its BCP 47 tag. They are 90 KB, of which most services need one language. */
export const LANGUAGES: Readonly<Record<string, () => Texts>> = { de, en, es, fr, it, ja, nl, pt }

/**
 * The words for the guides of a language, by its BCP 47 tag: `de-AT` has those of `de`, and the figures of Austria. A
 * language without a table has English words.
 */
export function wordsFor(tag: string | undefined): Words {
  const { language = 'en', baseName } = new Intl.Locale(tag ?? 'en')
  const lang = Object.hasOwn(LANGUAGES, language) ? language : 'en'
  const isPlain = lang !== language || baseName === 'en'
  // There are few regions that figures differ in, and many tags.
  const { locale } = new Intl.NumberFormat(isPlain ? 'en-GB' : baseName).resolvedOptions()
  const known = made.get(locale)
  if (known) return known
  const words = { ...(LANGUAGES[lang] ?? en)(), ...formattersFor(locale), lang }
  made.set(locale, words)
  return words
}

const made = new Map<string, Words>()
