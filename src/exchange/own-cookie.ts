import { stringifySetCookie } from 'cookie'

type OwnCookie = { name: string; value: string; path: string; secure: boolean; maxAge?: number }

/** The `Set-Cookie` value of a cookie of ours: no script reads it, and forms of other sites do not send it. */
export function setCookie(cookie: OwnCookie): string {
  return stringifySetCookie({ ...cookie, httpOnly: true, sameSite: 'lax' })
}
