import { setTimeout as sleep } from 'node:timers/promises'
import { type Budget, spend } from '#formats/json/budget.ts'
import { isObject, type Json, type JsonObject, jsonOf, parseJson, textMember } from '#formats/json/json.ts'
import { decodeText } from '#platform/base/bytes.ts'
import { OperationalError } from '#platform/base/error.ts'
import { type OutgoingFetch, trustedFetch, untrustedFetch } from '#platform/outgoing/outgoing-fetch.ts'

/** Asks a service that keeps the API, with a token, and others for files only. */
export type ServiceRequests = {
  /**
   * A reply of the API at a path below its address.
   *
   * @throws OperationalError that names the request; its cause is the status
   */
  reply: (path: string) => Promise<JsonObject>
  /** The bytes at the address of a file. Only the service itself gets the token. @throws OperationalError */
  file: (address: string) => Promise<Uint8Array>
}

/** `base` is the address of the API, such as `https://brand.example/beta`. */
export type RequestOptions = {
  base: string
  token: string
  signal: AbortSignal
  progress: (step: string) => void
  /** The limits on the bytes of all replies and files together, and of all replies; 4 GiB and 256 MiB by default. */
  maxSum?: number
  maxReplies?: number
}

export function openRequests({ base, token, signal, progress, ...limits }: RequestOptions): ServiceRequests {
  /** A service may repeat the token in what it says of an error. */
  const failure = (address: string, why: string, cause?: number) =>
    new OperationalError('source_unreadable', `GET ${address}: ${why}`.replaceAll(token, '…'), { cause })
  const ask = trustedFetch({ maxMs: MAX_MS, maxBytes: MAX_REPLY })
  const askFile = trustedFetch({ maxMs: MAX_FILE_MS, maxBytes: MAX_FILE })
  const askOthers = untrustedFetch({ allow: [], publicUrl: base }, { maxMs: MAX_FILE_MS, maxBytes: MAX_FILE })
  const authorization = { authorization: `Bearer ${token}` }
  const [budget, replies] = [{ left: limits.maxSum ?? MAX_SUM }, { left: limits.maxReplies ?? MAX_REPLIES }]
  const patient = async (fetch: OutgoingFetch, address: string, headers: Record<string, string>) => {
    if (!spend(budget, MIN_SIZE)) throw failure(address, TOO_MUCH)
    for (let attempt = 1; ; attempt++) {
      const response = await fetch(address, { headers, signal })
      if (response.status !== 429 || attempt === MAX_ATTEMPTS) return response
      const seconds = Number(response.headers.get('retry-after')) || Math.min(2 ** attempt, 60)
      if (seconds > MAX_WAIT_SECONDS)
        throw failure(address, `it asks to wait ${seconds} s: start again after that time`)
      progress(`the service asks to wait ${seconds} s`)
      await sleep(seconds * 1000, undefined, { signal })
    }
  }
  const bytesOf = async (response: Awaited<ReturnType<OutgoingFetch>>, own: Budget = budget) => {
    const bytes = new Uint8Array(await response.arrayBuffer())
    for (const each of new Set([budget, own])) spend(each, bytes.length)
    return bytes
  }
  return {
    reply: async path => {
      const address = `${base}/${path}`
      const response = await patient(ask, address, authorization)
      const text = decodeText(await bytesOf(response, replies)) ?? ''
      if (replies.left < 0) throw failure(address, TOO_MUCH_TEXT)
      const json = parseJson(text)
      const value = json.ok ? jsonOf(json.value) : undefined
      if (!response.ok) throw failure(address, `it answered ${response.status}${reasonOf(value)}`, response.status)
      if (isObject(value)) return value
      throw failure(address, `its reply ${json.ok ? 'is no JSON object' : json.problem}`)
    },
    file: async address => {
      const url = URL.parse(address, base)
      const isOwn = url?.origin === new URL(base).origin
      const place = isOwn ? url.href : address
      const response = await (isOwn ? patient(askFile, place, authorization) : patient(askOthers, place, {}))
      if (!response.ok) throw failure(place, `it answered ${response.status}`)
      return bytesOf(response)
    },
  }
}

const MAX_MS = 60_000
const MAX_REPLY = 64 << 20
const MAX_FILE_MS = 10 * 60_000
const MAX_FILE = 256 << 20
/** Of all replies and files, each of which counts as at least the second. */
const MAX_SUM = 4 * 2 ** 30
const MIN_SIZE = 2 ** 16
/** Of all replies, whose pages are in memory until the folder is written. */
const MAX_REPLIES = 256 << 20
const TOO_MUCH = 'the pages and files of the service have more than 4 GiB, or are more than 65,536'
const TOO_MUCH_TEXT = 'the pages and lists of the service have more than 256 MiB'
const MAX_ATTEMPTS = 10
const MAX_WAIT_SECONDS = 120

/** What the service says of an error, as `: not_found (…)`. */
function reasonOf(value: Json | undefined): string {
  const [code, description] = [textMember(value, 'error'), textMember(value, 'error_description')]
  if (code === undefined) return ''
  return description !== undefined ? `: ${code} (${description})` : `: ${code}`
}
