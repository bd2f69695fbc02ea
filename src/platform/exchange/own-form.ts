import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readAll } from '../base/bytes.ts'
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
  if (!isUrlEncoded(headers['content-type'] ?? '')) return undefined
  return body && body.length <= maxBytes ? new URLSearchParams(new TextDecoder().decode(body)) : undefined
}

/** A file that a form brought, in a temporary file, and the field that it was chosen for. */
export type SentFile = { field: string; name: string; path: string; size: number }

/** The fields of a form, and its files that are not empty, in their order. */
export type OwnForm = { fields: URLSearchParams; files: readonly SentFile[] }

/**
 * Reads a form as it arrives, perhaps with files (multipart/form-data), that a page of this service sends; undefined for
 * any other request. Files are written to `folder`, which is only made for them; without one, they are dropped.
 */
export async function receiveOwnForm(
  publicUrl: string,
  request: Request,
  folder?: () => Promise<string>,
): Promise<OwnForm | undefined> {
  const { upload, headers } = request
  if (!upload || !isFromOwnPage(publicUrl, request)) return undefined
  const type = headers['content-type'] ?? ''
  try {
    return await (isUrlEncoded(type) ? receiveFields(upload) : receiveParts(multipart(upload, type), folder))
  } catch (error) {
    if (!(error instanceof BadForm)) throw error
    return undefined
  }
}

/** Reads a form without files. @throws {BadForm} if it is too long, or has too many fields */
async function receiveFields(upload: AsyncIterable<Uint8Array>): Promise<OwnForm> {
  const text = (await readAll(upload, MAX_FORM_BYTES, () => new BadForm('the form is too long'))).toString()
  if (text.split('&', MAX_FIELDS + 1).length > MAX_FIELDS) throw new BadForm('the form has too many fields')
  return { fields: new URLSearchParams(text), files: [] }
}

/** Collects the parts of a form with files. @throws {BadForm} if there are too many, or the fields are too long */
async function receiveParts(
  parts: AsyncIterable<PartHead | Uint8Array>,
  folder: (() => Promise<string>) | undefined,
): Promise<OwnForm> {
  const texts = openTexts()
  const files = openFiles(folder)
  /** Adds a piece to the current part of the form. */
  let write: Write = async () => {}
  for await (const part of parts) {
    if (part instanceof Uint8Array) await write(part)
    else if (texts.count() + files.count() === MAX_PARTS) throw new BadForm('the form has too many parts')
    else write = part.filename === undefined ? texts.begin(part.name) : await files.begin(part.name, part.filename)
  }
  return { fields: texts.fields(), files: files.filled() }
}

/** Adds a piece to a part of a form. */
type Write = (piece: Uint8Array) => Promise<void>

function openTexts() {
  const texts: { name: string; pieces: Uint8Array[] }[] = []
  let bytes = 0
  return {
    begin: (name: string): Write => {
      const pieces: Uint8Array[] = []
      texts.push({ name, pieces })
      return async piece => {
        bytes += piece.length
        if (bytes > MAX_TEXT_BYTES) throw new BadForm('the fields of the form are too long')
        pieces.push(piece)
      }
    },
    count: () => texts.length,
    fields: () => new URLSearchParams(texts.map(({ name, pieces }): [string, string] => [name, textOf(pieces)])),
  }
}

/** Writes files to a folder; without one, drops them. */
function openFiles(folder: (() => Promise<string>) | undefined) {
  const files: SentFile[] = []
  return {
    begin: async (field: string, name: string): Promise<Write> => {
      if (!folder) return async () => {}
      const file = { field, name, path: join(await folder(), `${files.length}`), size: 0 }
      files.push(file)
      return async piece => {
        await appendFile(file.path, piece, { mode: 0o600 })
        file.size += piece.length
      }
    },
    count: () => files.length,
    filled: () => files.filter(({ size }) => size > 0),
  }
}

/** The text of a page, the text that the person opened, and a few fields more. */
const MAX_TEXT_BYTES = 4 << 20
/** A page with the text that the person opened, in the encoding of forms. */
export const MAX_FORM_BYTES = 8 << 20
const MAX_PARTS = 200
/** A list of 1,000 entries has fewer. More take long to read. */
const MAX_FIELDS = 100_000

function textOf(pieces: readonly Uint8Array[]): string {
  return new TextDecoder().decode(Buffer.concat(pieces))
}

function isUrlEncoded(contentType: string): boolean {
  return /^application\/x-www-form-urlencoded(?:\s*;|$)/i.test(contentType)
}

/** Whether a page of this service sent a request. */
export function isFromOwnPage(publicUrl: string, { headers }: Request, allowsNullOrigin = false): boolean {
  const { origin, 'sec-fetch-site': site = 'same-origin' } = headers
  if (site !== 'same-origin') return false
  // Pages that send no referrer have the origin `null`.
  return origin === undefined || origin === new URL(publicUrl).origin || (allowsNullOrigin && origin === 'null')
}
