import type { IncomingMessage } from 'node:http'
import { type OutgoingCode, OutgoingError } from './outgoing-error.ts'

export type ReadingOptions = {
  url: URL
  redirect: Request['redirect']
  maxBytes: number
  /** Whether the body is not read, so that neither its size, its coding nor its time is a problem. */
  ignoresBody: boolean
}

/**
 * Reads a reply, with its body unless that is ignored, so that the limits of time and size apply to all of it.
 *
 * @throws {OutgoingError} for a redirect unless it is `manual`, and for a reply that is too large or compressed
 */
export async function readResponse(reply: IncomingMessage, options: ReadingOptions): Promise<Response> {
  const { statusCode: status = 0 } = reply
  const problem = problemOf(reply, options)
  if (problem) {
    reply.destroy()
    throw new OutgoingError(problem.code, options.url, problem.why)
  }
  const body = options.ignoresBody ? null : await readBody(reply, options)
  if (options.ignoresBody) reply.destroy()
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(reply.headersDistinct))
    for (const value of values) headers.append(name, value)
  return new Response(BODILESS.has(status) ? null : body, { status, headers })
}

/** Statuses for which a `Response` has no body. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304])

function problemOf(
  { statusCode: status = 0, headers }: IncomingMessage,
  { redirect, ignoresBody }: ReadingOptions,
): { code: OutgoingCode; why: string } | undefined {
  if (status >= 300 && status < 400 && status !== 304 && redirect !== 'manual')
    return { code: 'outgoing_redirected', why: `it answered ${status}, and redirects are not followed` }
  if (status < 200 || status > 599) return { code: 'outgoing_reply_invalid', why: `it answered ${status}` }
  const { 'content-encoding': coding = 'identity' } = headers
  if (coding !== 'identity' && !ignoresBody)
    return { code: 'outgoing_reply_invalid', why: `its body has the coding ${coding}` }
  return undefined
}

async function readBody(reply: IncomingMessage, { url, maxBytes }: ReadingOptions): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of reply) {
    size += chunk.length
    if (size > maxBytes)
      throw new OutgoingError('outgoing_reply_too_large', url, `it answered with more than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
