import { type Edit, escapeHtml, wordSet } from '#platform/base/text.ts'
import type { XmlElement, XmlText } from '../xml/parse-xml.ts'
import { markedItem, markNumber } from './word-numbers.ts'
import {
  formatOf,
  headingLevel,
  inherit,
  readElements,
  USUAL_STYLE,
  type WordFormat,
  type WordStyles,
} from './word-styles.ts'

/**
 * The edits that give a part of a Word file the text that Word shows, and its texts in small capitals. An edit without
 * text removes a run that Word neither shows nor prints; a run is text with one format in a paragraph.
 */
export type ShownText = { edits: Edit[]; smallCapitals: string[] }

/** Counts a paragraph of a list, on a level, and gives its number. */
type NumberOf = (list?: string, level?: number) => string | undefined

/**
 * An open paragraph or run: its format, the offsets of its properties, its own text, and whether it has any content.
 * Some repeat what the part also says elsewhere, or said before.
 */
type Holder = {
  format: WordFormat
  start: number
  end: number
  texts: XmlText[]
  isFilled: boolean
  isRepeated: boolean
}

/** Finds the text that Word shows in a part; `numberOf` counts its paragraphs. */
export function shownText(xml: string, styles: WordStyles, numberOf: NumberOf): ShownText {
  const shown: ShownText = { edits: [], smallCapitals: [] }
  const editParagraph = paragraphEditor(styles, numberOf)
  let inner = openHolder('', 0)
  const outers: Holder[] = []
  const open = (element: XmlElement, end: number) => {
    const { name } = element
    if (HOLDERS.has(name)) {
      outers.push(inner)
      inner = openHolder(name, end, inner.isRepeated)
    }
    Object.assign(inner.format, formatOf(element))
    if (name === 'w:pPr') inner.start = end
    inner.isFilled ||= CONTENT.has(name)
  }
  const text = (part: XmlText) => {
    if (part.element.name === 'w:t') inner.texts.push(part)
  }
  const close = ({ name, start }: XmlElement, end: number) => {
    if (name === 'w:pPr') inner.end = end
    const outer = HOLDERS.has(name) ? outers.pop() : undefined
    if (!outer) return
    const holder = inner
    inner = outer
    if (holder.isRepeated) return
    if (name === 'w:p') shown.edits.push(...editParagraph(holder))
    else showRun(shown, styles, { run: holder, paragraph: outer, start, end })
  }
  readElements(xml, { open, text, close })
  return shown
}

function openHolder(name: string, at: number, isInRepeated = false): Holder {
  const format = { base: name === 'w:p' ? USUAL_STYLE : '' }
  return { format, start: at, end: at, texts: [], isFilled: false, isRepeated: isInRepeated || REPEATED.has(name) }
}

const REPEATED = wordSet('mc:Choice w:pPrChange w:rPrChange')
const HOLDERS = new Set(['w:p', 'w:r', ...REPEATED])
const CONTENT = wordSet('w:t w:drawing w:pict w:object w:sym')

/** Adds a run to the text that Word shows. */
function showRun(
  { edits, smallCapitals }: ShownText,
  styles: WordStyles,
  { run, paragraph, start, end }: { run: Holder; paragraph: Holder; start: number; end: number },
): void {
  const sources = [run.format, styles.get(paragraph.format.base)]
  const is = (of: (format: WordFormat) => boolean | undefined) =>
    sources.map(source => inherit(styles, source, of)).find(value => value !== undefined)
  if (is(({ hides }) => hides)) {
    // Also instead of the edits in it, as of a text box.
    edits.splice(edits.findLastIndex(edit => edit.start < start) + 1)
    edits.push({ start, end, text: '' })
    return
  }
  paragraph.isFilled ||= run.isFilled
  const texts = run.texts.filter(({ value }) => value !== value.toUpperCase())
  if (is(({ isCapitals }) => isCapitals))
    edits.push(...texts.map(part => ({ ...part, text: escapeHtml(part.value.toUpperCase()) })))
  else if (is(({ isSmallCapitals }) => isSmallCapitals)) smallCapitals.push(...texts.map(({ value }) => value))
}

/** Gives the edits that add its number to a paragraph, each in the list of the ones before. */
function paragraphEditor(styles: WordStyles, numberOf: NumberOf): (paragraph: Holder) => Edit[] {
  /** The levels of the lists around the last paragraph. */
  let levels: number[] = []
  return ({ format, start, end, isFilled }) => {
    const of = <Value>(value: (each: WordFormat) => Value | undefined) => inherit(styles, format, value)
    const listLevel = of(each => each.listLevel) ?? 0
    const number = numberOf(
      of(each => each.list),
      listLevel,
    )
    if (!isFilled) return []
    const isHeading = headingLevel(styles, styles.get(format.base)) !== undefined
    levels = isHeading || number === undefined ? [] : [...levels.filter(level => level < listLevel), listLevel]
    if (number === undefined) return []
    const shown = of(each => each.isCapitals) ? number.toUpperCase() : number
    return [
      // The style of a heading is stronger than its list.
      { start, end: start, text: markedItem(Math.max(levels.length, 1) - 1) },
      { start: end, end, text: `<w:r><w:t xml:space="preserve">${escapeHtml(markNumber(shown))}</w:t></w:r>` },
    ]
  }
}
