import { MAX_ENTRIES } from '../yaml/references.ts'
import type { Schema } from './schema.ts'

/**
 * Values as an editor sees them. It reads YAML by its core schema, so `name: 2024` and `pms: 0123` are numbers to it,
 * where the readers have the text as it is written; the schemas take both. A value that is missing is null to it, and
 * so is an unquoted `#…`, so that nothing takes null.
 */

/** The pattern of blank space within a line. */
export const BLANK = '[\\p{Z}\\uFEFF]*'

/** A text of one line that is not blank, of so many characters. A block text (`>`) ends with a line break. */
function line(maxLength: number): Schema {
  return {
    type: ['string', 'number', 'boolean'],
    maxLength,
    pattern: `^${BLANK}[^\\p{Z}\\uFEFF\\p{Cc}\\p{Cs}][^\\p{Cc}\\p{Cs}]*\\n*$`,
    patternErrorMessage: 'Write a text of one line.',
  }
}

/** As `readName` reads it. */
export const NAME = line(1000)

/** As `readShortText` reads it. */
export const SHORT_TEXT = line(200)

/** As `readDescription` reads it. */
export const DESCRIPTION: Schema = {
  type: ['string', 'number', 'boolean'],
  maxLength: 1000,
  pattern: '^(?:[^\\p{Cc}\\p{Cs}]|[\\n\\t])*$',
  patternErrorMessage: 'Remove the control characters.',
}

/** As `readFlag` reads it. */
export const FLAG: Schema = { enum: [true, false, 'true', 'false'] }

/** One text or several, as `readReferences` reads them: a list, or one text with commas. */
export function oneOrMore(one: Schema): Schema {
  return { ...NAME, type: ['array', 'string', 'number', 'boolean'], items: one, maxItems: MAX_ENTRIES }
}

/** One of a few words. */
export function oneOf(words: readonly string[], usual?: string): Schema {
  return { enum: words, ...(usual !== undefined && { default: usual }) }
}

/** A text of one form, of at most 200 characters. */
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

/** The id of a style. */
export const STYLE_ID = id(SLUGS, 200, 'Write lower-case letters, digits, and single hyphens between them.')

/** The id of a page. */
export const PAGE_ID = id(
  `${SLUGS}(?:/${SLUGS})*`,
  255,
  'Write lower-case letters, digits, and single hyphens between them; a slash stands between the parts.',
)

/** Digits alone are a number to an editor. */
function id(pattern: string, maxLength: number, error: string): Schema {
  return {
    type: ['string', 'integer', 'boolean'],
    minimum: 0,
    maxLength,
    pattern: `^(?:${pattern})$`,
    patternErrorMessage: error,
  }
}

/** The pattern of a word in upper or lower case. */
export function anyCase(word: string): string {
  return word.replace(/[a-z]/gi, letter => `[${letter.toUpperCase()}${letter.toLowerCase()}]`)
}

/** The patterns of what begins an address that can be opened from anywhere, and of all of it. */
export const URL_SCHEME = `(?:${anyCase('http')}[Ss]?|${anyCase('mailto')}):`
export const URL_ADDRESS = `(?:${anyCase('http')}[Ss]?://|${anyCase('mailto')}:)\\S+`
