import { type Block, readBlocks, shownText } from '#formats/markdown/page-blocks.ts'
import { applyEdits, lineCounter } from '#platform/base/text.ts'
import type { DocumentContent } from '../document.ts'
import { sourceLine } from './html-tree.ts'

/**
 * A page without the headings whose content did not arrive, each of which becomes a row of the report: nothing is left
 * before the next heading of their level or higher, but the source has something there. Headings that authors left empty stay.
 */
export function withoutEmptied<Page extends Pick<DocumentContent, 'text' | 'lines' | 'notes'>>(
  page: Page,
  path: string,
): Page {
  const { text, notes } = page
  const emptied = emptiedHeadings(page)
  const rows = emptied.map(({ line, ...block }) => ({ path, line, what: EMPTIED, text: shownText(block) }))
  // The lines stay, so that all others keep their places in the source.
  const edits = emptied.map(({ start, end, text }) => ({ start, end, text: text.replace(/[^\n]/g, '') }))
  return { ...page, text: applyEdits(text, edits), notes: { ...notes, lost: [...notes.lost, ...rows] } }
}

const EMPTIED = 'heading whose content is lost'

/** A heading with its line in the source. */
type Heading = Block & { end: number; line: number }

/** Walks the headings from the last to the first, since one is empty if those below it are. */
function emptiedHeadings({ text, lines, notes }: Pick<DocumentContent, 'text' | 'lines' | 'notes'>): Heading[] {
  const lineAt = lineCounter(text)
  const headings = readBlocks(text)
    .filter(({ level }) => level > 0)
    .map(block => {
      return { ...block, end: block.start + block.text.length, line: sourceLine(lines, lineAt(block.start)) }
    })
  const shown = [...notes.lost.filter(row => row.isOffPage !== true), ...notes.converted]
  const changed = shown.map(({ line }) => line).sort((a, b) => a - b)
  const lastChanged = () => changed.at(-1) ?? 0
  const emptied: Heading[] = []
  let below = { start: text.length, line: Number.POSITIVE_INFINITY, level: 0, isEmptied: false }
  /** The level of the next heading that stays. */
  let nextLevel = 0
  for (const heading of headings.reverse()) {
    const { level, line, end } = heading
    while (lastChanged() >= below.line) changed.pop()
    const isEmpty = level >= nextLevel && !/[^\s>]/.test(text.slice(end, below.start))
    const isAbove = below.isEmptied && below.level > level
    // The first level is the title of the page.
    const isEmptied = isEmpty && level > 1 && (isAbove || lastChanged() > line)
    if (isEmptied) emptied.push(heading)
    else nextLevel = level
    below = { ...heading, isEmptied }
  }
  return emptied
}
