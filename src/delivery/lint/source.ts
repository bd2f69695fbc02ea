import { lazy } from '#platform/base/object.ts'
import type { Place, Span } from './use.ts'

/** A text to read, and the places of its offsets in the file that has it. */
export type SourceText = {
  text: string
  at: (offset: number) => Place
  /** The offsets in the file of a part of the text; absent if the file writes it differently, as with entities. */
  span?: (start: number, end: number) => Span
}

export function sourceOf(text: string): SourceText {
  const lineStarts = lazy(() => [0, ...text.matchAll(/\r\n|[\n\r\f]/g).map(({ index, 0: end }) => index + end.length)])
  const at = (offset: number) => {
    const starts = lineStarts()
    let low = 0
    let high = starts.length
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 }
  }
  return { text, at, span: (start, end) => ({ start, end }) }
}

/** A part of a text as written there. */
export function partOf({ text, at, span }: SourceText, start: number, end: number): SourceText {
  return {
    text: text.slice(start, end),
    at: offset => at(start + offset),
    ...(span && { span: (from: number, to: number) => span(start + from, start + to) }),
  }
}

/** A text that stands at an offset of another, but is written differently there: everything in it has this place. */
export function decodedPart(decoded: string, { at }: SourceText, start: number): SourceText {
  return { text: decoded, at: () => at(start) }
}

/** Opens the sheets that a file links or imports, each once; undefined if one is out of reach, missing or too large. */
export type Sheets = { open: (address: string) => { text: string; sheets: Sheets } | undefined }

export const NO_SHEETS: Sheets = { open: () => undefined }
