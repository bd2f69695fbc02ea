import { andThen, type MaybePromise } from '../../base/promise.ts'
import type { Cache } from '../../caches/cache.ts'
import type { Caches } from '../../caches/caches.ts'
import { memoryOf } from '../../caches/memory.ts'
import { chooseEncoding, type Encoding } from '../../exchange/encoding.ts'
import { codedTag, etagInSteps, isTagOf, matchedTag } from '../../exchange/etag.ts'
import type { HeaderList, Reply, Request } from '../../exchange/message.ts'
import { NO_SNIFF, notModified } from '../../exchange/reply.ts'
import { type Compression, openCompression } from './compression.ts'

/** A 200 reply whose bytes were made once; each content coding is made when it is first asked for. */
type CachedReply = {
  made: Representation
  /** The tag of its bytes, which those of its codings begin with. */
  etag: string
  /** The codings that are there, or being made. */
  encoded: Map<Encoding, MaybePromise<Coded>>
  /** The 304 replies, by tag. */
  unchanged: Map<string, Reply>
}

/** A reply in one coding. If it may be better, it is compressed once more when it is asked for again. */
type Coded = { reply: Reply; tag: string; size: number; mayBeBetter: boolean }

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
export function openResponseCache(
  caches: Caches,
  name: 'replies' | 'pages',
  compression: Compression = openCompression(),
): ResponseCache {
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
  const { encodeOnce, improve } = openCodings(kept, compression)
  const replyFrom = (key: string, prepared: CachedReply, request: Request): MaybePromise<Reply> => {
    const encoding = chooseEncoding(request.headers['accept-encoding'])
    const known = prepared.encoded.get(encoding)
    const coded = known instanceof Promise ? undefined : known
    const unchanged = unchangedReply(prepared, request.headers['if-none-match'], coded?.tag ?? prepared.etag)
    if (unchanged) return unchanged
    if (!coded) return andThen(known ?? encodeOnce(key, prepared, encoding), ({ reply }) => reply)
    if (coded.mayBeBetter) improve(key, prepared, coded)
    return coded.reply
  }
  return {
    reply: (key, request, work) => {
      const prepared = kept.get(key)
      if (prepared) return replyFrom(key, prepared, request)
      return makeOnce(key, work).then(made => made && replyFrom(key, made, request))
    },
  }
}

/** Makes the codings of replies, and counts what they take. */
function openCodings(kept: Cache<CachedReply>, compression: Compression) {
  const encodeOnce = (key: string, prepared: CachedReply, encoding: Encoding): Promise<Coded> => {
    const { made, encoded } = prepared
    const started = compression.encode(made.bytes, encoding).then(
      ({ bytes, mayBeBetter }) => {
        const coded = addCoded(prepared, encoding, bytes, mayBeBetter)
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
  const improve = (key: string, prepared: CachedReply, coded: Coded): void => {
    const started = compression.encodeBest(prepared.made.bytes)
    if (!started) return
    coded.mayBeBetter = false
    const done = started.then(bytes => {
      const better = addCoded(prepared, 'br', bytes, false)
      kept.grow(key, prepared, better.size - coded.size)
    })
    done.catch(() => undefined) // The one that is there goes on being sent.
  }
  return { encodeOnce, improve }
}

/** What a prepared reply takes with its header fields, and a coding of it, beside their bytes. */
const PREPARED_BYTES = 1900
const CODING_BYTES = 1200

async function prepare(made: Representation): Promise<CachedReply> {
  const etag = await etagInSteps(made.bytes)
  const prepared: CachedReply = { made, etag, encoded: new Map(), unchanged: new Map() }
  add(prepared, 'identity', { tag: etag, bytes: made.bytes, mayBeBetter: false })
  return prepared
}

function addCoded(prepared: CachedReply, encoding: Encoding, bytes: Uint8Array, mayBeBetter: boolean): Coded {
  return add(prepared, encoding, { tag: codedTag(prepared.etag, encoding, bytes), bytes, mayBeBetter })
}

function add(
  prepared: CachedReply,
  encoding: Encoding,
  { tag, bytes, mayBeBetter }: { tag: string; bytes: Uint8Array; mayBeBetter: boolean },
): Coded {
  const { type, about } = prepared.made
  const coding = encoding === 'identity' ? [] : ['Content-Encoding', encoding]
  const headers = [...type, ...NO_SNIFF, ...about, 'ETag', tag, ...coding]
  const coded = { reply: { status: 200, headers, body: bytes }, tag, size: memoryOf(bytes), mayBeBetter }
  prepared.encoded.set(encoding, coded)
  prepared.unchanged.set(tag, notModifiedWith(prepared, tag))
  return coded
}

/** The 304 to a client that has the content in any coding, also in one that was made by another process. */
function unchangedReply(prepared: CachedReply, ifNoneMatch: string | undefined, own: string): Reply | undefined {
  if (ifNoneMatch === undefined) return undefined
  const tag = matchedTag(ifNoneMatch, own, each => isTagOf(prepared.etag, each))
  return tag === undefined ? undefined : (prepared.unchanged.get(tag) ?? notModifiedWith(prepared, tag))
}

/** What a kept reply says besides its bytes is renewed with a 304 (RFC 9111 §3.2): its revision may be another one now. */
function notModifiedWith({ made }: CachedReply, tag: string): Reply {
  return notModified([...made.about, 'ETag', tag])
}
