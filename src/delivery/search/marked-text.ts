import { type Word, wordsOf } from './words.ts'

/** Text in pieces; the second piece and every other one after it are highlighted: `The `, `logo`, ` and its `, `logo`, ``. */
export type Highlighted = readonly string[]

/** Highlights the wanted words, and cuts the text to the size of a search result. */
export function highlight(text: string, isWanted: (word: Word) => boolean): Highlighted {
  const start = text.slice(0, MAX_TEXT)
  return highlightWords(start, wordsOf(start).filter(isWanted))
}

/** The part around the first wanted word, with all wanted words highlighted; else the beginning. */
export function snippet(text: string, isWanted: (word: Word) => boolean): Highlighted {
  const words = wordsOf(text.slice(0, MAX_TEXT))
  const firstIndex = words.findIndex(isWanted)
  const firstStart = words[firstIndex]?.start ?? 0
  // From the start of a word, at most 60 characters before the first wanted one; `indexOf` gives -1 without a space.
  const wordStart = firstStart <= BEFORE ? 0 : text.indexOf(' ', firstStart - BEFORE) + 1 || firstStart
  const from = Math.min(wordStart, firstStart)
  // To the end of a word, unless the wanted word itself is that long.
  const lastSpace = text.lastIndexOf(' ', from + LENGTH)
  const to = text.length <= from + LENGTH ? text.length : lastSpace > firstStart ? lastSpace : from + LENGTH
  const ellipsis = from > 0 ? '… ' : ''
  const part = `${ellipsis}${text.slice(from, to)}${to < text.length ? ' …' : ''}`
  const highlights = words.filter(
    (word, index) => index === firstIndex || (index > firstIndex && word.end <= to && isWanted(word)),
  )
  // The offsets in the part instead of those in the text.
  const offset = ellipsis.length - from
  const movedHighlights = highlights.map(({ term, start, end }) => ({
    term,
    start: start + offset,
    end: Math.min(end, to) + offset,
  }))
  return highlightWords(part.toWellFormed(), movedHighlights)
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
    // A word that touches the last one continues its highlight.
    if (start === end && pieces.length > 0) pieces.push((pieces.pop() ?? '') + text.slice(start, word.end))
    else pieces.push(text.slice(end, start), text.slice(start, word.end))
    end = word.end
  }
  return [...pieces, text.slice(end)]
}
