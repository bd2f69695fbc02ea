import type { Problem } from '#brand/finding.ts'
import { headingIds, splitHeading } from '#formats/markdown/heading-ids.ts'
import { type Block, visibleText } from '#formats/markdown/page-blocks.ts'
import { anyOf, groupsOf, quote, wordsIn } from '#platform/base/text.ts'
import { problem } from '../folder/findings.ts'
import { type Found, problemsAt } from './problems-at.ts'

/**
 * Reports an unclosed code fence, and headings, lists and tables that are text because of a small mistake, such as
 * `##Do` without a space. A lost heading breaks its anchor, and an unclosed fence all anchors; the path of an anchor is
 * `#`, to which `pages.ts` adds that of the page.
 */
export function lostSyntaxProblems(text: string, blocks: readonly Block[]): Problem[] {
  const fence = blocks.find(({ kind }) => kind === 'open-fence')
  const paragraphs = blocks.filter(({ kind, text }) => PARAGRAPHS.has(kind) && SIGNS.test(text))
  const isNumbered = (text.match(LOST_NUMBER)?.length ?? 0) > 1
  const firstBlock = blocks.find(({ kind }) => kind !== 'fenced-code')
  const inParagraphs = paragraphs.flatMap(block => {
    const visible = visibleText(block)
    const headings = headingsIn(visible, block === firstBlock)
    const items = itemsIn(visible, isNumbered)
    const tables = tableIn(visible, text.slice(0, block.start))
    return [...headings, ...items, ...tables].map(lost => ({ ...lost, at: block.start + lost.at }))
  })
  const all = fence ? [...inParagraphs, { at: fence.start, ...openFence(fence.text) }] : inParagraphs
  return all.slice(0, MAX_REPORTED).map(({ at, cause }) => {
    return { ...cause, line: text.slice(0, at).split('\n').length }
  })
}

/** The maximum per page; further findings would need the same fix. */
const MAX_REPORTED = 10

/** A problem, still without its line, at an offset of the block or page. */
type Lost = { at: number; cause: Problem }

