import { stringifySetCookie } from 'cookie'
import { loadJose } from '../../access/keys/jose.ts'
import { cookieValues, type Request } from '../../exchange/message.ts'
import type { SigninContext } from '../context.ts'

/** A sign-in under way: what the answer of the issuer must match, and where it leads. */
export type Flow = {
  /** The id of the issuer's settings. */
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
 * Makes the `Set-Cookie` value for a sign-in, which has ten minutes. The browser keeps it, so that any process can finish
 * it and none stores it.
 */
export async function flowCookie(
  context: FlowContext,
  request: Request,
  flow: Readonly<Record<string, string>>,
): Promise<string> {
  const { EncryptJWT } = await loadJose()
  const expiresAt = new Date(context.clock() + FLOW_SECONDS * 1000)
  const jwt = new EncryptJWT(flow).setProtectedHeader({ alg: 'dir', enc: 'A256GCM' }).setExpirationTime(expiresAt)
  return cookie(context, request, await jwt.encrypt(context.flowKey), FLOW_SECONDS)
}

/** Makes the `Set-Cookie` value that removes the cookie. */
export function endedFlowCookie(context: FlowContext, request: Request): string {
  return cookie(context, request, '', 0)
}

/** The sign-ins in a request that this service encrypted less than ten minutes ago. */
export async function readFlows<Content = Flow>(context: FlowContext, request: Request): Promise<Content[]> {
  const values = cookieValues(request.headers.cookie ?? '', cookieName(context, request))
  return (await Promise.all(values.map(value => decrypt<Content>(context, value)))).flat()
}

function cookie(context: FlowContext, request: Request, value: string, maxAge: number): string {
  const name = cookieName(context, request)
  const secure = isSecure(context, request)
  return stringifySetCookie({ name, value, path: '/', httpOnly: true, sameSite: 'lax', secure, maxAge })
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
