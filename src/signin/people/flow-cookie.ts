import { stringifySetCookie } from 'cookie'
import { loadJose } from '../../access/keys/jose.ts'
import type { HeaderList, Request } from '../../exchange/message.ts'
import type { SigninContext } from '../context.ts'

/** A sign-in under way: what the answer of the issuer must match, and where it leads. */
export type Flow = {
  signin: string
  workspace: string
  state: string
  nonce: string
  codeVerifier: string
  returnPath: string
}

/** The parts of the context that cookies need, and the start of their name, which differs for each kind of sign-in. */
export type FlowContext = Pick<SigninContext, 'publicUrl' | 'clock' | 'flowKey'> & { cookie?: string }

/**
 * Makes the `Set-Cookie` fields for a sign-in, which has ten minutes. The browser keeps it, so that any process can finish
 * it and none stores it. Each sign-in has its own cookie, so that two tabs can sign in; the oldest beyond a number and a
 * size are removed.
 */
export async function flowCookie(
  context: FlowContext,
  request: Request,
  flow: Readonly<Record<string, string>> & { state: string },
): Promise<HeaderList> {
  const { EncryptJWT } = await loadJose()
  const expiresAt = new Date(context.clock() + FLOW_SECONDS * 1000)
  const jwt = new EncryptJWT(flow).setProtectedHeader({ alg: 'dir', enc: 'A256GCM' }).setExpirationTime(expiresAt)
  const value = await jwt.encrypt(context.flowKey)
  const set = cookie(context, request, { name: nameFor(context, request, flow.state), value, maxAge: FLOW_SECONDS })
  const dropped = await oldest(context, request, value.length)
  return [set, ...dropped].flatMap(field => ['Set-Cookie', field])
}

export function endedFlowCookie(context: FlowContext, request: Request, state: string): string {
  return cookie(context, request, { name: nameFor(context, request, state), value: '', maxAge: 0 })
}

/** The fields that remove the oldest sign-ins, and cookies that are no longer valid, so that a new one fits. */
async function oldest(context: FlowContext, request: Request, size: number): Promise<string[]> {
  const flows = await Promise.all(
    flowCookies(context, request).map(async ({ name, value }) => {
      const [flow] = await decrypt<{ exp: number }>(context, value)
      return { name, size: value.length, exp: flow?.exp ?? 0 }
    }),
  )
  let total = size
  // Browsers send older cookies first (RFC 6265 §5.4).
  return flows
    .toReversed()
    .toSorted((a, b) => b.exp - a.exp)
    .flatMap(({ name, size, exp }, at) => {
      total += size
      const isKept = exp > 0 && at < MAX_FLOWS - 1 && total <= MAX_BYTES
      return isKept ? [] : [cookie(context, request, { name, value: '', maxAge: 0 })]
    })
}

const MAX_FLOWS = 4
/** Of all these cookies; a service reads 8 KiB of cookies. */
const MAX_BYTES = 5000

/** The sign-ins in a request that this service encrypted less than ten minutes ago. */
export async function readFlows<Content = Flow>(context: FlowContext, request: Request): Promise<Content[]> {
  const cookies = flowCookies(context, request)
  return (await Promise.all(cookies.map(({ value }) => decrypt<Content>(context, value)))).flat()
}

/** The first cookies of sign-ins in a request; an earlier version had only one, without a part of the state. */
function flowCookies(context: FlowContext, request: Request): { name: string; value: string }[] {
  const start = cookieName(context, request)
  const named = (request.headers.cookie ?? '')
    .slice(0, MAX_FIELD_LENGTH)
    .split(';')
    .map(pair => pair.trim())
  return named
    .filter(pair => pair.startsWith(`${start}=`) || pair.startsWith(`${start}_`))
    .slice(0, 2 * MAX_FLOWS)
    .map(pair => ({ name: pair.slice(0, pair.indexOf('=')), value: pair.slice(pair.indexOf('=') + 1) }))
}

const MAX_FIELD_LENGTH = 8192

type Cookie = { name: string; value: string; maxAge: number }

function cookie(context: FlowContext, request: Request, { name, value, maxAge }: Cookie): string {
  const secure = isSecure(context, request)
  return stringifySetCookie({ name, value, path: '/', httpOnly: true, sameSite: 'lax', secure, maxAge })
}

function nameFor(context: FlowContext, request: Request, state: string): string {
  return `${cookieName(context, request)}_${state.slice(0, 12)}`
}

function cookieName(context: FlowContext, request: Request): string {
  return `${isSecure(context, request) ? '__Host-' : ''}${context.cookie ?? 'housestyle_signin'}`
}

function isSecure({ publicUrl }: FlowContext, { isHttps = false }: Request): boolean {
  return isHttps || publicUrl.startsWith('https:')
}

const FLOW_SECONDS = 600

async function decrypt<Content>({ flowKey, clock }: FlowContext, value: string): Promise<Content[]> {
  const { jwtDecrypt, errors } = await loadJose()
  const options = {
    keyManagementAlgorithms: ['dir'],
    contentEncryptionAlgorithms: ['A256GCM'],
    requiredClaims: ['exp'],
    currentDate: new Date(clock()),
  }
  try {
    const { payload } = await jwtDecrypt<Content>(value, flowKey, options)
    return [payload]
  } catch (error) {
    if (error instanceof errors.JOSEError) return []
    throw error
  }
}
