import { FILE_FIELDS, FOLDER_FIELDS, FONT_FILE_STYLES, MEDIA } from '#brand/file.ts'
import { failed, ok, type Result } from '#platform/base/result.ts'
import { quote } from '#platform/base/text.ts'
import { readReferences } from '../yaml/references.ts'
import { readDay, readNumber, readOneOf, readParsed, readWords } from '../yaml/scalars.ts'
import { COMMON_KINDS, schemasOf } from './kinds.ts'
import { number } from './numbers.ts'
import { mapping, type Schema } from './schema.ts'
import { DESCRIPTION, form, NAME, oneOf, oneOrMore, wordsOf } from './values.ts'

/** A media type without parameters (RFC 6838 §4.2). */
const MEDIA_TYPE = '[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]*/[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]*'

/** A calendar day; the reader also checks the length of its month. */
const DAY = '\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])'

const MAX_PIXELS = 1_000_000
const MAX_SHARE = 4

/** The kinds of values of files. */
export const FILE_KINDS = {
  ...COMMON_KINDS,
  'content type': {
    schema: form(MEDIA_TYPE, 'Write a type and a subtype, as in image/svg+xml.'),
    read: readParsed(parseContentType),
  },
  'font weight': {
    schema: number({ min: 'above zero', max: 1000, isWhole: true }),
    read: readNumber('a whole number from 1 to 1000, as in 400', isWhole(1000)),
  },
  'font style': { schema: oneOf(FONT_FILE_STYLES), read: readOneOf(FONT_FILE_STYLES) },
  px: {
    schema: number({ min: 'above zero', max: MAX_PIXELS, isWhole: true }),
    read: readNumber('a whole number of px above 0, as in 640', isWhole(MAX_PIXELS)),
  },
  share: {
    schema: number({ min: 'above zero', max: MAX_SHARE }),
    read: readNumber('a number above 0, at most 4, as in 0.5', share => share > 0 && share <= MAX_SHARE),
  },
  order: { schema: number({ max: 1_000_000 }), read: readNumber('a number, as in 2', () => true) },
  media: { schema: wordsOf(MEDIA), read: readWords(MEDIA) },
  paths: { schema: oneOrMore(NAME), read: readReferences },
  day: { schema: form(DAY, 'Write a day as YYYY-MM-DD, as in 2027-11-29.'), read: readDay },
} as const

/** The only key of `files/files.yaml` that is not a path. */
export const FOLDERS_KEY = 'folders'

/** `files/files.yaml` */
export const FILES: Schema = {
  title: 'Files of a brand',
  description:
    'Details that files do not contain, keyed by path under files/ or pages/, by a pattern with * or by a folder with / at its end.',
  type: ['object', 'null'],
  properties: {
    [FOLDERS_KEY]: {
      description: 'The folders of the library, by path under files/.',
      type: 'object',
      additionalProperties: {
        ...mapping(schemasOf(FOLDER_FIELDS, FILE_KINDS)),
        description: 'A folder: some of its keys.',
      },
    },
  },
  propertyNames: { minLength: 1, pattern: '^[^\\p{Cc}\\p{Cs}]*$' },
  additionalProperties: {
    ...DESCRIPTION,
    ...mapping(schemasOf(FILE_FIELDS, FILE_KINDS)),
    description: 'A file: its description, or some of its keys.',
    type: ['object', 'string', 'number', 'boolean'],
  },
}

function parseContentType(text: string): Result<string, string> {
  return new RegExp(`^${MEDIA_TYPE}$`).test(text)
    ? ok(text.toLowerCase())
    : failed(`is ${quote(text)}; write a type and a subtype, as in image/svg+xml`)
}

function isWhole(max: number): (number: number) => boolean {
  return number => Number.isInteger(number) && number >= 1 && number <= max
}
