import { type ByteRange, contentRange } from './ranges.ts'

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
