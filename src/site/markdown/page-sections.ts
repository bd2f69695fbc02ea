import { headingIds, MAX_HEADING } from './heading-ids.ts'
import { withoutMarks } from './markdown-text.ts'

/** A part of a page under one heading; what stands before the first has level 0 and no id. */
export type PageSection = { level: number; heading: string; id: string; text: string }

/**
 * Parts a page's Markdown at its headings, by its lines alone, for searching thousands of pages: text without markup as
 * far as that is cheap, and the ids that `renderMarkdown` gives the headings. Unusual mixtures of lists, quotes, HTML
 * and headings may be read otherwise than there; then a heading is missed, or a link leads to the top of the page.
 */
export function pageSections(text: string): PageSection[] {
  const idOf = headingIds()
  return partedAtHeadings(text).flatMap(({ level, heading, lines }) => {
    const plain = withoutMarks(lines.join('\n'), 'kept').replace(/\s+/g, ' ').trim()
    if (level === 0) return plain === '' ? [] : [{ level, heading, id: '', text: plain }]
    const whole = withoutMarks(heading, 'left out').replace(/\s+/g, ' ').trim()
    const name = whole.slice(0, MAX_HEADING).toWellFormed().trimEnd()
    return [{ level, heading: name, id: idOf(name), text: plain }]
  })
}

type Part = { level: number; heading: string; lines: string[] }

/** What the lines so far say of the next one. */
type Reading = {
  parts: Part[]
  /** What opened a block of code. */
  fence: string
  /** What ends a comment, or HTML whose content is no Markdown. */
  hiddenUntil: RegExp | undefined
  inHtml: boolean
  inList: boolean
  inTable: boolean
  /** How many lines the paragraph at the end has, and whether it stands in a quote or list. */
  paragraph: number
  isNested: boolean
}

function partedAtHeadings(text: string): Part[] {
  const reading: Reading = {
    ...{ parts: [{ level: 0, heading: '', lines: [] }], fence: '', hiddenUntil: undefined },
    ...{ inHtml: false, inList: false, inTable: false, paragraph: 0, isNested: false },
  }
  for (const line of text.split('\n')) readLine(reading, line, line.replace(CONTAINERS, ''))
  return reading.parts
}

/** @param inner the line without the marks of quotes and lists */
function readLine(reading: Reading, line: string, inner: string): void {
  if (reading.hiddenUntil) {
    if (reading.hiddenUntil.test(line)) reading.hiddenUntil = undefined
  } else if (reading.fence !== '') {
    if (FENCE_END.test(inner) && inner.trim().startsWith(reading.fence)) reading.fence = ''
    else addText(reading, inner)
  } else if (inner.trim() === '') {
    reading.paragraph = 0
    reading.inHtml = false
    reading.inTable = false
  } else {
    if (LIST_ITEM.test(line)) [reading.inList, reading.paragraph] = [true, 0]
    else if (/^\S/.test(line) && reading.paragraph === 0) reading.inList = false
    readText(reading, line, inner)
  }
}

function readText(reading: Reading, line: string, inner: string): void {
  const isIndented = /^(?: {4}| {0,3}\t)/.test(inner) && !reading.inList
  const fence = FENCE.exec(inner)?.[1]
  const hash = ATX.exec(inner)
  const headings = htmlHeadings(inner)
  if (isIndented) addText(reading, inner)
  else if (headings.length > 0) for (const { level, heading } of headings) addHeading(reading, level, heading)
  else if (HIDING.test(inner)) hide(reading, inner)
  else if (reading.inHtml) addText(reading, inner)
  else if (fence !== undefined) reading.fence = fence
  else if (hash) addHeading(reading, hash[1]?.length ?? 1, withoutClosing(hash[2] ?? ''))
  else if (reading.paragraph > 0 && UNDERLINE.test(inner)) underline(reading, line, inner)
  else if (reading.paragraph === 0 && HTML_START.test(inner)) reading.inHtml = addText(reading, inner)
  else if (!NO_TEXT.test(inner)) {
    if (reading.paragraph === 0) reading.isNested = line !== inner
    addText(reading, inner)
    if (!reading.inTable) reading.paragraph++
    return
  } else if (reading.paragraph > 0) reading.inTable = inner.includes('|') || inner.includes(':')
  if (!isIndented) reading.paragraph = 0
}

