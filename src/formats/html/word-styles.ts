import { anyOf, groupsOf, wordSet } from '#platform/base/text.ts'
import { openXml, type XmlElement, type XmlListener } from '../xml/parse-xml.ts'

/**
 * The format of a style, a paragraph or a run of a Word file: its style, its level as a heading, its list and its level
 * there, and how its text is shown. The style has the values that are missing.
 */
export type WordFormat = {
  /** The id of a style; empty: none. */
  base: string
  name?: string
  level?: number
  hides?: boolean
  isCapitals?: boolean
  isSmallCapitals?: boolean
  list?: string
  listLevel?: number
}

/** The styles of a file by id. */
export type WordStyles = ReadonlyMap<string, WordFormat>

/** The id of the style that paragraphs without one have. */
export const USUAL_STYLE = 'usual style of paragraphs'

/** Reads the elements of a part, of a malformed one what can be read. */
export function readElements(xml: string, listener: XmlListener): void {
  const reader = openXml({ problem: () => undefined, ...listener })
  reader.write(xml)
  reader.close()
}

/** The value that most elements of Word have, such as `<w:name w:val="Quote"/>`. */
export function settingOf({ attributes }: XmlElement): string {
  return attributes.get('w:val') ?? ''
}

/** A property that an element switches on or off. */
function toggle(name: keyof WordFormat) {
  return (value: string) => ({ [name]: !OFF.has(value) })
}

const OFF = wordSet('0 false off')

/** The elements that give a format, by their value. */
const FORMATS = new Map<string, (value: string) => Partial<WordFormat>>([
  ['w:name', name => ({ name })],
  ['w:basedOn', base => ({ base })],
  ['w:pStyle', base => ({ base })],
  ['w:rStyle', base => ({ base })],
  ['w:outlineLvl', value => ({ level: Number(value) + 1 })],
  ['w:numId', list => ({ list })],
  ['w:ilvl', value => ({ listLevel: Number(value) })],
  ['w:vanish', toggle('hides')],
  ['w:specVanish', toggle('hides')],
  ['w:caps', toggle('isCapitals')],
  ['w:smallCaps', toggle('isSmallCapitals')],
])

/** The format that an element gives to the paragraph, the run or the style around it. */
export function formatOf(element: XmlElement): Partial<WordFormat> | undefined {
  return FORMATS.get(element.name)?.(settingOf(element))
}

/** Reads the styles of a file. */
export function readStyles(xml: string): WordStyles {
  const styles = new Map<string, WordFormat>()
  let style: WordFormat = { base: '' }
  const open = (element: XmlElement) => {
    if (element.name === 'w:style') {
      style = { base: '' }
      const [id = '', type, isUsual] = ['w:styleId', 'w:type', 'w:default'].map(name => element.attributes.get(name))
      styles.set(id, style)
      if (type === 'paragraph' && isUsual === '1') styles.set(USUAL_STYLE, style)
    }
    Object.assign(style, formatOf(element))
  }
  readElements(xml, { open })
  return styles
}

/** A value of a format, or of the nearest style that it is based on. */
export function inherit<Value>(
  styles: WordStyles,
  format: WordFormat | undefined,
  of: (format: WordFormat) => Value | undefined,
): Value | undefined {
  let source = format
  for (let depth = 0; source && depth < MAX_BASES; depth++) {
    const value = of(source)
    if (value !== undefined) return value
    source = styles.get(source.base)
  }
  return undefined
}

/** Styles may be based on each other in a circle. */
const MAX_BASES = 20

/** The level of a style as a heading, by its outline, its name, or the style that it is based on. */
export function headingLevel(styles: WordStyles, style: WordFormat | undefined): number | undefined {
  return inherit(styles, style, ({ name = '', level }) => level ?? (Number(groupsOf(HEADING, name)[1]) || undefined))
}

/** A heading in other languages, as some programs write it. */
const HEADINGS = 'heading Überschrift Titre Título Titolo Kop Rubrik Nagłówek Заголовок 見出し'.split(' ')
const HEADING = new RegExp(`^${anyOf(HEADINGS)} ([1-6])$`, 'i')
