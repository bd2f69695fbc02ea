import type { Request } from './message.ts'

/** The bytes from `start` to `end`, both included, counted from 0. */
export type ByteRange = { start: number; end: number }

/**
 * Reads the requested ranges of `size` bytes (RFC 9110 §14.2), in request order. Adjacent and overlapping ranges are
 * merged. An empty list means that the range is beyond the end. Undefined means to send the whole: no range was
 * requested, `If-Range` names other bytes, or a server may ignore the form.
 */
export function requestedRanges(
  { method, headers }: Pick<Request, 'method' | 'headers'>,
  etag: string,
  size: number,
): readonly ByteRange[] | undefined {
  const field = headers.range
  const ifRange = headers['if-range']
  if (method !== 'GET' || field === undefined || (ifRange !== undefined && ifRange !== etag)) return undefined
  const specs = readSpecs(field)
  // RFC 9110 §14.1.2: the last bytes of an empty file are a valid range, but no Content-Range can express it.
  if (!specs || (size === 0 && specs.some(({ last }) => last !== undefined && last > 0))) return undefined
  const ranges = mergeRanges(specs.map(spec => rangeOf(spec, size)).filter(({ start, end }) => start <= end))
  return ranges.length > MAX_RANGES ? undefined : ranges
}

/** A request for more ranges gets the whole; well-behaved clients request fewer (RFC 9110 §17.15). */
const MAX_RANGES = 50

/** Formats `Content-Range`, for a range or for none (RFC 9110 §14.4). */
export function contentRange(range: ByteRange | undefined, size: number): string {
  return range ? `bytes ${range.start}-${range.end}/${size}` : `bytes */${size}`
}

type Spec = { first: number; to: number; last?: never } | { last: number }

/** Undefined for another unit, and if any part is malformed. Empty list elements are skipped. */
function readSpecs(field: string): readonly Spec[] | undefined {
  const set = /^bytes=(.*)$/i.exec(field)?.[1]
  const specs: Spec[] = []
  for (const text of set?.split(',') ?? []) {
    const trimmed = text.trim()
    if (trimmed === '') continue
    const spec = readSpec(trimmed)
    if (!spec) return undefined
    specs.push(spec)
  }
  return specs.length > 0 ? specs : undefined
}

function readSpec(text: string): Spec | undefined {
  const [, first = '', to = ''] = /^(\d*)-(\d*)$/.exec(text) ?? []
  if (first === '') return to === '' ? undefined : { last: Number(to) }
  const spec = { first: Number(first), to: to === '' ? Number.POSITIVE_INFINITY : Number(to) }
  return spec.first <= spec.to ? spec : undefined
}

/** The range ends before it starts if it contains no bytes. */
function rangeOf(spec: Spec, size: number): ByteRange {
  if (spec.last !== undefined) return { start: Math.max(0, size - spec.last), end: size - 1 }
  return { start: spec.first, end: Math.min(spec.to, size - 1) }
}

function mergeRanges(ranges: readonly ByteRange[]): readonly ByteRange[] {
  const joined: (ByteRange & { at: number })[] = []
  for (const [at, range] of [...ranges.entries()].sort(([, a], [, b]) => a.start - b.start)) {
    const before = joined.at(-1)
    if (before && range.start <= before.end + 1) {
      before.end = Math.max(before.end, range.end)
      before.at = Math.min(before.at, at)
    } else joined.push({ ...range, at })
  }
  return joined.sort((a, b) => a.at - b.at).map(({ start, end }) => ({ start, end }))
}

/** A body of several parts: the head of each part, the end of the body, and its total length in bytes. */
export type MultipartBody = {
  contentType: string
  parts: readonly { head: Uint8Array; range: ByteRange }[]
  end: Uint8Array
  length: number
}

/**
 * Makes a `multipart/byteranges` body from ranges of `size` bytes (RFC 9110 §14.6). The boundary must not occur in the
 * bytes.
 */
export function multipartBody(
  ranges: readonly ByteRange[],
  size: number,
  contentType: string,
  boundary: string,
): MultipartBody {
  const encoder = new TextEncoder()
  const parts = ranges.map((range, index) => {
    const fields = `Content-Type: ${contentType}\r\nContent-Range: ${contentRange(range, size)}\r\n\r\n`
    return { head: encoder.encode(`${index === 0 ? '' : '\r\n'}--${boundary}\r\n${fields}`), range }
  })
  const end = encoder.encode(`\r\n--${boundary}--\r\n`)
  const length = parts.reduce((sum, { head, range }) => sum + head.length + range.end - range.start + 1, end.length)
  return { contentType: `multipart/byteranges; boundary=${boundary}`, parts, end, length }
}