/** Each from the last tag that opens it to the one that closes it: so every tag is looked at once. */
function htmlHeadings(line: string): { level: number; heading: string }[] {
  const found: { level: number; heading: string }[] = []
  let starts: number[] = []
  for (const { 0: tag, 1: slash, 2: digit, index } of line.matchAll(HTML_HEADING)) {
    const level = Number(digit)
    const start = starts[level]
    if (slash === '') starts[level] = index + tag.length
    else if (start !== undefined && index - start <= MAX_HTML_HEADING) {
      found.push({ level, heading: line.slice(start, index) })
      starts = []
    }
  }
  return found
}

function addText(reading: Reading, line: string): true {
  reading.parts.at(-1)?.lines.push(line)
  return true
}

function addHeading(reading: Reading, level: number, heading: string): void {
  reading.parts.push({ level, heading, lines: [] })
  reading.inTable = false
}

/** The line under a paragraph makes it a heading, but not where it stands outside of the quote or list around it. */
function underline(reading: Reading, line: string, inner: string): void {
  if (reading.isNested && /^\S/.test(line) && line === inner) return
  const words = reading.parts.at(-1)?.lines.splice(-reading.paragraph) ?? []
  addHeading(reading, inner.trim().startsWith('=') ? 1 : 2, words.join(' '))
}

function hide(reading: Reading, line: string): void {
  const end = /^\s*<!--/.test(line) ? /-->/ : /<\/(?:script|style|pre|textarea)>/i
  if (!end.test(line)) reading.hiddenUntil = end
}

/** The text of a heading without the `#` that may close it; by hand, since an expression for it takes quadratic time. */
function withoutClosing(text: string): string {
  const words = text.trim()
  let end = words.length
  while (words[end - 1] === '#') end--
  return end === 0 || /[ \t]/.test(words[end - 1] ?? '') ? words.slice(0, end).trimEnd() : words
}

/** The marks of quotes and lists before a line's own text. */
const CONTAINERS = /^(?: {0,3}> ?|[ \t]{0,100}(?:[-*+]|\d{1,9}[.)])[ \t]{1,4}(?=\S)){0,100}/
const LIST_ITEM = /^[ \t>]{0,100}(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)/
const FENCE = /^[ \t]{0,100}(`{3,}(?=[^`]*$)|~{3,})/
const FENCE_END = /^[ \t]{0,100}(?:`+|~+)[ \t]*$/
const ATX = /^[ \t]{0,100}(#{1,6})(?:[ \t]+(.*))?$/s
const UNDERLINE = /^[ \t]{0,100}(?:=+|-+)[ \t]*$/
const HTML_HEADING = /<(\/?)h([1-6])(?:\s[^<>]{0,1000})?>/gi
const MAX_HTML_HEADING = 1000
const HIDING = /^\s{0,3}<(?:!--|(?:script|style|pre|textarea)(?:[\s>]|$))/i
/** A block of HTML begins with a tag that makes a block, or with a line that is one tag. */
const HTML_START =
  /^ {0,3}(?:<\/?(?:article|aside|blockquote|center|dd|details|div|dl|dt|figure|figcaption|footer|h[1-6]|header|hr|li|main|nav|ol|p|section|summary|table|tbody|td|tfoot|th|thead|tr|ul)(?:\s|\/?>|$)|<\/?[a-z][^<>]{0,1000}>\s*$)/i
/** A definition of a reference, the line under the head of a table, a line across the page. */
const NO_TEXT = /^ {0,3}(?:\[[^\]]{1,1000}\]:[ \t]*\S|[|:\-_* \t]+$)/
