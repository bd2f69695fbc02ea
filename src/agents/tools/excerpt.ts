import { type Word, wordsOf } from '../../search/words.ts'

/**
 * The part of a section's Markdown around the first wanted word, at most about `max` long. Links lose their addresses,
 * but keep their titles, which may say "Don't". A table that is cut keeps its header, so that cells keep their meaning.
 */
export function excerpt(markdown: string, isWanted: (word: Word) => boolean, max: number): string {
  const text = withoutAddresses(markdown.slice(0, MAX_READ)).trim()
  if (text.length <= max) return text
  const first = wordsOf(text).find(isWanted)?.start ?? 0
  const start = first < max / 2 ? 0 : lineStart(text, Math.floor(first - max / 3))
  const end = text.lastIndexOf(' ', start + max)
  const cut = end > first ? end : start + max
  const lead = start === 0 ? '' : `…\n${tableHeader(text, start)}`
  return `${lead}${text.slice(start, cut).toWellFormed()}${cut < text.length ? ' …' : ''}`
}

/** The characters of a section that are read. */
const MAX_READ = 10_000

function withoutAddresses(markdown: string): string {
  return markdown
    .replace(/<!--[\s\S]{0,1000}?-->\n?/g, '')
    .replace(
      /!?\[([^[\]]{0,1000})\]\((?:<[^<>]{0,1000}>|[^\s()]{0,1000})(?:\s+"([^"\n]{0,500})")?\)/g,
      (_, text: string, title: string | undefined) => (title === undefined ? text : `${text} (${title})`),
    )
}

/** The start of the line at a position, or the position itself if its line is long. */
function lineStart(text: string, at: number): number {
  const start = text.lastIndexOf('\n', at) + 1
  return at - start < MAX_LINE ? start : text.indexOf(' ', at) + 1
}

const MAX_LINE = 300

/** The first two lines of the table that a line is in the middle of; empty for any other line. */
function tableHeader(text: string, at: number): string {
  if (text[at] !== '|') return ''
  let first = at
  for (let line = at; line > 0 && text[line] === '|'; line = text.lastIndexOf('\n', line - 2) + 1) first = line
  const header = text.slice(first, at).split('\n').slice(0, 2)
  return header.length === 2 && /^[|:\- ]+$/.test(header[1] ?? '') ? `${header.join('\n')}\n` : ''
}
