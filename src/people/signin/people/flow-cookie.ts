import { randomBytes } from 'node:crypto'
import type { HeaderList, Request } from '#platform/exchange/message.ts'
import { isSecure, setCookie } from '#platform/exchange/own-cookie.ts'
import type { AccessContext } from '#serving/access/context.ts'
import { loadJose, unlessRefused } from '#serving/access/keys/jose.ts'

/** A sign-in under way: what the answer of the issuer must match, and where it leads (decisions/0570). */
export type Flow = {
  signin: string
  workspace: string
  state: string
  nonce: string
  codeVerifier: string
  returnPath: string
}

/** A new state, nonce or code verifier: 256 random bits, as RFC 7636 §4.1 recommends for the last. */
export function randomValue(): string {
  return randomBytes(32).toString('base64url')
}

/** The key of the cookies, and the start of their name, which differs for each kind of sign-in: at an issuer, or at a host. */
type FlowCookies = { access: AccessContext; flowKey: Uint8Array; cookie?: string }

/**
 * Makes the `Set-Cookie` fields for a sign-in, which has ten minutes. The browser keeps it, so that any process can finish
 * it and none stores it. Each sign-in has its own cookie, so that two tabs can sign in; the oldest beyond a number and a
 * size are removed.
 */
export async function flowCookie(
  cookies: FlowCookies,
  request: Request,
  flow: Readonly<Record<string, string>> & { state: string },
): Promise<HeaderList> {
  const { EncryptJWT } = await loadJose()
  const expiresAt = new Date(cookies.access.clock() + FLOW_SECONDS * 1000)
  const jwt = new EncryptJWT(flow).setProtectedHeader({ alg: 'dir', enc: 'A256GCM' }).setExpirationTime(expiresAt)
  const value = await jwt.encrypt(cookies.flowKey)
  const newCookie = cookie(cookies, request, {
    name: nameFor(cookies, request, flow.state),
    value,
    maxAge: FLOW_SECONDS,
  })
  const removedCookies = await oldest(cookies, request, value.length)
  return [newCookie, ...removedCookies].flatMap(field => ['Set-Cookie', field])
}

/** The `Set-Cookie` value that removes a sign-in which has ended. */
export function endedFlowCookie(cookies: FlowCookies, request: Request, state: string): string {
  return cookie(cookies, request, { name: nameFor(cookies, request, state), value: '', maxAge: 0 })
}

/** The fields that remove the oldest sign-ins, and cookies that are no longer valid, so that a new one of `size` bytes fits. */
async function oldest(cookies: FlowCookies, request: Request, size: number): Promise<string[]> {
  const flows = await Promise.all(
    flowCookies(cookies, request).map(async ({ name, value }) => {
      const [flow] = await decrypt<{ exp: number }>(cookies, value)
      return { name, size: value.length, exp: flow?.exp ?? 0 } // 0: no longer valid.
    }),
  )
  // Of those that expire in the same second, the last is the newest: browsers send older ones first (RFC 6265 §5.4).
  const newestFirst = flows.toReversed().toSorted((a, b) => b.exp - a.exp)
  const removed: string[] = []
  let totalSize = size
  for (const [at, flow] of newestFirst.entries()) {
    totalSize += flow.size
    // One of the flows is the new one.
    const isKept = flow.exp > 0 && at < MAX_FLOWS - 1 && totalSize <= MAX_BYTES
    if (!isKept) removed.push(cookie(cookies, request, { name: flow.name, value: '', maxAge: 0 }))
  }
  return removed
}

/** The sign-ins of a browser at the same time. */
const MAX_FLOWS = 4
/** The bytes of all these cookies; a service reads 8 KiB of cookies. */
const MAX_BYTES = 5000

/** The sign-ins in a request that this service encrypted less than ten minutes ago. */
export async function readFlows<Content = Flow>(cookies: FlowCookies, request: Request): Promise<Content[]> {
  const flows = flowCookies(cookies, request)
  return (await Promise.all(flows.map(({ value }) => decrypt<Content>(cookies, value)))).flat()
}

/** The first cookies of sign-ins in a request. */
function flowCookies(cookies: FlowCookies, request: Request): { name: string; value: string }[] {
  const start = `${cookieName(cookies, request)}_`
  const named = (request.headers.cookie ?? '')
    .slice(0, MAX_FIELD_LENGTH)
    .split(';')
    .map(pair => pair.trim())
  return named
    .filter(pair => pair.startsWith(start))
    .slice(0, 2 * MAX_FLOWS)
    .map(pair => ({ name: pair.slice(0, pair.indexOf('=')), value: pair.slice(pair.indexOf('=') + 1) }))
}

/** The characters of a `Cookie` field that are read. */
const MAX_FIELD_LENGTH = 8192

type Cookie = { name: string; value: string; maxAge: number }

function cookie(cookies: FlowCookies, request: Request, { name, value, maxAge }: Cookie): string {
  return setCookie({ name, value, path: '/', secure: isSecure(cookies.access.publicUrl, request), maxAge })
}

/** The name of the cookie of a sign-in: `housestyle_signin_` and the start of its state. */
function nameFor(cookies: FlowCookies, request: Request, state: string): string {
  return `${cookieName(cookies, request)}_${state.slice(0, 12)}`
}

function cookieName(cookies: FlowCookies, request: Request): string {
  return `${isSecure(cookies.access.publicUrl, request) ? '__Host-' : ''}${cookies.cookie ?? 'housestyle_signin'}`
}

const FLOW_SECONDS = 600

/** The content of a cookie, as a list of one; empty if this service did not make it, or if it has expired. */
async function decrypt<Content>({ access, flowKey }: FlowCookies, value: string): Promise<Content[]> {
  const options = {
    keyManagementAlgorithms: ['dir'],
    contentEncryptionAlgorithms: ['A256GCM'],
    requiredClaims: ['exp'],
    currentDate: new Date(access.clock()),
  }
  const decrypted = await unlessRefused(({ jwtDecrypt }) => jwtDecrypt<Content>(value, flowKey, options))
  return decrypted ? [decrypted.payload] : []
}
