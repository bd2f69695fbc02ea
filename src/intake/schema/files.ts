import { number } from './numbers.ts'
import { described, mapping, type Schema } from './schema.ts'
import { DESCRIPTION, FLAG, form, NAME, oneOf, SHORT_TEXT } from './values.ts'

/** A media type without parameters (RFC 6838 §4.2). */
const MEDIA_TYPE = '[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]*/[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]*'

/** The keys of a file in `files.yaml`. */
export const FILE_KEYS = {
  description: described(
    DESCRIPTION,
    'What a picture shows, for those who cannot see it; "" if there is nothing to describe.',
    'Our mark, a ring around a dot',
  ),
  contentType: described(
    form(MEDIA_TYPE, 'Write a type and a subtype, as in image/svg+xml.'),
    'The content type, without parameters.',
    'image/svg+xml',
  ),
  family: described(SHORT_TEXT, 'The family of a font.', 'Acme Sans'),
  subFamily: described(SHORT_TEXT, 'The name of a font within its family.', 'SemiBold Italic'),
  weight: described(number({ least: 'above zero', most: 1000, isWhole: true }), 'The weight of a font.', 600),
  style: described(oneOf(['normal', 'italic', 'oblique']), 'The style of a font.'),
  width: described(pixels(), 'The width of a picture in px.', 640),
  height: described(pixels(), 'The height of a picture in px.', 480),
  title: described(NAME, 'What the website calls the file instead of its name.', 'Mark'),
  ground: described(NAME, 'The id of the colour that the file is for, as a white logo is for a dark one.', 'ink'),
  variantOf: described(NAME, 'The file that it is another format of, by its path under files/.', 'logo/acme.svg'),
  library: described(FLAG, 'Whether the website offers it among the files, whatever else speaks for or against that.'),
}

/** `files/files.yaml` */
export const FILES: Schema = {
  title: 'Files of a brand',
  description: 'What files do not say of themselves, by their paths under files/ or pages/.',
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
  return number({ least: 'above zero', most: 1_000_000, isWhole: true })
}
