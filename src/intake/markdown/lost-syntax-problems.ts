import { quote } from '../../base/text.ts'
import type { Problem } from '../../brand/finding.ts'
import { headingIds } from '../../brand/heading-ids.ts'
import { type ReadBlock, visibleText } from '../../brand/markdown/visible-text.ts'
import { problem } from '../folder/findings.ts'

/**
 * Reports an unclosed code fence, and headings and tables that are text because a small part is missing. A lost heading
 * breaks its anchor, and an unclosed fence all anchors; the path of an anchor is `#`.
 */
export function lostSyntaxProblems(text: string, blocks: readonly ReadBlock[]): Problem[] {
  const fence = FENCE.test(text) ? blocks.find(({ kind }) => kind === 'open-fence') : undefined
  const paragraphs = HEADING.test(text) || ROW.test(text) ? blocks.filter(isParagraph) : []
  const first = blocks.find(({ kind }) => kind !== 'fenced-code')
  const found = paragraphs.flatMap(block => {
    const visible = visibleText(block)
    return [...headingsIn(visible, block === first), ...tableIn(visible, text.slice(0, block.start))].map(each => ({
      ...each,
      at: block.start + each.at,
    }))
  })
  const all = fence ? [...found, { at: fence.start, ...openFence(fence.text) }] : found
  return all.slice(0, MAX_REPORTED).map(({ at, found }) => ({ ...found, line: text.slice(0, at).split('\n').length }))
}

/** The maximum per page; further findings would need the same fix. */
const MAX_REPORTED = 10

type Lost = { at: number; found: Problem }

const FENCE = /```|~~~/
const HEADING = /^[ \t>*+\d.)-]*#{1,6}[^# \t\n]/m
const ROW = /\|[ \t]*\n/

function isParagraph({ kind }: ReadBlock): boolean {
  return kind === 'paragraph' || kind === 'setext-heading'
}

function openFence(marks: string): Omit<Lost, 'at'> {
  const message = `the code that begins here is not closed, so the text after it is shown as code: write ${marks} on a separate line below the code, in the same column`
  return { found: { ...problem('fence-open', message), breaks: { paths: ['#'] } } }
}

/** Lines that begin with `##Do`. One `#` may be a hashtag or a colour, except as the title of a page. */
function headingsIn(visible: string, isFirst: boolean): Lost[] {
  const title = isFirst ? TITLE.exec(visible) : null
  return [...(title ? [title] : []), ...visible.matchAll(LOST_HEADING)].map(
    ({ index, 1: marks = '', 2: heading = '' }) => {
      const words = heading.trim()
      const space = /^\s/.test(heading) ? 'a normal space' : 'a space'
      const message = `${quote(marks + heading.trimEnd())} is text, not a heading: write ${space} after the ${marks}, as in ${quote(`${marks} ${words}`)}`
      const breaks = { paths: ['#'], ids: [headingIds()(words)] }
      return { at: index, found: { ...problem('heading-space', message), breaks } }
    },
  )
}

const LOST_HEADING = /(?<=^[ \t]*)(#{2,6})([^# \t\n].*)$/gm
const TITLE = /^(#)(?![0-9a-f]{3,8}\b)([\u00a0\u3000]?\p{L}[^\n#]*)$/iu

/** The first two lines in a row that begin and end with `|`, unless the second is the rule of a table. */
function tableIn(visible: string, before: string): Lost[] {
  const lines = visible.split('\n').map(line => line.trim())
  const first = lines.findIndex((line, number) => isRow(line) && isRow(lines[number + 1] ?? ''))
  const [heading = '', second = ''] = lines.slice(Math.max(0, first))
  const columns = columnsOf(heading)
  if (first < 0 || (RULE.test(second) && columnsOf(second) === columns)) return []
  let at = 0
  for (let number = 0; number < first; number++) at = visible.indexOf('\n', at) + 1
  const place = /^[|:\s–—=_-]+$/.test(second) ? 'as the second line' : 'below the first line'
  const isRest = first === 0 && before.trimEnd().endsWith('|')
  const fix = isRest ? 'remove the blank line above, which ends the table' : `write |${'---|'.repeat(columns)} ${place}`
  return [{ at, found: problem('table-rule', `the lines that begin and end with | are text, not a table: ${fix}`) }]
}

function isRow(line: string): boolean {
  return line.length > 2 && line.startsWith('|') && line.endsWith('|')
}

function columnsOf(row: string): number {
  return row.slice(1, -1).split(/(?<!\\)\|/).length
}

const RULE = /^\|(?:[ \t]*:?-+:?[ \t]*\|)+$/
