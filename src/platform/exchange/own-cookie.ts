import { stringifySetCookie } from 'cookie'
import type { Request } from './message.ts'

type OwnCookie = { name: string; value: string; path: string; secure: boolean; maxAge?: number }

/** The `Set-Cookie` value of a cookie of ours: no script reads it, and forms of other sites do not send it. */
export function setCookie(cookie: OwnCookie): string {
  return stringifySetCookie({ ...cookie, httpOnly: true, sameSite: 'lax' })
}

/** Whether browsers reach the service by https, so that cookies need it too. */
export function isSecure(publicUrl: string, { isHttps = false }: Pick<Request, 'isHttps'>): boolean {
  return isHttps || publicUrl.startsWith('https:')
}
