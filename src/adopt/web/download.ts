import { setTimeout as sleep } from 'node:timers/promises'
import { trustedFetch, untrustedFetch } from '#platform/outgoing/outgoing-fetch.ts'

/** Downloads from an address: its bytes, its media type, and the address after redirects. */
export type Download = (address: string) => Promise<{ content: Uint8Array; type: string; address: string }>

/** Downloads from the site that the user named, which may be on a private network, and from others that are public. */
export function openDownload(origin: string, signal: AbortSignal): Download {
  const limits = { maxMs: MAX_MS, maxBytes: MAX_BYTES }
  const [own, others] = [trustedFetch(limits), untrustedFetch({ allow: [], publicUrl: origin }, limits)]
  let repeats = 0
  const ask = async (address: string, redirects: number): ReturnType<Download> => {
    const fetch = new URL(address).origin === origin ? own : others
    const response = await fetch(address, { redirect: 'manual', signal })
    const target = response.headers.get('location')
    if (response.status >= 300 && response.status < 400 && target !== null) {
      if (redirects === MAX_REDIRECTS) throw new Error(`redirects more than ${MAX_REDIRECTS} times`)
      return ask(new URL(target, address).href, redirects + 1)
    }
    const wait = Number(response.headers.get('retry-after'))
    if (response.status === 429 && wait > 0 && wait <= MAX_WAIT_SECONDS && repeats++ < MAX_REPEATS) {
      await sleep(Math.max(wait * 1000, MIN_WAIT_MS), undefined, { signal })
      return ask(address, redirects + 1)
    }
    if (!response.ok) throw new Error(`it answered ${response.status}`)
    const type = (response.headers.get('content-type') ?? '').toLowerCase()
    return { content: new Uint8Array(await response.arrayBuffer()), type, address }
  }
  return address => ask(address, 0)
}

const MAX_MS = 60_000
const MAX_BYTES = 256 << 20
const MAX_REDIRECTS = 5
const MAX_WAIT_SECONDS = 60
/** For all addresses of a site, so that none keeps the command busy. */
const MAX_REPEATS = 60
const MIN_WAIT_MS = 150
