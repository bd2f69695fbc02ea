import { anyOf } from '#platform/base/text.ts'
import { COLOR_FIELDS, PRINT_KEYS, valueName } from '../color.ts'
import { keysOf } from '../fields.ts'
import { plainWord } from '../placeholder.ts'
import { BOOK_LETTERS, INK_WORDS } from './pantone.ts'

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
  use: 'usage description purpose notes note uso usos utilizzo impiego verwendung einsatz anwendung utilisation emploi gebruik zastosowanie användning anvendelse bruk',
}

/** Ink systems without a field, whose references are under `inks`: `HKS`, `NCS S`, `RAL Design`. */
const INK_SYSTEMS = ['HKS', 'NCS', 'DIC', 'TOYO', 'FOCOLTONE', 'TRUMATCH', 'MUNSELL'].filter(
  system => !Object.hasOwn(COLOR_FIELDS, system.toLowerCase()),
)
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

/** The keys of fields with a value for screens. */
export const SCREEN_KEYS = ['hex', 'rgb'] as const

/** Whether a label names a value for screens. */
export function namesScreenValue(label: string): boolean {
  return SCREEN_KEYS.some(key => key === colorKeyOf(label))
}

/** Properties of buttons and boxes, whose values are colours of a palette that is elsewhere. */
const PROPERTIES = /^(?:background|border|fill|stroke|outline|text|icon)(?:[ -]?colou?r)?$/i

