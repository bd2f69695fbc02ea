import type { IncomingMessage } from 'node:http'
import { failed, ok, type Result } from '../../base/result.ts'
import { RETRY_SOON, type Refusal, refuse } from '../../contract/refusals.ts'
import { MAX_BODY } from '../../contract/route.ts'
import type { BodyDigest, Request } from '../../exchange/message.ts'
import type { BodyMemory } from '../body-memory.ts'

/** GitHub's limit for webhooks. Only the digest of such a body is kept. */
export const MAX_DIGESTED_BODY = 25 << 20

/** Reads a body of at most `maxBytes`. Beyond 64 KiB, it takes its part of the memory, or is refused with 503. */
export async function readBody(
  incoming: IncomingMessage,
  request: Request,
  maxBytes: number,
  memory: BodyMemory,
): Promise<Result<Request, Refusal>> {
  const length = incoming.headers['content-length']
  const mostBytes = length === undefined ? maxBytes : Number(length)
  let isLarge = false
  let piece: Buffer = NOTHING
  let [late, limit]: [Refusal | undefined, NodeJS.Timeout | undefined] = [undefined, undefined]
  const isLate = Promise.withResolvers<Result<never, Refusal>>()
  const take = (chunk: Buffer, size: number) => {
    if (late) return late
    if (!isLarge && size > MAX_BODY) {
      if (!memory.take(request, mostBytes)) return refuse('overloaded', RETRY_SOON)
      isLarge = true
      limit = setTimeout(() => {
        late = refuse('request-timeout')
        isLate.resolve(failed(late))
      }, LARGE_BODY_MS)
    }
    if (size > piece.length) piece = grown(piece, isLarge ? mostBytes : Math.max(2 * piece.length, size))
    chunk.copy(piece, size - chunk.length)
    return undefined
  }
  const read = await Promise.race([receive(incoming, mostBytes, take), isLate.promise])
  clearTimeout(limit)
  const body = piece.subarray(0, read.ok ? read.value : 0)
  piece = NOTHING // The listeners live as long as the connection.
  if (isLarge) memory.giveBack(request, mostBytes - body.length)
  return read.ok ? ok({ ...request, body }) : read
}

/** Slow clients may not hold the memory of others for long. */
const LARGE_BODY_MS = 15_000

const NOTHING = Buffer.alloc(0)

/** One growing piece, because the chunks of a client may have one byte each, and a hundred more in memory. */
function grown(piece: Buffer, length: number): Buffer {
  const longer = Buffer.allocUnsafeSlow(length)
  piece.copy(longer)
  return longer
}

export async function digestBody(
  incoming: IncomingMessage,
  request: Request,
  { update, digest }: BodyDigest,
): Promise<Result<Request, Refusal>> {
  const read = await receive(incoming, MAX_DIGESTED_BODY, chunk => {
    update(chunk)
    return undefined
  })
  return read.ok ? ok({ ...request, bodyDigest: digest() }) : read
}

/** Passes on each chunk with the size so far, until it is refused. Returns the size of the whole. */
function receive(
  incoming: IncomingMessage,
  maxBytes: number,
  take: (chunk: Buffer, size: number) => Refusal | undefined,
): Promise<Result<number, Refusal>> {
  return new Promise(resolve => {
    let size = 0
    let refusal: Refusal | undefined
    incoming.on('data', (chunk: Buffer) => {
      if (refusal) return
      size += chunk.length
      refusal = size > maxBytes ? refuse('body-too-large') : take(chunk, size)
      if (refusal) resolve(failed(refusal))
    })
    incoming.once('end', () => resolve(ok(size)))
    incoming.once('error', () => resolve(failed(refuse('malformed-http'))))
    incoming.once('close', () => resolve(failed(refuse('malformed-http'))))
  })
}
