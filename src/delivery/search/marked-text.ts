import { type Word, wordsOf } from './words.ts'

/** Text in pieces; the second piece and every other one after it are highlighted. */
export type Highlighted = readonly string[]

/** Highlights the wanted words, and cuts the text to the size of a search result. */
export function highlight(text: string, isWanted: (word: Word) => boolean): Highlighted {
  const start = text.slice(0, MAX_TEXT)
  return highlightWords(start, wordsOf(start).filter(isWanted))
}

/** The part around the first wanted word, with all wanted words highlighted; else the beginning. */
export function snippet(text: string, isWanted: (word: Word) => boolean): Highlighted {
  const words = wordsOf(text.slice(0, MAX_TEXT))
  const firstAt = words.findIndex(isWanted)
  const first = words[firstAt]?.start ?? 0
  const start = first <= BEFORE ? 0 : text.indexOf(' ', first - BEFORE) + 1 || first
  const from = Math.min(start, first)
  const space = text.lastIndexOf(' ', from + LENGTH)
  const to = text.length <= from + LENGTH ? text.length : space > first ? space : from + LENGTH
  const before = from > 0 ? '… ' : ''
  const part = `${before}${text.slice(from, to)}${to < text.length ? ' …' : ''}`
  const offset = before.length - from
  const highlights = words.filter((word, at) => at === firstAt || (at > firstAt && word.end <= to && isWanted(word)))
  const moved = highlights.map(({ term, start, end }) => ({
    term,
    start: start + offset,
    end: Math.min(end, to) + offset,
  }))
  return highlightWords(part.toWellFormed(), moved)
}

/** The limits are in characters. */
const MAX_TEXT = 3000
const BEFORE = 60
const LENGTH = 200

/** Highlights words, which must be in order and may overlap. */
function highlightWords(text: string, words: readonly Word[]): Highlighted {
  const pieces: string[] = []
  let end = 0
  for (const word of words) {
    const start = Math.max(word.start, end)
    if (start >= word.end) continue
    if (start === end && pieces.length > 0) pieces.push((pieces.pop() ?? '') + text.slice(start, word.end))
    else pieces.push(text.slice(end, start), text.slice(start, word.end))
    end = word.end
  }
  return [...pieces, text.slice(end)]
}