/** Whether a label is a property of an element, and no name of a colour. */
export function namesProperty(label: string): boolean {
  return PROPERTIES.test(label.trim())
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
const numbers = (count: number, gap = String.raw`[\s,/·•.|–-]{1,5}`) => `${NUMBER}(?:${gap}${NUMBER}){${count - 1}}`
/** Letters behind the number of an ink, for the paper or the material; K, N, E and Z are those of HKS. */
const BOOK = String.raw`(?:\s?${anyOf([...BOOK_LETTERS, ...'KNEZ'])})?`
const WORD = String.raw`${anyOf([...INK_WORDS, 'Gray', 'Grey'])}\s?`
/** `186 C`, `Cool Gray 11 C`, `Reflex Blue`, `Black`, and with its book `Green C`. */
const INK = String.raw`(?:(?:${WORD}){0,2}(?:[ps]\s?)?\d[\w-]{0,9}(?:\s\d{4}(?!\d))?${BOOK}|${WORD}(?:${WORD}|(?<=black\s?)|(?=[cu]\b))${BOOK})(?<!\s)\b`

/** Three digits need the sign or the label of hex. */
const HEX = String.raw`[\da-f]{6}\b|(?<=#\s?|\bhex[\s:#]{0,4})[\da-f]{3}\b`
/** The values of a kind as they are written in texts. */
const FORMS: Partial<Record<string, string>> = { ral: String.raw`\d{4}\b|\d{3} \d{2} \d{2}\b` }

/**
 * The values of a system: the heading of their column, and the patterns of values in a text, with a group for each channel:
 * `own` without a label of letters, then `before` with a label before the value, and `behind` with one behind it.
 */
type Notation = { title: string; own: readonly RegExp[]; before?: RegExp; behind?: RegExp }

/** The fields with values that have labels of their own; others need more words around them. */
const VALUES = ([...SCREEN_KEYS, ...PRINT_KEYS] as const).filter(key => key !== 'inks')
/** The keys and systems of values besides CMYK, and the words that a text may have for any value. */
const SYSTEM_LABELS = [
  ...VALUES.filter(key => key !== 'cmyk').flatMap(key => [key, valueName(key).system.toLowerCase()]),
  ...INK_SYSTEMS,
].join('|')
const VALUE_LABELS = `${SYSTEM_LABELS}|cmyk|html|web`

/** Whether a label names a value of a colour, for screens or print. */
export function namesValue(label: string): boolean {
  return namesInks(label) || VALUES.some(key => key === colorKeyOf(label))
}

/** The longest text in which values of a colour are looked for. */
export const MAX_VALUES_LENGTH = 300

/** Values with a label. One before its label is at the start of a text or of a part of it. */
function labelled(label: string, form: string): Pick<Notation, 'before' | 'behind'> {
  const start = String.raw`(?:^|[\n;|,]|(?<!\b(?:${VALUE_LABELS})\s{0,3}):)\s{0,3}`
  return {
    before: new RegExp(String.raw`(?<![a-z\d])(?:${label})(?![a-z])[®™]?[\s:=(#|–-]{0,24}(?<value>${form})\)?`, 'gi'),
    behind: new RegExp(String.raw`(?<=${start})(?<value>${form})[\s(]{1,4}(?:${label})\)?(?![a-z\d])`, 'gi'),
  }
}

const ENDS_WITH_LABEL = new RegExp(String.raw`(?<![a-z])(?:${VALUE_LABELS})\)?\s{0,3}$`, 'i')

/** The patterns for a text, from the one that counts most. */
function patternsFor({ own, before, behind }: Notation, text: string): RegExp[] {
  const [first, second] = ENDS_WITH_LABEL.test(text) ? [behind, before] : [before, behind]
  return [...own, first, second].filter(pattern => pattern !== undefined)
}

/** Values whose channels have a letter each: `C 85 | M 20 | Y 80 | K 8`. */
function channels(letters: readonly string[]): RegExp {
  const parts = letters.map((letter, at) => String.raw`${letter}[\s:=]{0,3}(?<n${at}>\d{1,3})[%°]?`)
  return new RegExp(String.raw`\b${parts.join(String.raw`[\s,;/|·•]{0,5}`)}(?![\w])`, 'gi')
}

const PANTONE = '(?:pantone|pms|spot|sonderfarbe)[®™]?'
/** Between numbers without a label, where a point is one of a decimal. */
const BARE_GAP = String.raw`[\s,/·•|–-]{1,5}`
const NEXT_VALUE = String.raw`(?:#\s?(?:[\da-f]{6}|[\da-f]{3})|(?:${SYSTEM_LABELS})(?![a-z]))`

/** Fields that have more than a label and a form. */
const SPECIAL: Partial<Record<string, Partial<Notation>>> = {
  hex: {
    title: 'Hex',
    own: [new RegExp(String.raw`#\s?(?<value>${HEX})`, 'gi')],
    ...labelled(labelOf('hex'), HEX),
  },
  rgb: { own: [channels(['r', 'g', 'b'])], ...labelled(labelOf('rgb'), numbers(3)) },
  cmyk: {
    own: [
      channels(['c', 'm', 'y', 'k']),
      // Without a label: a whole line, or before another value.
      new RegExp(`^(?<value>${numbers(4)})$`, 'gm'),
      new RegExp(String.raw`(?<![\d.,/%(]\s{0,3})(?<value>${numbers(4, BARE_GAP)})(?=[^\d\w]{1,9}${NEXT_VALUE})`, 'gi'),
    ],
    ...labelled(labelOf('cmyk'), numbers(4)),
  },
  pms: {
    title: 'Pantone',
    ...labelled(String.raw`${PANTONE}(?:\s{1,3}(?:coated|c|solid|plus))*`, String.raw`${INK}(?:\s?[/+&]\s?${INK})?`),
  },
  pms2: { title: 'Pantone uncoated', ...labelled(String.raw`${PANTONE}\s{1,3}(?:uncoated|u)`, INK) },
}

/** The words for a field in texts, where those with digits could be values. */
function labelOf(key: ColorKey): string {
  const words = [key, valueName(key).system.toLowerCase(), ...(WORDS[key] ?? '').split(' ')]
  return [...new Set(words)].filter(word => /^[a-z]+$/.test(word)).join('|')
}

const NOTATIONS: readonly Notation[] = [
  ...VALUES.map(key => ({
    title: valueName(key).label,
    own: [],
    ...labelled(labelOf(key), FORMS[COLOR_FIELDS[key].kind] ?? INK),
    ...SPECIAL[key],
  })),
  ...INK_SYSTEMS.map(title => ({
    title,
    own: [],
    ...labelled(title, String.raw`(?:[a-z]{1,2}\s)?${INK}`),
  })),
  {
    title: 'HSL',
    own: [],
    ...labelled('hs[lbv]a?|hwb|(?:ok)?(?:lab|lch)', String.raw`[\d.]+%?(?:[\s,°]+-?[\d.]+%?){2}`),
  },
  { title: 'HSB', own: [channels(['h', 's', '[bv]'])] },
  { title: 'CSS', own: [/(?<value>\bvar\(--[^)\s]{1,100}\))/gi] },
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
  for (const notation of NOTATIONS) {
    const matches = patternsFor(notation, text)
      .values()
      .map(pattern => text.matchAll(pattern).next().value)
    const { value, ...parts } = matches.find(match => match !== undefined)?.groups ?? {}
    const all = value ?? Object.values(parts).join(', ')
    if (all !== '') values.set(notation.title, notation.title === 'Hex' ? `#${all}` : all.trim())
  }
  return values
}

/** A text with another one in the place of each value. */
export function replaceValues(text: string, replacement: string): string {
  const patterns = NOTATIONS.flatMap(notation => patternsFor(notation, text))
  return patterns.reduce((rest, pattern) => rest.replaceAll(pattern, replacement), text)
}

/** The place of the first value in a text; infinity without one. */
export function firstValueAt(text: string): number {
  const patterns = NOTATIONS.flatMap(notation => patternsFor(notation, text))
  return Math.min(...patterns.flatMap(pattern => text.matchAll(pattern).next().value?.index ?? []))
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
