/** The most frequent line end of a text; LF if it has none. */
export function lineEndOf(text: string): string {
  const ends = { '\n': 0, '\r\n': 0, '\r': 0 }
  for (const [end] of text.matchAll(/\r\n|\n|\r/g)) if (end === '\n' || end === '\r\n' || end === '\r') ends[end] += 1
  if (ends['\r\n'] > ends['\n'] && ends['\r\n'] >= ends['\r']) return '\r\n'
  return ends['\r'] > ends['\n'] ? '\r' : '\n'
}

/** The offset where the line of an offset begins. */
export function lineStart(text: string, offset: number): number {
  let start = offset
  while (start > 0 && !isLineEnd(text[start - 1])) start -= 1
  return start
}

/** The offset where the line of an offset ends, before its line end. */
export function lineStop(text: string, offset: number): number {
  let stop = offset
  while (stop < text.length && !isLineEnd(text[stop])) stop += 1
  return stop
}

/** The offset behind the line end at an offset. */
export function nextLine(text: string, stop: number): number {
  return stop + (text.startsWith('\r\n', stop) ? 2 : 1)
}

/** The column of a line that has only a comment; undefined for other lines. */
export function commentColumn(text: string, start: number): number | undefined {
  let offset = start
  while (text[offset] === ' ') offset += 1
  return text[offset] === '#' ? offset - start : undefined
}

function isLineEnd(character: string | undefined): boolean {
  return character === '\n' || character === '\r'
}
