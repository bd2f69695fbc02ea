import { SaxesParser } from 'saxes'

/** A style of a Word file: its name, the style that it is based on, whether it hides text, and its level as a heading. */
type WordStyle = { name: string; base?: string | undefined; hides?: boolean; level?: number }
export type WordStyles = ReadonlyMap<string, WordStyle>

type Tag = { name: string; value: string; isOn: boolean; start: number; end: number }

/** Reads the tags of a part with their offsets; `value` has `w:val`, which may switch a property off. */
function readTags(
  xml: string,
  open: (tag: Tag, id: string) => void,
  close: (tag: Tag) => void = () => undefined,
): void {
  const parser = new SaxesParser()
  const tagOf = (name: string, value = ''): Tag => {
    const end = parser.position
    return { name, value, isOn: !/^(?:0|false|off)$/.test(value), start: xml.lastIndexOf('<', end - 1), end }
  }
  parser.on('opentag', ({ name, attributes }) => open(tagOf(name, attributes['w:val']), attributes['w:styleId'] ?? ''))
  parser.on('closetag', ({ name }) => close(tagOf(name)))
  parser.write(xml).close()
}

const HIDING = /^w:(?:v|specV)anish$/

export function readStyles(xml: string): WordStyles {
  const styles = new Map<string, WordStyle>()
  let style: WordStyle = { name: '' }
  readTags(xml, ({ name, value, isOn }, id) => {
    if (name === 'w:style') {
      style = { name: '' }
      styles.set(id, style)
    } else if (name === 'w:name') style.name = value
    else if (name === 'w:basedOn') style.base = value
    else if (name === 'w:outlineLvl') style.level = Number(value) + 1
    else if (HIDING.test(name)) style.hides = isOn
  })
  return styles
}

/** A value of a style, or of the nearest one that it is based on. */
function inherit<Value>(
  styles: WordStyles,
  id: string,
  of: (style: WordStyle) => Value | undefined,
): Value | undefined {
  let style = styles.get(id)
  for (let depth = 0; style && depth < 20; depth++) {
    const value = of(style)
    if (value !== undefined) return value
    style = styles.get(style.base ?? '')
  }
  return undefined
}

/** The styles that make headings by their level, their name, or the style that they are based on, as rows for `mammoth`. */
export function headingStyles(styles: WordStyles): string[] {
  const levelOf = ({ name, level }: WordStyle) => level ?? (Number(HEADING.exec(name)?.[1]) || undefined)
  return [...styles].flatMap(([id, { name }]) => {
    const level = inherit(styles, id, levelOf)
    const isOwn = level !== undefined && level <= 6 && !/^(?:heading \d|title)$/i.test(name)
    return isOwn ? [`p[style-name='${name.replace(/['\\]/g, '\\$&')}'] => h${level}:fresh`] : []
  })
}

/** The name of a heading, also in other languages, as some programs write it. */
const HEADING = /^(?:heading|Überschrift|Titre|Título|Titolo|Kop|Rubrik|Nagłówek|Заголовок|見出し) ([1-6])$/i

/** The offsets of the runs in a part that Word neither shows nor prints. */
export function hiddenRuns(xml: string, styles: WordStyles): { start: number; end: number }[] {
  const spans: { start: number; end: number }[] = []
  const open: { start: number; style: string; hides?: boolean }[] = []
  const isHolder = (name: string) => name === 'w:p' || name === 'w:r'
  const hides = ({ style }: { style: string }) => inherit(styles, style, each => each.hides)
  readTags(
    xml,
    ({ name, value, isOn, start }) => {
      const last = open.at(-1)
      if (isHolder(name)) open.push({ start, style: '' })
      else if (last && /^w:[pr]Style$/.test(name)) last.style = value
      else if (last && HIDING.test(name)) last.hides = isOn
    },
    ({ name, end }) => {
      const own = isHolder(name) ? open.pop() : undefined
      const paragraph = open.at(-1)
      if (name !== 'w:r' || !own || !paragraph || !(own.hides ?? hides(own) ?? hides(paragraph))) return
      while ((spans.at(-1)?.start ?? -1) > own.start) spans.pop()
      spans.push({ start: own.start, end })
    },
  )
  return spans
}
