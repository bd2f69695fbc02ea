import { groupsOf } from '../base/text.ts'
import type { Request } from './message.ts'

/** The bytes from `start` to `end`, both included, counted from 0. */
export type ByteRange = { start: number; end: number }

/**
 * Reads the requested range of `size` bytes (RFC 9110 §14.2); `beyond` if it begins after the end. Undefined means to
 * send the whole: no range was requested, `If-Range` names other bytes, or a server may ignore the form, such as
 * several ranges.
 */
export function requestedRange(
  { method, headers }: Pick<Request, 'method' | 'headers'>,
  etag: string,
  size: number,
): ByteRange | 'beyond' | undefined {
  const { range: field = '', 'if-range': ifRange = etag } = headers
  if (method !== 'GET' || ifRange !== etag) return undefined
  const [, first = '', last = ''] = groupsOf(SINGLE_RANGE, field)
  if (first === '' && last === '') return undefined
  if (first === '') return lastBytes(Number(last), size)
  const start = Number(first)
  const end = last === '' ? Number.POSITIVE_INFINITY : Number(last)
  if (start > end) return undefined
  return start < size ? { start, end: Math.min(end, size - 1) } : 'beyond'
}

/** `bytes=0-99`, `bytes=100-` (from 100 on) or `bytes=-100` (the last 100). */
const SINGLE_RANGE = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i

function lastBytes(count: number, size: number): ByteRange | 'beyond' | undefined {
  if (count === 0) return 'beyond'
  // RFC 9110 §14.1.2: the last bytes of an empty file are a valid range, but no Content-Range can express it.
  return size === 0 ? undefined : { start: Math.max(0, size - count), end: size - 1 }
}

/** Formats `Content-Range`, for a range or for none (RFC 9110 §14.4). */
export function contentRange(range: ByteRange | undefined, size: number): string {
  return range ? `bytes ${range.start}-${range.end}/${size}` : `bytes */${size}`
}
