import { headingIds, MAX_HEADING } from '../brand/heading-ids.ts'
import { plainText } from '../brand/markdown/markdown-text.ts'
import { mayHaveTags, templateTags } from '../brand/markdown/template-tags.ts'

/**
 * A part of a page under one heading; the text before the first heading has level 0 and no id. `line` is the number of
 * its first line, from 0.
 */
export type PageSection = { level: number; heading: string; id: string; text: string; line: number }

/**
 * Splits a page's Markdown at its headings. It only looks at lines, which is fast enough for thousands of pages.
 * Returns text mostly without markup, and the same heading ids as `renderMarkdown`. For unusual mixtures of lists,
 * quotes, HTML and headings, the two may differ: then a heading is missing, or a link opens the top of the page.
 */
export function pageSections(text: string): PageSection[] {
  const idOf = headingIds()
  return splitAtHeadings(text).flatMap(({ level, heading, lines, line }) => {
    const plain = plainText(lines.join('\n').replace(BREAK, '\n').replace(TITLED, '$1) ($2)'), 'kept')
      .replace(/\s+/g, ' ')
      .trim()
    if (level === 0) return plain === '' ? [] : [{ level, heading, id: '', text: plain, line }]
    const whole = plainText(heading, 'left out').replace(/\s+/g, ' ').trim()
    const name = whole.slice(0, MAX_HEADING).toWellFormed().trimEnd()
    return [{ level, heading: name, id: idOf(name), text: `${wordsBeyond(whole)}${plain}`.trimEnd(), line }]
  })
}

/** The words of a heading beyond its name; they become part of the text, so that searches find them. */
function wordsBeyond(heading: string): string {
  if (heading.length <= MAX_HEADING) return ''
  return `${heading.slice(heading.lastIndexOf(' ', MAX_HEADING) + 1)} `
}

type Part = { level: number; heading: string; lines: string[]; line: number }

/** The state of the scan between two lines. */
type Scan = {
  parts: Part[]
  /** The lines of the page; undefined if a line had only tags. */
  lines: (string | undefined)[]
  /** The number of the current line. */
  at: number
  /** The number of the first line from which tags were not removed. */
  tagged: number
  /** The fence of an open code block, or empty. */
  fence: string
  /** The end of an open comment, or of HTML with content that is not Markdown. */
  hiddenUntil: RegExp | undefined
  inHtml: boolean
  inList: boolean
  inTable: boolean
  /** The number of lines in the open paragraph, and whether it is in a quote or list. */
  paragraph: number
  isNested: boolean
}

function splitAtHeadings(text: string): Part[] {
  const scan: Scan = {
    parts: [{ level: 0, heading: '', lines: [], line: 0 }],
    lines: text.split('\n'),
    at: 0,
    tagged: 0,
    fence: '',
    hiddenUntil: undefined,
    inHtml: false,
    inList: false,
    inTable: false,
    paragraph: 0,
    isNested: false,
  }
  for (; scan.at < scan.lines.length; scan.at++) {
    if (scan.at >= scan.tagged && !scan.hiddenUntil && scan.fence === '') removeTags(scan)
    const line = scan.lines[scan.at]
    if (line !== undefined) readLine(scan, line, line.replace(CONTAINERS, ''))
  }
  return scan.parts
}

/** @param inner the line without the marks of quotes and lists */
function readLine(scan: Scan, line: string, inner: string): void {
  if (scan.hiddenUntil) {
    if (scan.hiddenUntil.test(line)) scan.hiddenUntil = undefined
  } else if (scan.fence !== '') {
    if (FENCE_END.test(inner) && inner.trim().startsWith(scan.fence)) scan.fence = ''
    else addText(scan, inner)
  } else if (inner.trim() === '') {
    scan.paragraph = 0
    scan.inHtml = false
    scan.inTable = false
  } else {
    if (LIST_ITEM.test(line)) [scan.inList, scan.paragraph] = [true, 0]
    else if (/^\S/.test(line) && scan.paragraph === 0) scan.inList = false
    readText(scan, line, inner)
  }
}

function readText(scan: Scan, line: string, inner: string): void {
  const isIndented = /^(?: {4}| {0,3}\t)/.test(inner) && !scan.inList
  const fence = FENCE.exec(inner)?.[1]
  const atx = ATX.exec(inner)
  const headings = htmlHeadings(inner)
  if (isIndented) addText(scan, inner)
  else if (headings.length > 0) for (const { level, heading } of headings) addHeading(scan, level, heading)
  else if (HIDING.test(inner)) hide(scan, inner)
  else if (scan.inHtml) addText(scan, inner)
  else if (fence !== undefined) scan.fence = fence
  else if (atx) addHeading(scan, atx[1]?.length ?? 1, withoutClosingHashes(atx[2] ?? ''))
  else if (scan.paragraph > 0 && UNDERLINE.test(inner)) underline(scan, line, inner)
  else if (scan.paragraph === 0 && HTML_START.test(inner)) scan.inHtml = addText(scan, inner)
  else if (!NO_TEXT.test(inner)) {
    if (scan.paragraph === 0) scan.isNested = line !== inner
    addText(scan, inner)
    if (!scan.inTable) scan.paragraph++
    return
  } else if (scan.paragraph > 0) scan.inTable = inner.includes('|') || inner.includes(':')
  if (!isIndented) scan.paragraph = 0
}

