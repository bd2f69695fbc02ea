import { promisify } from 'node:util'
import { type BrotliOptions, brotliCompress, brotliCompressSync, gzip, gzipSync } from 'node:zlib'
import { andThen, type MaybePromise } from '#platform/base/promise.ts'
import type { Cache } from '#platform/caches/cache.ts'
import type { Caches } from '#platform/caches/caches.ts'
import { memoryOf } from '#platform/caches/memory.ts'
import { chooseEncoding, type Encoding } from '#platform/exchange/encoding.ts'
import { codedTag, etagOf, isTagOf, matchedTag } from '#platform/exchange/etag.ts'
import type { HeaderList, Reply, Request } from '#platform/exchange/message.ts'
import { NO_SNIFF, notModified } from '#platform/exchange/reply.ts'

/** A representation with its finished replies. Each content coding, such as gzip, is created on first use. */
type CachedReply = {
  representation: Representation
  /** The tag of its bytes. The tags of its codings begin with it. */
  etag: string
  /** The finished codings, and the promises of those under way. */
  encoded: Map<Encoding, MaybePromise<Coded>>
  /** The 304 replies, by tag. */
  unchanged: Map<string, Reply>
}

type Coded = { reply: Reply; tag: string; size: number }

/**
 * Replies by key. The least recently used are evicted first. The tag of a coding has a hash of its bytes, because a strong
 * tag must not name two byte sequences (RFC 9110 §8.8.3), and versions of zlib differ.
 */
export type ResponseCache = {
  /** The reply to a request under a key; creates it first if it is not cached. */
  reply: (
    key: string,
    request: Request,
    make: () => MaybePromise<Representation | undefined>,
  ) => MaybePromise<Reply | undefined>
}

/** The bytes of a reply and its header fields, before they are compressed for a client. */
export type Representation = {
  bytes: Uint8Array
  /** Header fields that are sent only with the bytes: their type, and what a browser may do with them. */
  type: HeaderList
  /** Header fields that are also sent with a 304: caching, and the context of the bytes. */
  about: HeaderList
  /** Its lifetime in milliseconds; unlimited if absent. */
  keptMs?: number | undefined
  /** Whether it never changes, so that it is compressed as far as possible. */
  isPermanent?: true
}

export function openResponseCache(caches: Caches, name: 'replies' | 'pages'): ResponseCache {
  const kept = caches.open<CachedReply>(name)
  const makeOnce = (
    key: string,
    work: () => MaybePromise<Representation | undefined>,
  ): Promise<CachedReply | undefined> =>
    kept.make(key, async () => {
      const representation = await work()
      if (!representation) return undefined
      const value = prepare(representation)
      return { value, bytes: PREPARED_BYTES + memoryOf(representation.bytes), keptMs: representation.keptMs }
    })
  const replyFrom = (key: string, prepared: CachedReply, request: Request): MaybePromise<Reply> => {
    const encoding = chooseEncoding(request.headers['accept-encoding'])
    const codedOrStarted = prepared.encoded.get(encoding)
    const coded = codedOrStarted instanceof Promise ? undefined : codedOrStarted
    const unchanged = unchangedReply(prepared, request.headers['if-none-match'], coded?.tag ?? prepared.etag)
    if (unchanged) return unchanged
    if (coded) return coded.reply
    return andThen(codedOrStarted ?? encodeOnce(kept, key, prepared, encoding), ({ reply }) => reply)
  }
  return {
    reply: (key, request, work) => {
      const prepared = kept.get(key)
      if (prepared) return replyFrom(key, prepared, request)
      return makeOnce(key, work).then(entry => entry && replyFrom(key, entry, request))
    },
  }
}

function encodeOnce(kept: Cache<CachedReply>, key: string, prepared: CachedReply, encoding: Encoding): Promise<Coded> {
  const { representation, etag, encoded } = prepared
  const started = compress(representation, encoding).then(
    bytes => {
      const coded = add(prepared, encoding, codedTag(etag, encoding, bytes), bytes)
      kept.grow(key, prepared, CODING_BYTES + coded.size)
      return coded
    },
    error => {
      encoded.delete(encoding)
      throw error
    },
  )
  encoded.set(encoding, started)
  return started
}

/** The memory of an entry without its bytes, and of each further coding. */
const PREPARED_BYTES = 1900
const CODING_BYTES = 1200

function prepare(representation: Representation): CachedReply {
  const etag = etagOf(representation.bytes)
  const prepared: CachedReply = { representation, etag, encoded: new Map(), unchanged: new Map() }
  add(prepared, 'identity', etag, representation.bytes)
  return prepared
}

function add(prepared: CachedReply, encoding: Encoding, tag: string, bytes: Uint8Array): Coded {
  const { type, about } = prepared.representation
  const coding = encoding === 'identity' ? [] : ['Content-Encoding', encoding]
  const headers = [...type, ...NO_SNIFF, ...about, 'ETag', tag, ...coding]
  const coded = { reply: { status: 200, headers, body: bytes }, tag, size: memoryOf(bytes) }
  prepared.encoded.set(encoding, coded)
  prepared.unchanged.set(tag, notModifiedWith(prepared, tag))
  return coded
}

/**
 * The 304 to a client that has the content in any coding, even if another process created that coding; otherwise
 * undefined. `preferred` is the tag to answer with if the client sends `*`, or several that fit.
 */
function unchangedReply(prepared: CachedReply, ifNoneMatch: string | undefined, preferred: string): Reply | undefined {
  if (ifNoneMatch === undefined) return undefined
  const tag = matchedTag(ifNoneMatch, preferred, each => isTagOf(prepared.etag, each))
  return tag === undefined ? undefined : (prepared.unchanged.get(tag) ?? notModifiedWith(prepared, tag))
}

/** Also renews other fields of a stored reply (RFC 9111 §3.2), because its revision may have changed. */
function notModifiedWith({ representation }: CachedReply, tag: string): Reply {
  return notModified([...representation.about, 'ETag', tag])
}

/** Short replies at once, others in libuv's threads. Copies the bytes, which zlib cuts from a larger buffer. */
async function compress({ bytes, isPermanent }: Representation, encoding: Encoding): Promise<Uint8Array> {
  const isShort = bytes.length <= SHORT_BYTES
  if (encoding === 'gzip') return new Uint8Array(isShort ? gzipSync(bytes) : await promisify(gzip)(bytes))
  const options = brotliOptions(bytes.length, isPermanent ? 11 : 5)
  return new Uint8Array(isShort ? brotliCompressSync(bytes, options) : await brotli(bytes, options))
}

/** Passing a shorter reply to a thread takes as long as compressing it, about 50 µs. */
const SHORT_BYTES = 4 << 10
const brotli = promisify(brotliCompress)

/**
 * Level 5 takes half a millisecond for a page; level 11 takes over ten times as long and saves an eighth. The window is
 * as large as the reply (RFC 7932, §9.1), because each thread allocates memory for its window.
 */
function brotliOptions(length: number, quality: 5 | 11): BrotliOptions {
  const windowBits = Math.min(Math.max(16, Math.ceil(Math.log2(length + 16))), 22)
  return { params: { [QUALITY]: quality, [WINDOW_BITS]: windowBits, [SIZE_HINT]: length } }
}

/** `BROTLI_PARAM_QUALITY`, `_LGWIN` and `_SIZE_HINT`. Importing `constants` would load zlib at every start. */
const [QUALITY, WINDOW_BITS, SIZE_HINT] = [1, 2, 5]
