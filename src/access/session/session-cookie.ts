import { createHmac } from 'node:crypto'
import { stringifySetCookie } from 'cookie'
import { equalsInConstantTime } from '../../base/bytes.ts'
import { cookieValues } from '../../exchange/message.ts'

/** The id of a session, and the secret that only its cookie contains. */
export type SessionSecret = { id: string; secret: string }

/** Cookies of sessions. Each is for one workspace, and its signature shows that this service made it. */
export type SessionCookies = {
  /** Makes the `Set-Cookie` value for a session with this remaining time. */
  set: (workspace: string, session: SessionSecret, remainingMs: number) => string
  /** Makes the `Set-Cookie` value that removes the cookie. */
  clear: (workspace: string) => string
  /** Returns the sessions that a `Cookie` field names with a valid signature. They may have ended. */
  signed: (cookies: string, workspace: string) => readonly SessionSecret[]
  /** Returns the first workspaces for which a `Cookie` field has a cookie, valid or not. */
  workspaces: (cookies: string) => readonly string[]
}

/**
 * Makes session cookies, signed with `key`, so that an invented cookie causes no database query. Browsers accept
 * `__Host-` cookies only over https, from the host itself and for all its paths (RFC 6265bis §4.1.3.2), so neither a
 * network attacker nor a neighbouring host can replace one.
 */
export function sessionCookies(isSecure: boolean, key: Uint8Array): SessionCookies {
  const prefix = `${isSecure ? '__Host-' : ''}housestyle_session_`
  const nameOf = (workspace: string) => prefix + workspace
  const sign = (workspace: string, { id, secret }: SessionSecret) => {
    const mac = createHmac('sha256', key).update(`session cookie ${JSON.stringify([workspace, id, secret])}`)
    return `${id}.${secret}.${mac.digest('base64url')}`
  }
  const cookie = (workspace: string, value: string, maxAge: number) =>
    stringifySetCookie({
      name: nameOf(workspace),
      value,
      path: '/',
      httpOnly: true,
      sameSite: 'lax',
      secure: isSecure,
      maxAge,
    })
  return {
    set: (workspace, session, remainingMs) =>
      cookie(workspace, sign(workspace, session), Math.max(0, Math.floor(remainingMs / 1000))),
    clear: workspace => cookie(workspace, '', 0),
    signed: (cookies, workspace) =>
      cookieValues(cookies, nameOf(workspace)).flatMap(value => {
        const [id = '', secret = ''] = value.split('.', 2)
        return equalsInConstantTime(value, sign(workspace, { id, secret })) ? [{ id, secret }] : []
      }),
    workspaces: cookies => {
      const names = cookies.split(';', MAX_COOKIES).map(pair => pair.trim().split('=', 1)[0] ?? '')
      const own = names.filter(name => name.startsWith(prefix)).map(name => name.slice(prefix.length))
      return [...new Set(own)].slice(0, MAX_WORKSPACES)
    },
  }
}

const MAX_COOKIES = 100
const MAX_WORKSPACES = 8
