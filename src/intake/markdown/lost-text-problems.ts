import type { Problem } from '#brand/finding.ts'
import { normalizeLabel } from '#formats/markdown/link-syntax.ts'
import type { Block } from '#formats/markdown/page-blocks.ts'
import { groupsOf, quote } from '#platform/base/text.ts'
import { type Found, problemsAt } from './problems-at.ts'

/**
 * Reports text that the API has, but not the page: cells beyond the columns of a table, footnotes without their other
 * half, and definitions of links that nothing uses, if they seem to be text.
 *
 * @param shown gives the text of the page, as `shownPage` does
 */
export function lostTextProblems(text: string, blocks: readonly Block[], shown: () => string): Problem[] {
  const found = [...lostCells(blocks), ...lostNotes(text, blocks, shown), ...lostDefinitions(blocks)]
  return problemsAt(text, 'text-lost', found)
}

function lostCells(blocks: readonly Block[]): Found[] {
  const lost = blocks.filter(({ isBeyond }) => isBeyond)
  return lost.map(({ start, text }) => {
    const message = `the cell ${quote(text.trim())} is not shown, because its row has more cells than the table has columns: add a column to the first two lines, or write \\| if a | in the text divides it`
    return { at: start, message }
  })
}

function lostNotes(text: string, blocks: readonly Block[], shown: () => string): Found[] {
  if (!text.includes('[^')) return []
  const definitions = blocks.filter(({ kind }) => kind === 'footnote-label')
  const definedLabels = new Set(definitions.map(({ text: mark }) => labelOf(mark)))
  return [...unusedNotes(text, definitions, usedLabels(blocks)), ...undefinedNotes(shown(), definedLabels)]
}

/** The label of a mark such as `[^1]`, which is `^1`. */
function labelOf(mark: string): string {
  return normalizeLabel(mark.slice(1, -1))
}

/** The labels of the footnotes that the text refers to. */
function usedLabels(blocks: readonly Block[]): ReadonlySet<string> {
  const labels = blocks.flatMap(({ text, inlines }) =>
    inlines.filter(({ kind }) => kind === 'footnote').map(({ start, end }) => labelOf(text.slice(start, end))),
  )
  return new Set(labels)
}

/** Footnotes that nothing refers to, or with the label of an earlier one. */
function unusedNotes(text: string, definitions: readonly Block[], used: ReadonlySet<string>): Found[] {
  const earlierLabels = new Set<string>()
  return definitions.flatMap(({ start, text: mark }) => {
    const label = labelOf(mark)
    const isAgain = earlierLabels.has(label)
    earlierLabels.add(label)
    if (!isAgain && used.has(label)) return []
    const [words = ''] = text.slice(start + mark.length + 1).split('\n', 1)
    const why = isAgain ? 'another footnote has this label' : 'nothing refers to it'
    const fix = isAgain ? 'give it another label' : `write ${mark} in the text that it belongs to`
    const name = `${mark} ${words.trim() && quote(words.trim())}`.trim()
    return { at: start, message: `the footnote ${name} is not shown, because ${why}: ${fix}` }
  })
}

/** References to footnotes that the page shows as they are written. */
function undefinedNotes(shown: string, definedLabels: ReadonlySet<string>): Found[] {
  return Array.from(shown.matchAll(/(?<![\\!])\[\^[^\][\s]+\](?![(:[])/g), match => {
    const [mark] = match
    const reason = definedLabels.has(labelOf(mark))
      ? 'HTML around it is not Markdown: leave blank lines around its text'
      : `the footnote has no text: write ${mark}: and its text in a separate paragraph`
    return { at: match.index, message: `${quote(mark)} is shown as written, because ${reason}` }
  })
}

/**
 * Definitions of links that nothing uses and that seem to be text: without an address, such as `[Note]: Never`, or with
 * a title, such as `[Note]: Never "stretch it"`.
 */
function lostDefinitions(blocks: readonly Block[]): Found[] {
  const definingBlocks = blocks.filter(({ definitions }) => definitions.length > 0)
  if (definingBlocks.length === 0) return []
  const usedLabels = new Set(
    blocks.flatMap(({ inlines }) => inlines.flatMap(each => ('label' in each ? each.label : []))),
  )
  return definingBlocks.flatMap(({ start, text, definitions }) =>
    definitions.flatMap(({ label, destination }) => {
      const address = text.slice(destination.start, destination.end)
      const [title] = groupsOf(/>?\s*(?:"[^"]*"|'[^']*'|\([^()]*\))(?=\s*$)/my, text.slice(destination.end))
      const isAddress = /[./#:@-]/.test(address)
      if (usedLabels.has(label) || (title === undefined && isAddress)) return []
      // The label with its brackets, just before the address: `[Note]: `
      const [name = ''] = groupsOf(/\[(?<!\[[^\]]*?\[)[^\]]*\]:\s*<?$/, text.slice(0, destination.start).slice(-200))
      const source = quote(`${name}${address}${title ?? ''}`)
      const message = `${source} is not shown, because it is the address of a link that the page does not have: write \\[ at its start to show it, or remove it`
      return { at: start + destination.start, message }
    }),
  )
}
