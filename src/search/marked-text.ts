import { type Word, wordsOf } from './words.ts'

/** A text in pieces, of which every second one, beginning with the second, is marked. */
export type Highlighted = readonly string[]

/** A text with some of its words marked; no more of it than a search result can show. */
export function highlight(text: string, isWanted: (word: Word) => boolean): Highlighted {
  const shown = text.slice(0, MAX_TEXT)
  return markedWords(shown, wordsOf(shown).filter(isWanted))
}

/** The part of a text around the first of its words that are wanted, with those marked; its beginning if none is. */
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
  const shown = words.filter((word, at) => at === firstAt || (at > firstAt && word.end <= to && isWanted(word)))
  const moved = shown.map(({ term, start, end }) => ({ term, start: start + offset, end: Math.min(end, to) + offset }))
  return markedWords(part.toWellFormed(), moved)
}

/** Characters. */
const MAX_TEXT = 3000
const BEFORE = 60
const LENGTH = 200

/** Marks words, which are in their order and may overlap. */
function markedWords(text: string, words: readonly Word[]): Highlighted {
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
