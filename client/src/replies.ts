import { HousestyleError } from './error.ts'
import { type GetRequest, get } from './get.ts'
import type { Platform } from './platform.ts'
import { abortable } from './time.ts'
import type { TokenSource } from './token.ts'

/** The JSON text of a reply, and its `Housestyle-Revision`, if any. */
export type ReplyText = { text: string; revision: string | null }

/** Gets the reply of a URL. */
export type GetReply = (url: string, signal: AbortSignal | undefined) => Promise<ReplyText>

type Stored = ReplyText & { etag: string | null }
/** A request under way, and how many callers wait for it. */
type Shared = { promise: Promise<ReplyText>; controller: AbortController; waiting: number }

/** About 20 MB, because a string takes up to two bytes per character. */
const MAX_CHARACTERS = 10_000_000

/**
 * Replies by token and URL. Each request asks the service: if nothing has changed (304), the stored text is the reply.
 * Concurrent requests share one, which is aborted once all of them are.
 */
export function replyCache(platform: Platform, tokens: TokenSource): GetReply {
  const stored = new Map<string, Stored>()
  const running = new Map<string, Shared>()
  return (url, signal) =>
    withToken(tokens, signal, token => {
      const key = `${token} ${url}`
      return share(running, key, signal, async signal => {
        const reply = await request(platform, { url, token, signal }, stored.get(key))
        keep(stored, key, reply)
        return reply
      })
    })
}

/** Does work with a token, and repeats it after a 401 if there is another token. */
export async function withToken<Value>(
  tokens: TokenSource,
  signal: AbortSignal | undefined,
  work: (token: string) => Promise<Value>,
): Promise<Value> {
  signal?.throwIfAborted()
  const token = await abortable(signal, tokens())
  try {
    return await work(token)
  } catch (error) {
    if (!(error instanceof HousestyleError) || error.status !== 401) throw error
    const renewed = await abortable(signal, tokens(token))
    if (renewed === token) throw error
    return work(renewed)
  }
}

async function request(platform: Platform, asked: GetRequest, known: Stored | undefined): Promise<Stored> {
  const headers = known?.etag ? { 'if-none-match': known.etag } : {}
  return get(platform, { ...asked, headers }, async response => {
    const revision = response.headers.get('housestyle-revision')
    if (known && response.status === 304) return { ...known, revision }
    return { text: await response.text(), revision, etag: response.headers.get('etag') }
  })
}

/** Puts a reply last, and drops the first ones while there are too many. */
function keep(stored: Map<string, Stored>, key: string, reply: Stored): void {
  stored.delete(key)
  if (reply.etag !== null) stored.set(key, reply)
  let characters = 0
  for (const [each, { text }] of stored) characters += each.length + text.length
  for (const [each, { text }] of stored) {
    if (characters <= MAX_CHARACTERS) return
    stored.delete(each)
    characters -= each.length + text.length
  }
}

/** Waits for the request of this key, which the first caller starts. */
async function share(
  running: Map<string, Shared>,
  key: string,
  signal: AbortSignal | undefined,
  start: (signal: AbortSignal) => Promise<ReplyText>,
): Promise<ReplyText> {
  signal?.throwIfAborted()
  const shared = running.get(key) ?? begin(start)
  running.set(key, shared)
  shared.waiting++
  try {
    return await abortable(signal, shared.promise)
  } finally {
    shared.waiting--
    if (shared.waiting === 0) {
      if (running.get(key) === shared) running.delete(key)
      shared.controller.abort()
    }
  }
}

function begin(start: (signal: AbortSignal) => Promise<ReplyText>): Shared {
  const controller = new AbortController()
  return { promise: start(controller.signal), controller, waiting: 0 }
}
