import { createHmac } from 'node:crypto'
import { stringifySetCookie } from 'cookie'
import { equalsInConstantTime } from '../../base/bytes.ts'
import type { ProjectRef } from '../../brand/ids.ts'
import { DRAFT_PATH } from '../../contract/operations.ts'
import { cookieValues } from '../../exchange/message.ts'
import type { ShareKind } from './shares.ts'

/** A valid share link; `expiresAt` is in milliseconds since 1970. */
export type LiveShare = ProjectRef & { id: string; expiresAt: number }

/** Cookies of share links of one kind. Each is for one project, and proves that the browser used the link. */
export type ShareCookies = {
  /**
   * Makes the `Set-Cookie` values for a link, valid until the link expires: one for the path of the guide, and one for
   * its home page as Markdown, `{project}.md`, which is not below that path (RFC 6265 §5.1.4).
   */
  set: (share: LiveShare, nowMs: number) => readonly string[]
  /** Returns the ids of unexpired links for this project that a `Cookie` field proves. */
  proven: (cookies: string, ref: ProjectRef, nowMs: number) => readonly string[]
}

/**
 * Makes cookies for a public URL, signed with `secret`. Browsers accept `__Secure-` cookies only over https (RFC
 * 6265bis §4.1.3.1), so a network attacker cannot replace one. A cookie of one kind never has the name, the path or the
 * signature of another.
 */
export function shareCookies(publicUrl: string, secret: Uint8Array, kind: ShareKind): ShareCookies {
  const { protocol, pathname } = new URL(publicUrl)
  const secure = protocol === 'https:'
  const base = pathname.replace(/\/$/, '')
  const { name, label, below } = FORMS[kind]
  const nameOf = ({ workspace, project }: ProjectRef) => `${secure ? '__Secure-' : ''}${name}_${workspace}_${project}`
  const signed = ({ workspace, project, id, expiresAt }: LiveShare) => {
    const mac = createHmac('sha256', secret).update(`${label} ${JSON.stringify([workspace, project, id, expiresAt])}`)
    return `${id}.${expiresAt}.${mac.digest('base64url')}`
  }
  return {
    set: (share, nowMs) =>
      ['', '.md'].map(end =>
        stringifySetCookie({
          name: nameOf(share),
          value: signed(share),
          path: `${base}/${share.workspace}/${share.project}${below}${end}`,
          httpOnly: true,
          sameSite: 'lax',
          secure,
          maxAge: Math.ceil((share.expiresAt - nowMs) / 1000),
        }),
      ),
    proven: (cookies, ref, nowMs) =>
      cookieValues(cookies, nameOf(ref)).flatMap(value => {
        const [id = '', expires = ''] = value.split('.', 2)
        const expiresAt = Number(expires)
        return nowMs < expiresAt && equalsInConstantTime(value, signed({ ...ref, id, expiresAt })) ? [id] : []
      }),
  }
}

/** The names, signatures and paths of cookies; ids have no underscore, so names never collide. */
const FORMS: Readonly<Record<ShareKind, { name: string; label: string; below: string }>> = {
  guide: { name: 'housestyle', label: 'cookie', below: '' },
  draft: { name: 'housestyle_draft', label: 'draft cookie', below: DRAFT_PATH },
}
