/** The characters of a reply that results may use. The rest is for the envelope, notes and hints. */
const MAX_REPLY = 70_000

/** The maximum length of a part of a page, in UTF-16 units. */
const MAX_PART = 21_000

/** The length of a value in a reply, which has it as JSON, and again as a JSON string in its text. */
function sizeInReply(value: unknown): number {
  const json = JSON.stringify(value)
  return json.length + JSON.stringify(json).length
}

/** Whether a string fits into a reply that has it once. Agents read its characters, not the escapes of JSON. */
export function fitsReply(text: string): boolean {
  return text.length <= MAX_REPLY
}

/** The first entries that fit into a reply, which may have a text besides. */
export function fittingEntries<Entry>(entries: Iterable<Entry>, text = ''): Entry[] {
  const fitting: Entry[] = []
  let size = sizeInReply(text)
  for (const entry of entries) {
    size += sizeInReply(entry)
    if (size > MAX_REPLY) break
    fitting.push(entry)
  }
  return fitting
}

/** A part of a string, and the offset of the next part, if any. */
export type TextPart = { part: string; nextOffset?: number }

/** A part of a text that fits into a reply. It ends after a line if possible, and never within a surrogate pair. */
export function textPart(text: string, offset: number, end = text.length): TextPart {
  const start = isWithinPair(text, offset) ? offset - 1 : offset
  let partEnd = Math.min(end, start + MAX_PART)
  while (sizeInReply(text.slice(start, partEnd)) > MAX_REPLY) partEnd = start + Math.floor((partEnd - start) * SHORTER)
  if (partEnd === end) return { part: text.slice(start, end) }
  const minEnd = start + (partEnd - start) * SHORTER
  const lineEnd = text.lastIndexOf('\n', partEnd - 1) + 1
  if (lineEnd > minEnd) partEnd = lineEnd
  else if (isWithinPair(text, partEnd)) partEnd--
  return { part: text.slice(start, partEnd), nextOffset: partEnd }
}

/** A part that is too large is cut to this share, and one that could end after a line keeps at least as much. */
const SHORTER = 0.85

/** Whether a position is between the two halves of a surrogate pair. */
function isWithinPair(text: string, at: number): boolean {
  const around = text.slice(at - 1, at + 1)
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(around)
}
