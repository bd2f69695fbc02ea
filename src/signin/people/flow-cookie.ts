import { stringifySetCookie } from 'cookie'
import { loadJose } from '../../access/keys/jose.ts'
import { cookieValues } from '../../exchange/cookie-values.ts'

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

/** Keeps sign-ins under way in a cookie of the browser, so that any process can finish them and none stores them. */
export type FlowCookies = {
  /** Makes the `Set-Cookie` value for a sign-in, which has ten minutes. */
  set: (flow: Flow) => Promise<string>
  /** Makes the `Set-Cookie` value that removes the cookie. */
  clear: () => string
  /** The sign-ins of a `Cookie` field that this service encrypted less than ten minutes ago. */
  read: (cookies: string) => Promise<Flow[]>
}

export type FlowCookieParts = { isSecure: boolean; key: Uint8Array; clock: () => number }

export function flowCookies({ isSecure, key, clock }: FlowCookieParts): FlowCookies {
  const name = `${isSecure ? '__Host-' : ''}housestyle_signin`
  const cookie = (value: string, maxAge: number) =>
    stringifySetCookie({ name, value, path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure, maxAge })
  return {
    set: async flow => {
      const { EncryptJWT } = await loadJose()
      const expiresAt = new Date(clock() + FLOW_SECONDS * 1000)
      const jwt = new EncryptJWT(flow).setProtectedHeader({ alg: 'dir', enc: 'A256GCM' }).setExpirationTime(expiresAt)
      return cookie(await jwt.encrypt(key), FLOW_SECONDS)
    },
    clear: () => cookie('', 0),
    read: async cookies => {
      const values = cookieValues(cookies, name)
      return (await Promise.all(values.map(value => decrypt(value, key, new Date(clock()))))).flat()
    },
  }
}

const FLOW_SECONDS = 600

async function decrypt(value: string, key: Uint8Array, currentDate: Date): Promise<Flow[]> {
  const { jwtDecrypt, errors } = await loadJose()
  const options = {
    keyManagementAlgorithms: ['dir'],
    contentEncryptionAlgorithms: ['A256GCM'],
    requiredClaims: ['exp'],
    currentDate,
  }
  try {
    const { payload } = await jwtDecrypt<Flow>(value, key, options)
    return [payload]
  } catch (error) {
    if (error instanceof errors.JOSEError) return []
    throw error
  }
}