/**
 * Removes tags of other systems from the lines of a block, except in code. Indented tags are rarely code, so they are
 * removed, although a page shows them if they are.
 */
function removeTags(scan: Scan): void {
  const { lines, at } = scan
  const isEnd = (line = '') => line.trim() === '' || FENCE.test(line.replace(CONTAINERS, ''))
  scan.tagged = at + 1
  if (isEnd(lines[at])) return
  while (scan.tagged < lines.length && !isEnd(lines[scan.tagged])) scan.tagged++
  const block = lines.slice(at, scan.tagged).join('\n')
  if (!mayHaveTags(block)) return
  for (const [offset, line] of withoutTags(block).split('\n').entries())
    lines[at + offset] = line.trim() === '' ? undefined : line
}

/** Keeps the line ends in tags. */
function withoutTags(block: string): string {
  const markup = block.replace(/`[^`]{1,500}`/g, code => code.replace(/[^\n]/g, ' '))
  let [text, end] = ['', 0]
  for (const tag of templateTags(markup)) {
    text += block.slice(end, tag.start) + block.slice(tag.start, tag.end).replace(/[^\n]+/g, '')
    end = tag.end
  }
  return text + block.slice(end)
}

/** HTML headings, each from the last start tag of its level to the end tag, so each tag is read only once. */
function htmlHeadings(line: string): { level: number; heading: string }[] {
  const headings: { level: number; heading: string }[] = []
  let starts: number[] = []
  for (const { 0: tag, 1: slash, 2: digit, index } of line.matchAll(HTML_HEADING)) {
    const level = Number(digit)
    const start = starts[level]
    if (slash === '') starts[level] = index + tag.length
    else if (start !== undefined && index - start <= MAX_HTML_HEADING) {
      headings.push({ level, heading: line.slice(start, index) })
      starts = []
    }
  }
  return headings
}

function addText(scan: Scan, line: string): true {
  scan.parts.at(-1)?.lines.push(line)
  return true
}

function addHeading(scan: Scan, level: number, heading: string, line = scan.at): void {
  scan.parts.push({ level, heading, lines: [], line })
  scan.inTable = false
}

/** An underline turns the paragraph above it into a heading, unless it is outside of the paragraph's quote or list. */
function underline(scan: Scan, line: string, inner: string): void {
  if (scan.isNested && /^\S/.test(line) && line === inner) return
  const words = scan.parts.at(-1)?.lines.splice(-scan.paragraph) ?? []
  addHeading(scan, inner.trim().startsWith('=') ? 1 : 2, words.join(' '), scan.at - words.length)
}

function hide(scan: Scan, line: string): void {
  const end = /^\s*<!--/.test(line) ? /-->/ : /<\/(?:script|style|pre|textarea)>/i
  if (!end.test(line)) scan.hiddenUntil = end
}

/** Removes the closing `#` of a heading. Written by hand, since a regular expression takes quadratic time. */
function withoutClosingHashes(text: string): string {
  const words = text.trim()
  let end = words.length
  while (words[end - 1] === '#') end--
  return end === 0 || /[ \t]/.test(words[end - 1] ?? '') ? words.slice(0, end).trimEnd() : words
}

/** The marks of quotes and list items before a line's own text. */
const CONTAINERS = /^(?: {0,3}> ?|[ \t]{0,100}(?:[-*+]|\d{1,9}[.)])[ \t]{1,4}(?=\S)){0,100}/
const LIST_ITEM = /^[ \t>]{0,100}(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)/
const FENCE = /^[ \t]{0,100}(`{3,}(?=[^`]*$)|~{3,})/
const FENCE_END = /^[ \t]{0,100}(?:`+|~+)[ \t]*$/
const ATX = /^[ \t]{0,100}(#{1,6})(?:[ \t]+(.*))?$/s
const UNDERLINE = /^[ \t]{0,100}(?:=+|-+)[ \t]*$/
const HTML_HEADING = /<(\/?)h([1-6])(?:\s[^<>]{0,1000})?>/gi
const MAX_HTML_HEADING = 1000
const HIDING = /^\s{0,3}<(?:!--|(?:script|style|pre|textarea)(?:[\s>]|$))/i
/** An HTML block begins with a block-level tag, or with a line that is a single tag. */
const HTML_START =
  /^ {0,3}(?:<\/?(?:article|aside|blockquote|center|dd|details|div|dl|dt|figure|figcaption|footer|h[1-6]|header|hr|li|main|nav|ol|p|section|summary|table|tbody|td|tfoot|th|thead|tr|ul)(?:\s|\/?>|$)|<\/?[a-z][^<>]{0,1000}>\s*$)/i
/** The title of a picture, which pages show as a caption. */
const TITLED = /(!\[[^[\]\n]{0,1000}\]\([^\s()"]{1,1000})[ \t]+"([^"\n]{1,500})"\)/g
/** A line break separates words. */
const BREAK = /<br\b[^<>]{0,100}>/gi
/** A link reference definition, the delimiter row of a table, a thematic break, or the marker of an alert. */
const NO_TEXT =
  /^ {0,3}(?:\[!(?:note|tip|important|warning|caution)\][ \t]*$|\[[^\]]{1,1000}\]:[ \t]*\S|[|:\-_* \t]+$)/i