const PARAGRAPHS: ReadonlySet<Block['kind']> = new Set(['paragraph', 'setext-heading'])
/** The signs without which a paragraph has lost nothing: most have none of them. */
const SIGNS = /[#|\u00a0\u202f\u2007\u3000]/

function openFence(marks: string): Omit<Lost, 'at'> {
  const message = `the code that begins here is not closed, so the text after it is shown as code: write ${marks} on a separate line below the code, in the same column`
  return { cause: { ...problem('fence-open', message), breaks: { paths: ['#'] } } }
}

/** Lines that begin with `##Do`. One `#` may be a hashtag or a colour, except as the title of a page. */
function headingsIn(visible: string, isFirst: boolean): Lost[] {
  const forms = isFirst ? [TITLE, LOST_HEADING] : [LOST_HEADING]
  const matches = forms.flatMap(form => [...visible.matchAll(form)])
  return matches.map(({ index, 1: marks = '', 2: heading = '' }) => {
    const words = heading.trim()
    const space = heading.startsWith(words) ? 'a space' : 'a normal space'
    const message = `${quote(marks + heading.trimEnd())} is text, not a heading: write ${space} after the ${marks}, as in ${quote(`${marks} ${words}`)}`
    const { text, id } = splitHeading(words)
    const breaks = { paths: ['#'], ids: [headingIds()(text, id)] }
    return { at: index, cause: { ...problem('heading-space', message), breaks } }
  })
}

/* `##Do`; and as a title `#Logo`, but not the colour `#c8102e`. For Markdown, such spaces are letters. */
const LOST_HEADING = /(?=#)(?<=^[ \t]*)(#{2,6})([^# \t\n].*)$/gm
const TITLE = /^(#)(?![0-9a-f]{3,8}\b)([\u00a0\u202f\u2007\u3000]?\p{L}[^\n#]*)$/giu

/** Lines that begin with a list sign and another space than a normal one; a single `1.` may be a date. */
function itemsIn(visible: string, isNumbered: boolean): Lost[] {
  return Array.from(visible.matchAll(LOST_ITEM)).flatMap(({ index, 1: indent = '', 2: sign = '', 3: words = '' }) => {
    if (/^\d/.test(sign) && !isNumbered) return []
    const message = `${quote(`${sign} ${words.trim()}`)} is text, not an item of a list: write a normal space after the ${sign}`
    return [{ at: index + indent.length, cause: problem('list-space', message) }]
  })
}

/* `-`, `1.` or `[x]` before a no-break, narrow, figure or ideographic space. */
const LOST_ITEM = /^([ \t]*)([-*+]|\d{1,9}[.)]|\[[ x]\])[\u00a0\u202f\u2007\u3000]+(\S.*)$/gim
const LOST_NUMBER = /^[ \t>]*\d{1,9}[.)][\u00a0\u202f\u2007\u3000]/gm

/**
 * The first two lines in a row that begin and end with `|`, unless the second is the rule of a table (`|---|---|`).
 *
 * @param before the text of the page before the paragraph
 */
function tableIn(visible: string, before: string): Lost[] {
  const lines = visible.split('\n').map(line => line.trim())
  const first = lines.findIndex((line, index) => isRow(line) && isRow(lines[index + 1] ?? ''))
  const [heading = '', second = ''] = lines.slice(Math.max(0, first))
  const columns = columnsOf(heading)
  if (first < 0 || (RULE.test(second) && columnsOf(second) === columns)) return []
  const at = lines.slice(0, first).reduce(lineStart => visible.indexOf('\n', lineStart) + 1, 0)
  // The second line may be a rule that was written in another way, such as |===|===|.
  const place = /^[|:\s–—=_-]+$/.test(second) ? 'as the second line' : 'below the first line'
  const isRestOfTable = first === 0 && before.trimEnd().endsWith('|')
  const fix = isRestOfTable
    ? 'remove the blank line above, which ends the table'
    : `write |${'---|'.repeat(columns)} ${place}`
  return [{ at, cause: problem('table-rule', `the lines that begin and end with | are text, not a table: ${fix}`) }]
}

function isRow(line: string): boolean {
  return line.length > 2 && line.startsWith('|') && line.endsWith('|')
}

function columnsOf(row: string): number {
  return row.slice(1, -1).split(/(?<!\\)\|/).length
}

const RULE = /^\|(?:[ \t]*:?-+:?[ \t]*\|)+$/

/** Reports links and pictures that are text because of their spaces, quotes or backslashes (CommonMark 0.31.2, §6.3). */
export function spacedLinkProblems(text: string, blocks: readonly Block[]): Problem[] {
  if (lostLinks(text).length === 0) return [] // Most pages have none, even in code.
  const lost = blocks.flatMap(block => {
    const found = lostLinks(visibleText(block)).filter(({ at }) => !isPartOfLink(block, at))
    return found.map(({ at, message }) => ({ at: block.start + at, message }))
  })
  return problemsAt(text, 'link-space', lost.slice(0, MAX_REPORTED))
}

/** Text that is meant as a link or picture. `at` is the offset of its `]`, where the patterns of `FORMS` begin. */
function lostLinks(text: string): Found[] {
  return FORMS.flatMap(({ form, addresses, messageOf }) => {
    const matches = Array.from(text.matchAll(form)).filter(({ 1: address = '' }) => {
      return address.length <= MAX_ADDRESS && addresses.test(address)
    })
    return matches.map(({ index, 1: address = '', 2: title = '' }) => {
      const [label = '[…'] = groupsOf(LABEL, text.slice(Math.max(0, index - MAX_LABEL), index))
      return { at: index, message: messageOf(address, title, label) }
    })
  })
}

/* In characters. A longer text of a link is `[…` in messages. */
const MAX_LABEL = 60
const MAX_ADDRESS = 1000
/** The end of the text of a link or picture, from its bracket or `!`. */
const LABEL = /!?\[[^[\]\n]*$/
const ANY = /^/
const FILE = /\.\w{2,5}(?:#\S*)?$/
const BEGINNINGS = anyOf(wordsIn('http:, https:, mailto:, tel:, www., /, ./, ../'))
/** A URL, a path that begins with its folder or `..`, or the name of a file. */
const ADDRESS = new RegExp(`^${BEGINNINGS}.|^[^@]*[^.@]\\.[a-z]\\w{1,4}(?:[#?]\\S*)?$|\\w/$`, 'i')

/** A form, the addresses in it that show that it is meant as a link, and its message. */
type Form = { form: RegExp; addresses: RegExp; messageOf: (address: string, title: string, label: string) => string }

const FORMS: readonly Form[] = [
  {
    // `[Guide](our guide.pdf)`: an address with a space, but without a title, which has quotes
    form: /\]\( *([^ ()<>"'\n]+(?: +[^ ()<>"'\n]+)+) *\)/g,
    addresses: FILE,
    messageOf: address => {
      const encoded = address.replaceAll(' ', '%20')
      return `the address ${quote(address)} contains a space, so this is text, not a link: write (${encoded}) or (<${address}>)`
    },
  },
  {
    // `[Logo] (logo.md)`
    form: /(?<!\\)\][ \t\u00a0]+\(<?([^\s()<>]{1,1000})>?((?:[ \t]+["'“”„«‘][^()\n]{0,300})?)\)/g,
    addresses: ADDRESS,
    messageOf: (address, title, label) =>
      `there is a space between ] and (, so this is text, not a link or picture: write ${quote(`${label}](${address}${title})`)}`,
  },
  {
    // `[Logo](logo.md “Our logo”)`
    form: /(?<!\\)\]\([ \t]*<?([^\s()<>]{1,1000})>?[ \t]+([“”„«»‘’‚‹][^\n]{0,300}?["'“”»«‘’›]|["'][^\n"']{0,300}?[“”»«‘’])[ \t]*\)/g,
    addresses: ANY,
    messageOf: (address, title) =>
      `the title of ${quote(address)} is in curly quotes, so this is text, not a link or picture: write straight quotes, as in ${quote(title.slice(1, -1).trim())}`,
  },
  {
    // `[Logos](..\files\)`, whose last backslash escapes the bracket
    form: /(?<!\\)\]\(([^\s()<>"]{1,1000}\\)\)/g,
    addresses: ANY,
    messageOf: address =>
      `the address ends with a backslash, so this is text, not a link: write / instead, as in (${address.replaceAll('\\', '/')})`,
  },
]

/** Whether the `]` at an offset belongs to a link or a picture. */
function isPartOfLink({ kind, inlines }: Block, at: number): boolean {
  return kind === 'html' || inlines.some(inline => inline.text.end === at || inline.end === at + 1)
}
