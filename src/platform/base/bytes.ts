import { timingSafeEqual } from 'node:crypto'
import { attempt } from './result.ts'

/** Compares two secrets in a time that depends only on their lengths. */
export function equalsInConstantTime(one: string, other: string): boolean {
  const oneBytes = Buffer.from(one)
  const otherBytes = Buffer.from(other)
  return oneBytes.length === otherBytes.length && timingSafeEqual(oneBytes, otherBytes)
}

/** Decodes UTF-8, or UTF-16 with a byte order mark, without the mark. Undefined if the bytes are anything else. */
export function decodeText(bytes: Uint8Array): string | undefined {
  return attempt(() => new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes))
}

/** Reads chunks to their end; throws what `tooMany` makes as soon as they have more than `max` bytes. */
export async function readAll(
  chunks: AsyncIterable<Uint8Array>,
  max: number,
  tooMany: () => Error,
): Promise<Buffer<ArrayBuffer>> {
  const read: Uint8Array[] = []
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > max) throw tooMany()
    read.push(chunk)
  }
  return Buffer.concat(read)
}

/** Encodes text like the bytes that it was decoded from, with their byte order mark. */
export function encodeLike(bytes: Uint8Array, text: string): Uint8Array {
  const encoding = encodingOf(bytes)
  const hasMark = encoding !== 'utf-8' || (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf)
  const encoded = Buffer.from(hasMark ? `\ufeff${text}` : text, encoding === 'utf-8' ? 'utf-8' : 'utf-16le')
  return encoding === 'utf-16be' ? encoded.swap16() : encoded
}

/** The encoding that a byte order mark names; UTF-8 without one. */
function encodingOf([first, second]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
}
