import { type Block, readBlocks, shownText } from '#formats/markdown/page-blocks.ts'
import { lineCounter } from '#platform/base/text.ts'
import type { Emptied, EmptiedPage } from './emptied-columns.ts'
import { sourceLine } from './html-tree.ts'

/** A heading with its line in the source. */
type Heading = Block & { end: number; line: number }

/**
 * The headings whose content did not arrive: nothing is left before the next heading of their level or higher, but the
 * source has something there. Walks them from the last to the first, since one is empty if those below it are.
 */
export function emptiedHeadings({ text, lines, changed: all }: EmptiedPage): Emptied[] {
  const lineAt = lineCounter(text)
  const headings = readBlocks(text)
    .filter(({ level }) => level > 0)
    .map(block => {
      return { ...block, end: block.start + block.text.length, line: sourceLine(lines, lineAt(block.start)) }
    })
  const changed = [...all]
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
  return emptied.map(block => ({ spans: [block], what: 'heading whose content is lost', said: shownText(block) }))
}
