import { createHmac } from 'node:crypto'
import { parseCookie, stringifySetCookie } from 'cookie'
import { equalsInConstantTime } from '../../base/bytes.ts'
import type { ProjectRef } from './shares.ts'

/** A share link that opens a project; `expiresAt` is in milliseconds since 1970. */
export type LiveShare = ProjectRef & { id: string; expiresAt: number }

/** Cookies of share links. Each is for one project, and proves that the browser had the link. */
export type ShareCookies = {
  /**
   * The values of `Set-Cookie` for a link, valid until the link expires: one for the path of the project, and one for
   * its home page as Markdown, `{project}.md`, which is not below that path (RFC 6265 §5.1.4).
   */
  set: (share: LiveShare, nowMs: number) => readonly string[]
  /** Whether a `Cookie` field has a valid cookie for this project; `find` finds a share by its id. */
  has: (cookies: string, ref: ProjectRef, find: (id: string) => LiveShare | undefined, nowMs: number) => boolean
}

/**
 * Cookies of a service at a public URL, signed with `secret`. Browsers accept `__Secure-` cookies over https only
 * (RFC 6265bis §4.1.3.1), so nobody on the network can replace one.
 */
export function shareCookies(publicUrl: string, secret: Uint8Array): ShareCookies {
  const { protocol, pathname } = new URL(publicUrl)
  const secure = protocol === 'https:'
  const base = pathname.replace(/\/$/, '')
  const nameOf = ({ workspace, project }: ProjectRef) =>
    `${secure ? '__Secure-' : ''}housestyle_${workspace}_${project}`
  const signed = ({ workspace, project, id, expiresAt }: LiveShare) => {
    const mac = createHmac('sha256', secret).update(`cookie ${JSON.stringify([workspace, project, id, expiresAt])}`)
    return `${id}.${expiresAt}.${mac.digest('base64url')}`
  }
  return {
    set: (share, nowMs) =>
      ['', '.md'].map(end =>
        stringifySetCookie({
          name: nameOf(share),
          value: signed(share),
          path: `${base}/${share.workspace}/${share.project}${end}`,
          httpOnly: true,
          sameSite: 'lax',
          secure,
          maxAge: Math.ceil((share.expiresAt - nowMs) / 1000),
        }),
      ),
    has: (cookies, ref, find, nowMs) => {
      const isValid = (value: string) => {
        const share = find(value.slice(0, value.indexOf('.')))
        const isForProject = share?.workspace === ref.workspace && share.project === ref.project
        return isForProject && nowMs < share.expiresAt && equalsInConstantTime(value, signed(share))
      }
      // Another site of the domain may set a cookie of this name. `parseCookie` skips undefined, so any valid one
      // counts.
      const found = parseCookie(cookies, { decode: value => (isValid(value) ? value : undefined) })
      return found[nameOf(ref)] !== undefined
    },
  }
}
