import { magnitude, number, numbers, upTo } from './numbers.ts'
import { mapping, type Schema, withDescription } from './schema.ts'
import { anyCase, BLANK, NAME, oneOrMore, SHORT_TEXT, STYLE_ID } from './values.ts'

/** The keys of a colour. */
export const COLOR_KEYS = {
  id: withDescription(STYLE_ID, 'The id in addresses and links. Default: made from the name.', 'ink'),
  name: withDescription(NAME, 'The name that people see.', 'Ink'),
  rgb: withDescription(
    numbers(3, { max: 255, isWhole: true }, upTo(255), 'Write three whole numbers, 0 to 255, as in "29,112,184".'),
    'Red, green and blue, 0 to 255. Default: computed from hex.',
    '29, 112, 184',
    [29, 112, 184],
  ),
  cmyk: withDescription(
    numbers(4, { max: 100 }, `\\+?${magnitude(100)}`, 'Write four numbers, 0 to 100, as in "84,39,0,28".'),
    'Cyan, magenta, yellow and black, 0 to 100. Never computed, so present only if written.',
    '84, 39, 0, 28',
    [84, 39, 0, 28],
  ),
  hex: withDescription(
    {
      type: ['string', 'number'],
      minimum: 0,
      pattern: `^${BLANK}#?(?:[0-9a-fA-F]{6}|[0-9a-fA-F]{3})${BLANK}$`,
      patternErrorMessage: 'Write # and three or six hex digits, in quotes.',
    },
    'Three or six hex digits. With #, they need quotes, since # begins a comment in YAML.',
    '#1d70b8',
    '1d70b8',
  ),
  pms: withDescription(SHORT_TEXT, 'The Pantone reference, as printed.', '285 C'),
  pms2: withDescription(SHORT_TEXT, 'A second Pantone reference, such as one for uncoated paper.', '285 U'),
  ral: withDescription(ralNumber(), 'The RAL Classic number.', 5015, 'RAL 5015'),
  group: withDescription(SHORT_TEXT, 'The heading above the colour on the website.', 'Core'),
  use: withDescription(NAME, 'The use of the colour, in one line.', 'Text and headings'),
  on: withDescription(oneOrMore(NAME), 'The ids of the background colours that it may be used on.', 'paper', [
    'paper',
    'sand',
  ]),
  proportion: withDescription(
    number({ min: 'zero', max: 100 }, '\\s*%?'),
    'Its share of the area of brand layouts, in per cent.',
    54,
    '54 %',
  ),
  tintOf: withDescription(NAME, 'The id of the colour that it is a tint or shade of.', 'ink'),
}

/** `styles/colors.yaml` */
export const COLORS: Schema = {
  title: 'Colours of a brand',
  description: 'A list of colours, in display order.',
  type: ['array', 'null'],
  items: {
    description: 'A colour: a name, and hex or rgb. Print values are present only if written.',
    ...mapping(COLOR_KEYS, ['name']),
    anyOf: [{ required: ['hex'] }, { required: ['rgb'] }],
  },
}

/** Also accepts numbers of other RAL systems: they deserve a warning, which a schema cannot express. */
function ralNumber(): Schema {
  const systems = ['Classic', 'Design', 'Effect', 'Plastics'].map(anyCase).join('|')
  const digits = ['[1-9]\\d{3}', '[Hh]?\\d{3}[ -]?[Ll]?\\d{2}[ -]?[Cc]?\\d{2}', '\\d{3}-[1-6Mm]', '[Pp][12][ -]?\\d{4}']
  const pattern = `^${BLANK}(?:${anyCase('RAL')}[ -]?(?:(?:${systems}) ?)?)?(?:${digits.join('|')})${BLANK}$`
  const patternErrorMessage = 'Write the four digits of a RAL Classic number, as in 5015.'
  return {
    anyOf: [
      { type: 'integer', minimum: 1000, maximum: 9999 },
      { type: 'integer', minimum: 1_000_000, maximum: 9_999_999 },
      { type: 'string', maxLength: 200, pattern, patternErrorMessage },
    ],
  }
}
