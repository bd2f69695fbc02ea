import { MEDIA } from '../../brand/file.ts'
import { number } from './numbers.ts'
import { mapping, type Schema, withDescription } from './schema.ts'

import { DESCRIPTION, FLAG, form, NAME, oneOf, SHORT_TEXT, wordsOf } from './values.ts'

/** A media type without parameters (RFC 6838 §4.2). */
const MEDIA_TYPE = '[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]*/[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]*'

/** A calendar day; the reader also checks the length of its month. */
const DAY = '\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])'

/** The keys of a file in `files.yaml`. */
export const FILE_KEYS = {
  description: withDescription(
    DESCRIPTION,
    'A description of the picture for people who cannot see it; "" if there is nothing to describe.',
    'Our mark, a ring around a dot',
  ),
  contentType: withDescription(
    form(MEDIA_TYPE, 'Write a type and a subtype, as in image/svg+xml.'),
    'The content type, without parameters.',
    'image/svg+xml',
  ),
  family: withDescription(SHORT_TEXT, 'The family of a font.', 'Acme Sans'),
  subFamily: withDescription(SHORT_TEXT, 'The name of a font within its family.', 'SemiBold Italic'),
  weight: withDescription(number({ min: 'above zero', max: 1000, isWhole: true }), 'The weight of a font.', 600),
  style: withDescription(oneOf(['normal', 'italic', 'oblique']), 'The style of a font.'),
  width: withDescription(pixels(), 'The width of a picture in px.', 640),
  height: withDescription(pixels(), 'The height of a picture in px.', 480),
  title: withDescription(NAME, 'The title of the file on the website, instead of its file name.', 'Mark'),
  ground: withDescription(
    NAME,
    'The id of the background colour for the file, such as a dark one for a white logo.',
    'ink',
  ),
  variantOf: withDescription(
    NAME,
    'The original of which this file is another format: its path under files/.',
    'logo/acme.svg',
  ),
  library: withDescription(FLAG, 'Whether the website lists the file; overrides the automatic choice.'),
  order: withDescription(
    number({ max: 1_000_000 }),
    'The place of the file in the lists of the website: lower numbers come first.',
    2,
  ),
  medium: withDescription(
    wordsOf(MEDIA),
    'The uses that the file is for: screen, print, merchandise, video, or several of them.',
    ['screen', 'print'],
  ),
  minWidth: withDescription(pixels(), 'The smallest width in px at which the file may be used.', 24),
  licence: withDescription(SHORT_TEXT, 'The licence under which the file may be used.', 'CC BY 4.0'),
  territory: withDescription(
    SHORT_TEXT,
    'The countries or regions in which the file may be used.',
    'Germany, Austria and Switzerland',
  ),
  until: withDescription(
    form(DAY, 'Write a day as YYYY-MM-DD, as in 2027-11-29.'),
    'The last day on which the file may be used.',
    '2027-11-29',
  ),
}

/** `files/files.yaml` */
export const FILES: Schema = {
  title: 'Files of a brand',
  description: 'Details that files do not contain, keyed by path under files/ or pages/.',
  type: ['object', 'null'],
  propertyNames: { minLength: 1, pattern: '^[^\\p{Cc}\\p{Cs}]*$' },
  additionalProperties: {
    ...DESCRIPTION,
    ...mapping(FILE_KEYS),
    description: 'A file: its description, or some of its keys.',
    type: ['object', 'string', 'number', 'boolean'],
  },
}

function pixels(): Schema {
  return number({ min: 'above zero', max: 1_000_000, isWhole: true })
}
