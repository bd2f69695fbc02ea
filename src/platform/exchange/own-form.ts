import { open } from 'node:fs/promises'
import { errorCode } from '../base/error.ts'
import type { Request } from './message.ts'
import { BadForm, multipart, type PartHead } from './multipart.ts'

/**
 * Reads a form (application/x-www-form-urlencoded) that a page of this service sent; undefined for any other request.
 * Browsers name the sending site in `Sec-Fetch-Site` and `Origin` (Fetch standard §3.1 and §3.2.6).
 */
export function readOwnForm(
  publicUrl: string,
  request: Request,
  { maxBytes, allowsNullOrigin = false }: { maxBytes: number; allowsNullOrigin?: boolean },
): URLSearchParams | undefined {
  const { headers, body } = request
  if (!isFromOwnPage(publicUrl, request, allowsNullOrigin)) return undefined
  if (!/^application\/x-www-form-urlencoded(?:\s*;|$)/i.test(headers['content-type'] ?? '')) return undefined
  return body && body.length <= maxBytes ? new URLSearchParams(new TextDecoder().decode(body)) : undefined
}

/** A file that a form brought, in a temporary file. */
export type SentFile = { name: string; path: string; size: number }

/**
 * Reads a form with at most one file (multipart/form-data) that a page of this service sends, and writes the file to a
 * path; undefined for any other request.
 */
export async function readOwnUpload(
  publicUrl: string,
  request: Request,
  path: string,
): Promise<{ fields: URLSearchParams; file?: SentFile } | undefined> {
  if (!isFromOwnPage(publicUrl, request) || !request.upload) return undefined
  await using written = await open(path, 'wx', 0o600)
  const fields = new URLSearchParams()
  let [part, text, file]: [PartHead | undefined, Buffer, SentFile | undefined] = [undefined, Buffer.alloc(0), undefined]
  try {
    for await (const piece of multipart(request.upload, request.headers['content-type'] ?? '')) {
      if (!(piece instanceof Uint8Array)) {
        part = piece
        text = Buffer.alloc(0)
        if (part.filename === undefined) continue
        if (file) return undefined
        file = { name: part.filename, path, size: 0 }
      } else if (file && part?.filename !== undefined) {
        await written.appendFile(piece)
        file.size += piece.length
      } else {
        text = Buffer.concat([text, piece])
        if (text.length > MAX_FIELD_BYTES || fields.size > MAX_FIELDS) return undefined
        fields.set(part?.name ?? '', text.toString())
      }
    }
  } catch (error) {
    if (!(error instanceof BadForm) && errorCode(error) !== 'ECONNRESET') throw error
    return undefined
  }
  return { fields, ...(file && { file }) }
}

const MAX_FIELD_BYTES = 8 << 10
const MAX_FIELDS = 20

function isFromOwnPage(publicUrl: string, { headers }: Request, allowsNullOrigin = false): boolean {
  const { origin, 'sec-fetch-site': site = 'same-origin' } = headers
  if (site !== 'same-origin') return false
  // Pages that send no referrer have the origin `null`.
  return origin === undefined || origin === new URL(publicUrl).origin || (allowsNullOrigin && origin === 'null')
}
