import { anyCase } from '#platform/base/text.ts'
import { MAX_ENTRIES } from '../yaml/references.ts'
import type { Schema } from './schema.ts'

/**
 * Value schemas for editors. Editors use the YAML core schema, so `name: 2024` and `pms: 0123` are numbers for them but
 * strings for the readers; the schemas accept both. A missing value and an unquoted `#…` are null for editors, so no
 * schema accepts null.
 */

/** The pattern of blank space within a line. */
export const BLANK = '[\\p{Z}\\uFEFF]*'

/** One non-blank line of at most `maxLength` characters. A block scalar (`>`) ends with a line break. */
function line(maxLength: number): Schema {
  return {
    type: ['string', 'number', 'boolean'],
    maxLength,
    pattern: `^${BLANK}[^\\p{Z}\\uFEFF\\p{Cc}\\p{Cs}][^\\p{Cc}\\p{Cs}]*\\n*$`,
    patternErrorMessage: 'Write one line of text.',
  }
}

/** The schema for `readName`. */
export const NAME = line(1000)

/** The schema for `readShortText`. */
export const SHORT_TEXT = line(200)

/** The schema for `readDescription`. */
export const DESCRIPTION: Schema = {
  type: ['string', 'number', 'boolean'],
  maxLength: 1000,
  pattern: '^(?:[^\\p{Cc}\\p{Cs}]|[\\n\\t])*$',
  patternErrorMessage: 'Remove the control characters.',
}

/** The schema for `readFlag`. */
export const FLAG: Schema = { enum: [true, false, 'true', 'false'] }

/** The schema for a screen colour as hex digits. Editors read digits without quotes as a number. */
export const HEX: Schema = {
  type: ['string', 'number'],
  minimum: 0,
  pattern: `^${BLANK}#?(?:[0-9a-fA-F]{6}|[0-9a-fA-F]{3})${BLANK}$`,
  patternErrorMessage: 'Write # and three or six hex digits, in quotes.',
}

/** The schema for `readReferences`: a list, or one string with commas. */
export function oneOrMore(one: Schema): Schema {
  return { ...NAME, type: ['array', 'string', 'number', 'boolean'], items: one, maxItems: MAX_ENTRIES }
}

/** The schema of one of a few words. */
export function oneOf(words: readonly string[], usual?: string): Schema {
  return { enum: words, ...(usual !== undefined && { default: usual }) }
}

/** The schema of one or more of a few words: a list, or one string with commas. */
export function wordsOf(words: readonly string[]): Schema {
  const word = `${BLANK}(?:${words.join('|')})${BLANK}`
  return {
    type: ['array', 'string'],
    items: { enum: words },
    minItems: 1,
    maxItems: MAX_ENTRIES,
    pattern: `^${word}(?:,${word})*$`,
    patternErrorMessage: `Write one or more of ${words.join(', ')}.`,
  }
}

/** A string of at most 200 characters that matches a pattern. */
export function form(pattern: string, error: string): Schema {
  return { type: 'string', maxLength: 200, pattern: `^${pattern}$`, patternErrorMessage: error }
}

/** The id of a workspace or project. */
export const SHORT_ID = id(
  '[a-z0-9]+(?:-[a-z0-9]+)*',
  63,
  'Write lower-case letters from a to z, digits, and single hyphens between them.',
)

const SLUG = '(?:(?![\\p{Lu}\\p{Lt}ß])[\\p{L}\\p{Nd}])+'
const SLUGS = `${SLUG}(?:-${SLUG})*`

export const STYLE_ID = id(SLUGS, 200, 'Write lower-case letters, digits, and single hyphens between them.')

export const PAGE_ID = id(
  `${SLUGS}(?:/${SLUGS})*`,
  255,
  'Write lower-case letters, digits, and single hyphens between them, with a slash between the parts.',
)

/** Editors treat a value with only digits as a number. */
function id(pattern: string, maxLength: number, error: string): Schema {
  return {
    type: ['string', 'integer', 'boolean'],
    minimum: 0,
    maxLength,
    pattern: `^(?:${pattern})$`,
    patternErrorMessage: error,
  }
}

/** The patterns of the scheme of an absolute address, and of the whole address. */
export const URL_SCHEME = `(?:${anyCase('http')}[Ss]?|${anyCase('mailto')}):`
export const URL_ADDRESS = `(?:${anyCase('http')}[Ss]?://|${anyCase('mailto')}:)\\S+`
