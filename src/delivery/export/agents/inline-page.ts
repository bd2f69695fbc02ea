import { blockParser } from '#formats/markdown/block-parser.ts'
import { applyEdits, type Edit } from '#platform/base/text.ts'

/** A page within another document, or the reason why it cannot be. */
type InlinedPage = { text: string; hasTitle: boolean; problem?: undefined } | { problem: 'open' | 'nested' }

/**
 * A page of Markdown for use within another document. Its headings become `levels` deeper. Its YAML code blocks get
 * another language, since readers of the document would parse them as its own values. A page that leaves a block open
 * is rejected, since the block would include the text after the page.
 */
export function inlinePage(text: string, levels: number): InlinedPage {
  if (NESTED.test(text)) return { problem: 'nested' }
  const blocks: Node[] = []
  blockParser.parse(`${text}${PROBE}`).iterate({ enter: ({ name, from, to }) => void blocks.push({ name, from, to }) })
  // A heading that is parsed after the page as one proves that the page leaves no block open.
  const probeStart = text.length + PROBE.length - PROBE_HEADING.length
  if (!blocks.some(({ name, from }) => name === 'ATXHeading2' && from === probeStart)) return { problem: 'open' }
  const pageBlocks = blocks.filter(({ from }) => from < text.length)
  const firstBlock = pageBlocks.find(({ name }) => LEVEL_OF.has(name) || name === 'Paragraph')
  const edits = pageBlocks.flatMap(node => [...deeperHeading(text, node, levels), ...otherLanguage(text, node)])
  return { text: applyEdits(text, edits), hasTitle: LEVEL_OF.get(firstBlock?.name ?? '') === 1 }
}

type Node = { name: string; from: number; to: number }

/** The level of each kind of heading: `#` in front (ATX), or a line below (setext). */
const LEVEL_OF: ReadonlyMap<string, number> = new Map([
  ...[1, 2, 3, 4, 5, 6].map(level => [`ATXHeading${level}`, level] as const),
  ...[1, 2].map(level => [`SetextHeading${level}`, level] as const),
])

/** The edit that makes a heading deeper, up to the last level. A setext heading becomes an ATX heading. */
function deeperHeading(text: string, { name, from, to }: Node, levels: number): Edit[] {
  const level = LEVEL_OF.get(name)
  if (level === undefined) return []
  const marks = '#'.repeat(Math.min(6, level + levels))
  if (name.startsWith('ATX')) return [{ start: from, end: from + level, text: marks }]
  return [{ start: from, end: to, text: `${marks} ${onOneLine(text.slice(from, to))}` }]
}

/** The edit that renames the language of a YAML code block. */
function otherLanguage(text: string, { name, from, to }: Node): Edit[] {
  if (name !== 'CodeInfo') return []
  const [language = ''] = text.slice(from, to).split(/\s/)
  return YAML.test(language) ? [{ start: from, end: from + language.length, text: OTHER_YAML }] : []
}

/** Text that is a heading after a page, unless the page leaves a block open. */
const PROBE_HEADING = '## x\n'
const PROBE = `\n\n${PROBE_HEADING}`

/** More nested containers on a line than people write, and more than the parser reads. */
const NESTED = /^[ \t]*(?:(?:>|[-+*]|\d{1,9}[.)])[ \t]*){60}/m

/** The text of a setext heading without its underline and the quote marks around it. */
function onOneLine(heading: string): string {
  const lines = heading.split('\n').slice(0, -1)
  const text = lines.map((line, at) => (at === 0 ? line : line.replace(/^[\s>]+/, ''))).join(' ')
  // An ATX heading ends before hashes at its end.
  return text.trim().replace(/(?<!#)#+$/, hashes => hashes.replaceAll('#', '\\#'))
}

/** A language of a code block that is YAML (`yaml`, `yml`), or could be once its escapes are resolved (`y\aml`). */
const YAML = /^ya?ml$|[\\&]/i
const OTHER_YAML = 'yaml-example'
