import { COLOR_FIELDS, PRINT_KEYS, valueName } from '../color.ts'
import { keysOf } from '../fields.ts'
import { plainWord } from '../placeholder.ts'

/*
 * How people write and label the values of a colour, on pages, in tables and in data. A new ink system is a row of
 * COLOR_FIELDS, from which it has its labels and the form of its references.
 */

type ColorKey = keyof typeof COLOR_FIELDS

/** Words for fields in tables and texts, in the languages of the website, in the form of `plainWord`, besides their keys. */
const WORDS: { readonly [Key in ColorKey]?: string } = {
  name: 'title label style stylename color colour colorname colourname swatch swatchname farbe farbname bezeichnung nom couleur nomdelacouleur nombre nombredelcolor nome colore nomecolore cor nomedacor naam kleur kleurnaam nazwa kolor nazwakoloru namn farg fargnamn navn farve farvenavn farge fargenavn nazev barva nimi vari назва колір название цвет 名称 색상 이름 色名',
  hex: 'hexadecimal html web hexcolor hexcolour',
  rgb: 'srgb rvb',
  cmyk: 'cmjn cmykc print druck 4c euroskala quadrichromie quadricromia cuatricromia',
  pms: 'pantone pms1 pantone1 pmsc pantonec pantonesolid pantonepms pmspantone pantonematchingsystem spot sonderfarbe',
  pms2: 'pantone2 pmsu pantoneu pmsuncoated pantoneuncoated pantonesoliduncoated',
  ral: 'ralclassic',
  group: 'category section palette',
  use: 'usage description purpose notes note',
}

/** Ink systems without a field, whose references are under `inks`: `HKS`, `NCS S`, `RAL Design`. */
const INK_SYSTEMS = ['HKS', 'NCS', 'DIC', 'TOYO', 'FOCOLTONE', 'TRUMATCH', 'MUNSELL']
const RAL_SYSTEMS = 'RAL[ -]?(?:DESIGN|EFFECT|PLASTICS)'
const USUAL_INKS = new RegExp(`^(?:${INK_SYSTEMS.join('|')}|${RAL_SYSTEMS})(?![a-z])`, 'i')

/** Whether the name of a column is that of an ink system without a field. */
export function namesInks(column: string): boolean {
  return USUAL_INKS.test(column)
}

/** The name of an ink system as it is usually written. */
export function inkSystem(name: string): string {
  return INK_SYSTEMS.find(system => system === name.toUpperCase()) ?? name
}

/** The field that a label names, in any case and spelling; `r`, `g`, `b` and `c`, `m`, `y`, `k` are parts of one. */
export function colorKeyOf(label: string): string | undefined {
  return keyIn(COLOR_LABELS, label)
}

/** The key of a word, or of the word without others around it that add nothing. */
export function keyIn(keys: ReadonlyMap<string, string>, label: string): string | undefined {
  const word = plainWord(label)
  return keys.get(word) ?? keys.get(word.slice(0, MAX_WORD).replace(QUALIFIERS, ''))
}

/** The keys of words in the form of `plainWord`; a key is its own word. */
export function keysByWord(words: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  const entries = Object.entries(words)
  const others = entries.flatMap(([key, list]) => list.split(' ').map(word => [plainWord(word), key] as const))
  return new Map([...others, ...entries.map(([key]) => [key.toLowerCase(), key] as const)])
}

/** Letters of a label; the longest that means a key has fewer. */
const MAX_WORD = 100

/** Words around a label that add nothing: `RGB values`, `Druck (CMYK)`, `RAL colour`. */
const QUALIFIERS =
  /^(?:valores|wartosci|codigo|kolor|screen|bildschirm|print|druck|process|lack)+|(?:values?|codes?|numbers?|no|nr|werte?|print|druck|screen|colou?r|farbe|ton|k7|fogra\d*|coated)+$/g

