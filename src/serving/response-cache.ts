import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { MaybePromise } from '../base/promise.ts'
import type { Caches } from '../caches/caches.ts'
import { memoryOf } from '../caches/memory.ts'
import { chooseEncoding, ENCODINGS, type Encoding } from '../exchange/encoding.ts'
import { etagInSteps, matchedTag } from '../exchange/etag.ts'
import type { HeaderList, Reply, Request } from '../exchange/message.ts'
import { NO_SNIFF, notModified } from '../exchange/reply.ts'

/** A 200 reply whose bytes were made once; each content coding is made when it is first asked for. */
type CachedReply = {
  made: Representation
  /** The tags of all codings, in the order of `ENCODINGS`. */
  etags: readonly string[]
  /** The codings that are there, or being made. */
  encoded: Map<Encoding, MaybePromise<Reply>>
  /** The 304 replies, by tag. */
  unchanged: ReadonlyMap<string, Reply>
}

/** Replies by key, the least recently used dropped first. */
export type ResponseCache = {
  /** The reply to a request from what is prepared under a key; it is made first if it is not there. */
  reply: (
    key: string,
    request: Request,
    make: () => MaybePromise<Representation | undefined>,
  ) => MaybePromise<Reply | undefined>
}

/** What a reply is prepared from. */
export type Representation = {
  bytes: Uint8Array
  /** Header fields that come with the bytes alone: their type, and what a browser may do with them. */
  type: HeaderList
  /** Header fields that come with a 304 as well: caching, and what the bytes are part of. */
  about: HeaderList
  /** How long it may be kept, in milliseconds. If absent, forever. */
  keptMs?: number
}

/** Keeps prepared replies in a cache. */
export function openResponseCache(caches: Caches, name: 'replies' | 'pages'): ResponseCache {
  const kept = caches.open<CachedReply>(name)
  const makeOnce = (
    key: string,
    work: () => MaybePromise<Representation | undefined>,
  ): Promise<CachedReply | undefined> =>
    kept.make(key, async () => {
      const made = await work()
      if (!made) return undefined
      const value = await prepare(made)
      const { keptMs } = made
      return { value, bytes: PREPARED_BYTES + memoryOf(made.bytes), ...(keptMs !== undefined && { keptMs }) }
    })
  const encodedOnce = (key: string, prepared: CachedReply, encoding: Encoding): MaybePromise<Reply> => {
    const known = prepared.encoded.get(encoding)
    if (known) return known
    const started = encode(prepared, encoding).then(
      encoded => {
        prepared.encoded.set(encoding, encoded)
        kept.grow(key, prepared, CODING_BYTES + memoryOf(encoded.body))
        return encoded
      },
      error => {
        prepared.encoded.delete(encoding)
        throw error
      },
    )
    prepared.encoded.set(encoding, started)
    return started
  }
  const replyFrom = (key: string, prepared: CachedReply, request: Request): MaybePromise<Reply> => {
    const encoding = chooseEncoding(request.headers['accept-encoding'])
    const ifNoneMatch = request.headers['if-none-match']
    const tag = matchedTag(ifNoneMatch, etagFor(prepared, encoding), prepared.etags)
    return (tag !== undefined && prepared.unchanged.get(tag)) || encodedOnce(key, prepared, encoding)
  }
  return {
    reply: (key, request, work) => {
      const prepared = kept.get(key)
      if (prepared) return replyFrom(key, prepared, request)
      return makeOnce(key, work).then(made => made && replyFrom(key, made, request))
    },
  }
}

/** What a prepared reply takes with its header fields, and a coding of it, beside their bytes. */
const PREPARED_BYTES = 1500
const CODING_BYTES = 500

async function prepare(made: Representation): Promise<CachedReply> {
  const etag = await etagInSteps(made.bytes)
  const etags = ENCODINGS.map(encoding => (encoding === 'identity' ? etag : `${etag.slice(0, -1)}-${encoding}"`))
  // What a kept reply says besides its bytes is renewed with a 304 (RFC 9111 §3.2): its revision may be another one now.
  const unchanged = new Map(etags.map(tag => [tag, notModified([...made.about, 'ETag', tag])]))
  const prepared: CachedReply = { made, etags, encoded: new Map(), unchanged }
  prepared.encoded.set('identity', encodedReply(prepared, 'identity', made.bytes))
  return prepared
}

function etagFor({ etags }: CachedReply, encoding: Encoding): string {
  return etags[ENCODINGS.indexOf(encoding)] ?? ''
}

function encodedReply(prepared: CachedReply, encoding: Encoding, bytes: Uint8Array): Reply {
  const coding = encoding === 'identity' ? [] : ['Content-Encoding', encoding]
  const etag = ['ETag', etagFor(prepared, encoding)]
  const { type, about } = prepared.made
  const headers = [...type, ...NO_SNIFF, ...about, ...etag, ...coding]
  return { status: 200, headers, body: bytes }
}

async function encode(prepared: CachedReply, encoding: Encoding): Promise<Reply> {
  const { bytes } = prepared.made
  const encoded = await (encoding === 'br' ? compressBrotli(bytes) : compressGzip(bytes))
  // A copy: what zlib gives is a part of 64 KiB, all of which would be kept.
  return encodedReply(prepared, encoding, new Uint8Array(encoded))
}

/** Level 5 takes milliseconds. Level 11 takes a tenth of a second and saves little more. */
const brotli = promisify(brotliCompress)
const compressBrotli = (bytes: Uint8Array): Promise<Uint8Array> =>
  brotli(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  })
const compressGzip: (bytes: Uint8Array) => Promise<Uint8Array> = promisify(gzip)
