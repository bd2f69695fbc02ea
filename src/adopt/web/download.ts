import timers from 'node:timers/promises'
import { serial } from '#platform/base/promise.ts'
import { fieldText } from '#platform/base/text.ts'
import { trustedFetch, untrustedFetch } from '#platform/outgoing/outgoing-fetch.ts'

/** Downloads from an address: its bytes, its media type, and the address after redirects. */
export type Download = (
  address: string,
  limits: Limits,
) => Promise<{ content: Uint8Array; type: string; address: string }>

/** `signal` ends the request and its waits, and its reason is then the error. */
type Limits = { signal: AbortSignal; maxBytes: number }

/**
 * Downloads from the site that the user named, which may be on a private network, and from others that are public.
 * Redirects and repeats (429) of all addresses share one budget, and wait in turn. A download gets its share back.
 */
export function openDownload(origin: string, isAllowed: (address: string) => boolean): Download {
  let repeatsLeft = MAX_REPEATS
  const inTurn = serial()
  const ask: Download = async (first, { signal, maxBytes }) => {
    const limits = { maxMs: MAX_MS, maxBytes }
    const [own, others] = [trustedFetch(limits), untrustedFetch({ allow: [], publicUrl: origin }, limits)]
    let address = first
    for (let repeats = 0; ; repeats++) {
      if (!isAllowed(address)) throw new Error('robots.txt forbids it')
      const fetch = new URL(address).origin === origin ? own : others
      const response = await fetch(address, { redirect: 'manual', signal })
      const { status, headers } = response
      const growth = WAIT_GROWTH.get(status)
      if (growth === undefined) {
        if (!response.ok) throw new Error(`it answered ${status}`)
        repeatsLeft += repeats
        const type = fieldText(headers, 'content-type').toLowerCase()
        return { content: new Uint8Array(await response.arrayBuffer()), type, address }
      }
      const waitMs = Math.max(MIN_WAIT_MS * growth ** repeats, Number(headers.get('retry-after')) * 1000 || 0)
      if (repeats === MAX_REPEATS_EACH || repeatsLeft === 0 || waitMs > MAX_WAIT_MS)
        throw new Error(`it answered ${status}: ${TOO_OFTEN}`)
      repeatsLeft -= 1
      await inTurn(() => timers.setTimeout(waitMs, undefined, { signal }))
      address = new URL(fieldText(headers, 'location'), address).href
    }
  }
  return (address, limits) =>
    ask(address, limits).catch((error: unknown) => {
      limits.signal.throwIfAborted()
      throw error
    })
}

/** The statuses after which a request is repeated, and how much longer each of its waits is than the one before. */
const WAIT_GROWTH: ReadonlyMap<number, number> = new Map([
  [301, 1],
  [302, 1],
  [303, 1],
  [307, 1],
  [308, 1],
  [429, 3],
])
const MIN_WAIT_MS = 150
const MAX_WAIT_MS = 60_000
const MAX_REPEATS_EACH = 5
/** For all addresses of a site, so that none keeps the command busy. */
const MAX_REPEATS = 60
const TOO_OFTEN = `at most ${MAX_REPEATS_EACH} repeats of an address, ${MAX_REPEATS} of a site, and ${MAX_WAIT_MS / 1000} s of waiting`
const MAX_MS = 60_000