const FIELD_KEYS = keysOf(COLOR_FIELDS).filter(key => key !== 'inks')
const COLOR_LABELS = keysByWord({
  r: 'red',
  g: 'green',
  b: 'blue',
  c: 'cyan',
  m: 'magenta',
  y: 'yellow j',
  k: 'black key n',
  ...Object.fromEntries(FIELD_KEYS.map(key => [key, WORDS[key] ?? key])),
})

const NUMBER = String.raw`\d{1,3}(?:\.\d{1,2})?\s?%?`
const numbers = (count: number) => String.raw`${NUMBER}(?:[\s,/·•.|–-]+${NUMBER}){${count - 1}}`
/** Letters behind the number of an ink, for the paper or the material. */
const BOOK = String.raw`(?:\s?(?:CP|UP|TPX|TCX|TPG|TSX|EC|XGC|CVC?|[CUMKNEZ]))?`
const HUES = 'gr[ae]y|red|blue|black|green|yellow|orange|purple|violet'
const SHADES = 'black|cool|warm|process|reflex|rhodamine|rubine|bright|medium|dark|light|neutral'
const BASES = String.raw`black|warm red|reflex blue|process \w+|rhodamine red|rubine red`
const INK = String.raw`(?:(?:(?:${SHADES})\s?(?:${HUES})?\s?)?(?:[ps]\s?)?\d[\w-]{0,9}(?:\s\d{4}(?!\d))?|${BASES})${BOOK}\b`

/** Three digits need the sign or the label of hex. */
const HEX = String.raw`[\da-f]{6}\b|(?<=#\s?|\bhex[\s:#]*)[\da-f]{3}\b`
/** The values of a kind as they are written in texts. */
const FORMS: Partial<Record<string, string>> = { ral: String.raw`\d{4}\b|\d{3} \d{2} \d{2}\b` }

/** The values of a kind: the heading of their column, and the patterns of values in a text, with a group for each channel. */
type Notation = { title: string; patterns: readonly RegExp[] }

const VALUE_LABELS = 'hex|html|web|rgb|cmyk|pantone|pms|ral|hks|ncs'

/** A value behind its label, or before it at the start of a text or a part of it. */
function labelled(label: string, form: string): RegExp[] {
  return [
    new RegExp(String.raw`(?<![a-z\d])(?:${label})(?![a-z])[®™]?[\s:=(#–-]*(?<value>${form})\)?`, 'gi'),
    new RegExp(
      String.raw`(?<=(?:^|[\n;|,]|(?<!\b(?:${VALUE_LABELS})\s*):)\s*)(?<value>${form})[\s(]+(?:${label})\)?(?![a-z\d])`,
      'gi',
    ),
  ]
}

/** Values whose channels have a letter each: `C 85 | M 20 | Y 80 | K 8`. */
function channels(letters: readonly string[]): RegExp {
  const parts = letters.map((letter, at) => String.raw`${letter}[\s:=]*(?<n${at}>\d{1,3})[%°]?`)
  return new RegExp(String.raw`\b${parts.join(String.raw`[\s,;/|·•]*`)}(?![\w])`, 'gi')
}

const PANTONE = 'pantone|pms|spot|sonderfarbe'
/** Fields that have more than a label and a form. */
const SPECIAL: Partial<Record<string, Partial<Notation>>> = {
  hex: {
    title: 'Hex',
    patterns: [...labelled(labelOf('hex'), HEX), new RegExp(String.raw`#\s?(?<value>${HEX})`, 'gi')],
  },
  rgb: { patterns: [...labelled(labelOf('rgb'), numbers(3)), channels(['r', 'g', 'b'])] },
  cmyk: {
    patterns: [
      ...labelled(labelOf('cmyk'), numbers(4)),
      channels(['c', 'm', 'y', 'k']),
      new RegExp(`^(?<value>${numbers(4)})$`, 'gm'),
    ],
  },
  pms: { title: 'Pantone', patterns: labelled(String.raw`(?:${PANTONE})[®™]?(?:\s+(?:coated|c|solid|plus))*`, INK) },
  pms2: { title: 'Pantone uncoated', patterns: labelled(String.raw`(?:${PANTONE})[®™]?\s+(?:uncoated|u)`, INK) },
}

