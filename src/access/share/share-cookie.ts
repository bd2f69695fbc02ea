import { createHmac } from 'node:crypto'
import { parseCookie, stringifySetCookie } from 'cookie'
import { equalsInConstantTime } from '../../base/bytes.ts'

/** A share link that opens a project; `expiresAt` is in milliseconds since 1970. */
export type LiveShare = { id: string; workspace: string; project: string; expiresAt: number }

/** The cookies that share links give: each is for one project, and shows that its bearer had the link. */
export type ShareCookies = {
  /**
   * The field values of `Set-Cookie` that a link gives, to be kept until the link expires: for the path of the project,
   * and for that of its home page as Markdown, `{project}.md`, which is not below it (RFC 6265 §5.1.4).
   */
  set: (share: LiveShare, nowMs: number) => readonly string[]
  /** Whether a `Cookie` field has a cookie for this project that a share, which `find` knows by its id, has given. */
  has: (cookies: string, place: Place, find: (id: string) => LiveShare | undefined, nowMs: number) => boolean
}

type Place = Pick<LiveShare, 'workspace' | 'project'>

/**
 * Cookies of a service at a public URL, signed with `secret`. `__Secure-` has browsers take a cookie from https alone
 * (RFC 6265bis §4.1.3.1), so that nobody in between can put another one in its place.
 */
export function shareCookies(publicUrl: string, secret: Uint8Array): ShareCookies {
  const { protocol, pathname } = new URL(publicUrl)
  const secure = protocol === 'https:'
  const base = pathname.replace(/\/$/, '')
  const nameOf = ({ workspace, project }: Place) => `${secure ? '__Secure-' : ''}housestyle_${workspace}_${project}`
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
          ...{ path: `${base}/${share.workspace}/${share.project}${end}`, httpOnly: true, sameSite: 'lax', secure },
          maxAge: Math.ceil((share.expiresAt - nowMs) / 1000),
        }),
      ),
    has: (cookies, place, find, nowMs) => {
      const isRight = (value: string) => {
        const share = find(value.slice(0, value.indexOf('.')))
        const isFor = share?.workspace === place.workspace && share.project === place.project
        return isFor && nowMs < share.expiresAt && equalsInConstantTime(value, signed(share))
      }
      // Another site of the domain may set a cookie of this name: what is not decoded is passed over, so any right one counts.
      const found = parseCookie(cookies, { decode: value => (isRight(value) ? value : undefined) })
      return found[nameOf(place)] !== undefined
    },
  }
}
