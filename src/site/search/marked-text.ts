import { type Word, wordsOf } from './words.ts'

/** A text in pieces, of which every second one, beginning with the second, is marked. */
export type Marked = readonly string[]

/** A text with some of its words marked; no more of it than a search result can show. */
export function marked(text: string, isWanted: (word: Word) => boolean): Marked {
  const pieces: string[] = []
  let end = 0
  for (const word of wordsOf(text.slice(0, LONGEST)).filter(isWanted)) {
    const start = Math.max(word.start, end)
    if (start >= word.end) continue
    if (start === end && pieces.length > 0) pieces.push((pieces.pop() ?? '') + text.slice(start, word.end))
    else pieces.push(text.slice(end, start), text.slice(start, word.end))
    end = word.end
  }
  return [...pieces, text.slice(end, LONGEST)]
}

/** The part of a text around the first of its words that are wanted, with those marked; its beginning where none is. */
export function snippet(text: string, isWanted: (word: Word) => boolean): Marked {
  const first = wordsOf(text.slice(0, LONGEST)).find(isWanted)?.start ?? 0
  const start = first <= BEFORE ? 0 : text.indexOf(' ', first - BEFORE) + 1 || first
  const from = Math.min(start, first)
  const space = text.lastIndexOf(' ', from + LENGTH)
  const to = text.length <= from + LENGTH ? text.length : space > first ? space : from + LENGTH
  const part = `${from > 0 ? '… ' : ''}${text.slice(from, to)}${to < text.length ? ' …' : ''}`
  return marked(part.toWellFormed(), isWanted)
}

/** Characters. */
const LONGEST = 3000
const BEFORE = 60
const LENGTH = 200
