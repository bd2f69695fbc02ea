import { groupsOf } from '../base/text.ts'
/** The head of a part of a form; `filename` is absent unless the part is a file. */
export type PartHead = { name: string; filename?: string | undefined }

/**
 * Reads a form with files (multipart/form-data, RFC 7578) as it arrives: the head of each part, then the pieces of its
 * content.
 *
 * @throws BadForm if it is not such a form, or ends early
 */
export async function* multipart(
  body: AsyncIterable<Uint8Array>,
  contentType: string,
): AsyncGenerator<PartHead | Uint8Array> {
  const [, boundary] = groupsOf(BOUNDARY, contentType)
  if (boundary === undefined) throw new BadForm('the form has no boundary')
  const mark = Buffer.from(`\r\n--${boundary}`)
  const arriving = body[Symbol.asyncIterator]()
  /** The bytes that have arrived and are not read. The first mark begins the body, without a line before it. */
  let rest = Buffer.from('\r\n')
  /** Reads up to `end`, and skips that. */
  async function* until(end: Buffer): AsyncGenerator<Buffer> {
    for (;;) {
      const at = rest.indexOf(end)
      // The last bytes may be the beginning of `end`.
      const length = at === -1 ? Math.max(0, rest.length - end.length + 1) : at
      if (length > 0) yield rest.subarray(0, length)
      rest = rest.subarray(at === -1 ? length : at + end.length)
      if (at !== -1) return
      const next = await arriving.next()
      if (next.done) throw new BadForm('the form ends early')
      rest = Buffer.concat([rest, next.value])
    }
  }
  await textOf(until(mark))
  // A mark ends with `--` after the last part, and otherwise with the line.
  while ((await textOf(until(LINE_END))) !== '--') {
    yield headOf(await textOf(until(HEAD_END)))
    yield* until(mark)
  }
}

export class BadForm extends Error {}

/** `multipart/form-data; boundary="x-1"` (RFC 2046 §5.1.1), perhaps with other parameters. */
const BOUNDARY = /^multipart\/form-data\s*;(?:.*;)?\s*boundary="?([\w'()+,./:=?-]{1,70})"?\s*(?:;|$)/i
const LINE_END = Buffer.from('\r\n')
const HEAD_END = Buffer.from('\r\n\r\n')
const MAX_HEAD = 8 << 10

/** A short text in pieces: what is before a mark, the rest of its line, or the head of a part. */
async function textOf(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const all: Uint8Array[] = []
  let length = 0
  for await (const piece of pieces) {
    length += piece.length
    if (length > MAX_HEAD) throw new BadForm('the form has too large a head')
    all.push(piece)
  }
  return Buffer.concat(all).toString()
}

/** Browsers send quotes in names as `%22` (HTML standard, multipart/form-data encoding algorithm). */
function headOf(head: string): PartHead {
  const parameter = (name: string) =>
    new RegExp(`^content-disposition:.*;\\s*${name}="([^"]*)"`, 'im').exec(head)?.[1]?.replaceAll('%22', '"')
  return { name: parameter('name') ?? '', filename: parameter('filename') }
}