/** The words for a field in texts, where those with digits could be values. */
function labelOf(key: ColorKey): string {
  const words = [key, valueName(key).system.toLowerCase(), ...(WORDS[key] ?? '').split(' ')]
  return [...new Set(words)].filter(word => /^[a-z]+$/.test(word)).join('|')
}

/** The fields with values that have labels of their own; others need more words around them. */
const VALUES = (['hex', 'rgb', ...PRINT_KEYS] as const).filter(key => key !== 'inks')

const NOTATIONS: readonly Notation[] = [
  ...VALUES.map(key => ({
    title: valueName(key).label,
    patterns: labelled(labelOf(key), FORMS[COLOR_FIELDS[key].kind] ?? INK),
    ...SPECIAL[key],
  })),
  ...INK_SYSTEMS.filter(system => !Object.hasOwn(COLOR_FIELDS, system.toLowerCase())).map(title => ({
    title,
    patterns: labelled(title, String.raw`(?:[a-z]{1,2}\s)?${INK}`),
  })),
  {
    title: 'HSL',
    patterns: labelled('hs[lbv]a?|hwb|(?:ok)?(?:lab|lch)', String.raw`[\d.]+%?(?:[\s,°]+-?[\d.]+%?){2}`),
  },
  { title: 'HSB', patterns: [channels(['h', 's', '[bv]'])] },
  { title: 'CSS', patterns: [/(?<value>\bvar\(--[^)\s]{1,100}\))/gi] },
]

/** The headings of the columns of values that a colour can have. */
export const COLUMNS: readonly string[] = NOTATIONS.map(({ title }) => title).filter(
  title => colorKeyOf(title) !== undefined || namesInks(title),
)

/** The heading of the column of a value that has this label; undefined for other labels. */
export function valueColumn(label: string): string | undefined {
  const isSame = ({ title }: Notation) => title.toLowerCase() === label.toLowerCase()
  return NOTATIONS.find(isSame)?.title ?? (/^pms$/i.test(label) ? 'Pantone' : undefined)
}

/** The values in a text, by column. */
export function valuesIn(text: string): Map<string, string> {
  const values = new Map<string, string>()
  for (const { title, patterns } of NOTATIONS) {
    const found = patterns.map(pattern => text.matchAll(pattern).next().value).find(match => match !== undefined)
    const { value, ...parts } = found?.groups ?? {}
    const all = value ?? Object.values(parts).join(', ')
    if (all !== '') values.set(title, title === 'Hex' ? `#${all}` : all.trim())
  }
  return values
}

/** A text with another one in the place of each value. */
export function replaceValues(text: string, replacement: string): string {
  return PATTERNS.reduce((rest, pattern) => rest.replaceAll(pattern, replacement), text)
}

const PATTERNS = NOTATIONS.flatMap(({ patterns }) => patterns)

/** The place of the first value in a text; infinity without one. */
export function firstValueAt(text: string): number {
  return Math.min(...PATTERNS.flatMap(pattern => text.matchAll(pattern).next().value?.index ?? []))
}

const LABEL_WORDS = [...VALUES.map(labelOf), ...INK_SYSTEMS, 'hs[lbv]a?', 'hwb', '(?:ok)?(?:lab|lch)', 'css'].join('|')
const ONLY_LABELS = new RegExp(String.raw`^(?:(?:${LABEL_WORDS}|(?:un)?coated)(?!\p{L})|\P{L})*$`, 'iu')

/** Whether a text has no other words than labels of values. */
export function isOnlyLabels(text: string): boolean {
  return ONLY_LABELS.test(text)
}

const LABEL = new RegExp(String.raw`^(?:${LABEL_WORDS}|(?:un)?coated|[cu])\b.{0,12}$`, 'i')

/** Whether a short text begins with the label of a value, such as `CMYK`. */
export function beginsWithLabel(text: string): boolean {
  return LABEL.test(text)
}
