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
  const usedLabels = new Set(
    blocks.flatMap(block =>
      block.inlines.flatMap(({ kind, start, end }) =>
        kind === 'footnote' ? normalizeLabel(block.text.slice(start + 1, end - 1)) : [],
      ),
    ),
  )
  const definedLabels = new Set<string>()
  const unusedNotes = definitions.flatMap(({ start, text: mark }) => {
    const label = normalizeLabel(mark.slice(1, -1)) // `^1` for the mark `[^1]`.
    const isAgain = definedLabels.has(label)
    definedLabels.add(label)
    if (!isAgain && usedLabels.has(label)) return []
    const [words = ''] = text.slice(start + mark.length + 1).split('\n', 1)
    const why = isAgain ? 'another footnote has this label' : 'nothing refers to it'
    const fix = isAgain ? 'give it another label' : `write ${mark} in the text that it belongs to`
    const name = `${mark} ${words.trim() && quote(words.trim())}`.trim()
    return { at: start, message: `the footnote ${name} is not shown, because ${why}: ${fix}` }
  })
  const undefinedNotes = Array.from(shown().matchAll(/(?<![\\!])\[\^[^\][\s]+\](?![(:[])/g), match => {
    const [mark] = match
    const reason = definedLabels.has(normalizeLabel(mark.slice(1, -1)))
      ? 'HTML around it is not Markdown: leave blank lines around its text'
      : `the footnote has no text: write ${mark}: and its text in a separate paragraph`
    const message = `${quote(mark)} is shown as written, because ${reason}`
    return { at: match.index, message }
  })
  return [...unusedNotes, ...undefinedNotes]
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
