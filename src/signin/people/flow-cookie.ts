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

/**
 * Makes the `Set-Cookie` value for a sign-in, which has ten minutes. The browser keeps it, so that any process can finish
 * it and none stores it.
 */
export async function flowCookie(context: SigninContext, request: Request, flow: Flow): Promise<string> {
  const { EncryptJWT } = await loadJose()
  const expiresAt = new Date(context.clock() + FLOW_SECONDS * 1000)
  const jwt = new EncryptJWT(flow).setProtectedHeader({ alg: 'dir', enc: 'A256GCM' }).setExpirationTime(expiresAt)
  return cookie(context, request, await jwt.encrypt(context.flowKey), FLOW_SECONDS)
}

/** Makes the `Set-Cookie` value that removes the cookie. */
export function endedFlowCookie(context: SigninContext, request: Request): string {
  return cookie(context, request, '', 0)
}

/** The sign-ins in a request that this service encrypted less than ten minutes ago. */
export async function readFlows(context: SigninContext, request: Request): Promise<Flow[]> {
  const values = cookieValues(request.headers.cookie ?? '', cookieName(context, request))
  return (await Promise.all(values.map(value => decrypt(context, value)))).flat()
}

function cookie(context: SigninContext, request: Request, value: string, maxAge: number): string {
  const name = cookieName(context, request)
  const secure = isSecure(context, request)
  return stringifySetCookie({ name, value, path: '/', httpOnly: true, sameSite: 'lax', secure, maxAge })
}

function cookieName(context: SigninContext, request: Request): string {
  return `${isSecure(context, request) ? '__Host-' : ''}housestyle_signin`
}

function isSecure({ publicUrl }: SigninContext, { isHttps = false }: Request): boolean {
  return isHttps || publicUrl.startsWith('https:')
}

const FLOW_SECONDS = 600

async function decrypt({ flowKey, clock }: SigninContext, value: string): Promise<Flow[]> {
  const { jwtDecrypt, errors } = await loadJose()
  const options = {
    keyManagementAlgorithms: ['dir'],
    contentEncryptionAlgorithms: ['A256GCM'],
    requiredClaims: ['exp'],
    currentDate: new Date(clock()),
  }
  try {
    const { payload } = await jwtDecrypt<Flow>(value, flowKey, options)
    return [payload]
  } catch (error) {
    if (error instanceof errors.JOSEError) return []
    throw error
  }
}
