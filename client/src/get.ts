import { errorOf, HousestyleError, isTemporary } from './error.ts'
import type { Platform } from './platform.ts'
import { within } from './time.ts'

/** A GET request. Only one with a token stays within its origin. */
export type GetRequest = {
  url: string
  token?: string
  headers?: Readonly<Record<string, string>>
  signal?: AbortSignal | undefined
}

const MAX_RETRIES = 2
const MAX_REDIRECTS = 5
const MAX_RETRY_AFTER_SECONDS = 60
const FIRST_PAUSE_MS = 500
const MAX_PAUSE_MS = 30_000

/**
 * Reads a reply, with up to two retries after temporary errors.
 *
 * @throws {HousestyleError} for a status of 400 or more, without a reply, or for a redirect to another origin
 */
export async function get<Value>(
  platform: Platform,
  request: GetRequest,
  read: (response: Response) => Promise<Value>,
): Promise<Value> {
  for (let retries = 0; ; retries++) {
    try {
      return await getOnce(platform, request, read)
    } catch (error) {
      const pauseMs = retries < MAX_RETRIES && isTemporary(error) ? pauseAfter(error, retries, platform) : Infinity
      if (pauseMs > MAX_RETRY_AFTER_SECONDS * 1000) throw error
      await platform.sleep(pauseMs, request.signal)
    }
  }
}

/** Milliseconds to wait after this many failures: what the service requests, else exponential with jitter. */
export function pauseAfter({ retryAfterSeconds }: HousestyleError, failures: number, { random }: Platform): number {
  if (retryAfterSeconds !== undefined) return retryAfterSeconds * 1000
  return Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures) * (0.5 + random() / 2)
}

/** Reads a reply in one attempt, which has the time limit of the platform until `read` ends. */
export function getOnce<Value>(
  { fetch, timeout, now }: Platform,
  request: GetRequest,
  read: (response: Response) => Promise<Value>,
): Promise<Value> {
  const { url, token, signal } = request
  const attempt = `cannot get ${url}`
  const headers = new Headers(request.headers)
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
  return within({ attempt, ms: timeout, signal }, async signal => {
    const response = await orNetworkError(attempt, () =>
      token === undefined ? fetch(url, { headers, signal }) : fetchWithin(attempt, fetch, url, { headers, signal }),
    )
    if (response.status >= 400) throw await errorOf(attempt, response, now())
    return orNetworkError(attempt, () => read(response))
  })
}

/** Turns an error of the platform, such as a lost connection, into one with the code `network_error`. */
export async function orNetworkError<Value>(attempt: string, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (cause) {
    if (cause instanceof HousestyleError) throw cause
    const description = `${reasonOf(cause)}. Check the address and the network; in a browser, also --cors.`
    throw new HousestyleError(attempt, { code: 'network_error', description, cause })
  }
}

/** Node puts the reason into the cause of a general error. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message
}

/** Follows redirects within an origin. Browsers hide the target of a redirect, so there none is followed. */
async function fetchWithin(attempt: string, fetch: Platform['fetch'], start: string, init: RequestInit) {
  let url = start
  for (let followed = 0; followed <= MAX_REDIRECTS; followed++) {
    const response = await fetch(url, { ...init, redirect: 'manual' })
    if (!isRedirect(response)) return response
    await response.body?.cancel()
    const next = targetOf(response, url)
    if (next?.origin !== new URL(start).origin) throw redirectError(attempt, response, next)
    url = next.href
  }
  const description = `There are more than ${MAX_REDIRECTS} redirects. Set baseUrl to the final address.`
  throw new HousestyleError(attempt, { code: 'redirect', description })
}

/** Whether a reply sends the request elsewhere. */
export function isRedirect({ status, type, headers }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400 && status !== 304 && headers.has('location'))
}

function targetOf({ headers }: Response, url: string): URL | undefined {
  const target = headers.get('location')
  return target !== null && URL.canParse(target, url) ? new URL(target, url) : undefined
}

/** The error of a redirect that is not followed, to an address that browsers hide. */
export function redirectError(attempt: string, { status }: Response, target?: URL): HousestyleError {
  const to = target ? ` to ${target.origin}` : ''
  const description = `The reply is a redirect${to}, where the token must not go. Set baseUrl to the final address.`
  return new HousestyleError(attempt, { status, code: 'redirect', description })
}
