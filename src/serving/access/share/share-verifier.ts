import { createHmac } from 'node:crypto'
import { DRAFT_PATH } from '#brand/contract/operations.ts'
import { pathOutside } from '#brand/contract/place.ts'
import type { ProjectRef } from '#brand/ids.ts'
import { equalsInConstantTime } from '#platform/base/bytes.ts'
import { andThen, firstOf, type MaybePromise, once } from '#platform/base/promise.ts'
import { withoutLastSlash } from '#platform/base/text.ts'
import { type Found, lookUp } from '#platform/caches/found.ts'
import { memoryOf } from '#platform/caches/memory.ts'
import { cookieValues, type Place, type Request } from '#platform/exchange/message.ts'
import { setCookie } from '#platform/exchange/own-cookie.ts'
import { findLiveShare, findLiveShareBySecret, type LiveShareRecord, listLiveHashes } from '#store/access/shares.ts'
import type { AccessContext } from '../context.ts'
import { memoryLimit } from '../limit/limit-memory.ts'
import { linkHash, type ShareKind } from './shares.ts'

/** Verifies links to published guides and, in `drafts`, links to drafts. Neither kind opens the other content. */
export type Shares = LinkVerifier & {
  drafts: LinkVerifier
  /** Clears the cached links. Afterwards, revoked links and their cookies no longer work. */
  forget: () => void
}

/** Verifies the share links of one kind and their cookies. Links are read on demand and kept in memory. */
type LinkVerifier = {
  /** Returns the `Set-Cookie` values if this is the secret of a link to this project; otherwise undefined. */
  redeem: (
    request: Request,
    workspace: string,
    project: string,
    linkSecret: string,
  ) => Promise<readonly string[] | undefined>
  /**
   * The admission of a request that has the cookie of a link to this instance of a project; otherwise undefined.
   * `instance` returns undefined if the project does not exist. It is called, and a link is looked up, only for a cookie
   * that proves the link, so that the response time does not reveal which projects exist.
   */
  admission: (
    request: Request,
    workspace: string,
    project: string,
    instance: () => MaybePromise<string | undefined>,
  ) => MaybePromise<Admission | undefined>
}

/** A proof that a request may see a project, and the link that it used; a copy of a guide has no links. */
export type Admission = { link?: Pick<LiveShareRecord, 'id' | 'name' | 'createdAt' | 'expiresAt' | 'mayApprove'> }

export function openShares(context: AccessContext): Shares {
  const { forget, ...links } = openLinks(context)
  return { ...linkVerifier(context, links, 'guide'), drafts: linkVerifier(context, links, 'draft'), forget }
}

type Links = {
  byId: (id: string) => MaybePromise<LiveShareRecord | undefined>
  byHash: (hash: string) => Promise<LiveShareRecord | undefined>
}

/** Finds links in memory, or in the store. Invented links cost few queries. */
function openLinks({ database, clock, caches }: AccessContext): Links & { forget: () => void } {
  const cachedLinks = caches.open<Found<LiveShareRecord>>('shares')
  const readHashes = () => once(async () => new Set(await listLiveHashes(database, new Date(clock()))))
  // The hashes of all live links, which distinguish most invented links without a query.
  let hashes = readHashes()
  // A link may be newer than the hashes, so others are looked up too: at most four in a second, so that invented links
  // do not load the store.
  const unknownLinks = memoryLimit({ requests: 4, seconds: 1 })
  // Ids and hashes of links differ in length, so they never collide.
  return {
    byId: id => lookUp(cachedLinks, id, () => findLiveShare(database, id, new Date(clock()))),
    byHash: async hash => {
      const liveHashes = await hashes()
      const read = () => findLiveShareBySecret(database, hash, new Date(clock()))
      if (liveHashes.has(hash)) return lookUp(cachedLinks, hash, read)
      // An invented link, or one that is newer than the hashes. Only a link that exists is cached.
      const cachedLink = await cachedLinks.make(hash, async () => {
        const link = unknownLinks.spend('links', clock()).isAllowed ? await read() : undefined
        if (link) liveHashes.add(hash)
        return link && { value: { value: link }, bytes: memoryOf(link) }
      })
      return cachedLink?.value
    },
    forget: () => {
      hashes = readHashes()
      cachedLinks.drop(() => true)
    },
  }
}

function linkVerifier(context: AccessContext, { byId, byHash }: Links, kind: ShareKind): LinkVerifier {
  const { identity, clock, record, markUse } = context
  const cookiesFor = openCookies(context, kind)
  const isOfKind = ({ isDraft }: LiveShareRecord) => isDraft === (kind === 'draft')
  return {
    redeem: async (request, workspace, project, linkSecret) => {
      const share = await byHash(linkHash(linkSecret, identity.shareSecret, kind))
      const nowMs = clock()
      const expiresAt = share?.expiresAt.getTime() ?? 0
      const isOfProject = share?.workspace === workspace && share.project === project && isOfKind(share)
      if (isOfProject && nowMs < expiresAt) {
        markUse?.('share', share.id, nowMs)
        return cookiesFor(request).set({ id: share.id, workspace, project, expiresAt }, nowMs)
      }
      record({ event: 'share-refused', address: request.address, ...(share && { share: share.id }) })
      return undefined
    },
    admission: (request, workspace, project, instanceOf) => {
      const cookie = request.headers.cookie
      if (cookie === undefined) return undefined
      const ids = cookiesFor(request).proven(cookie, { workspace, project }, clock())
      const admitted = (link: LiveShareRecord) =>
        andThen(instanceOf(), instance => {
          if (link.instance !== instance) return undefined
          markUse?.('share', link.id, clock())
          return { link }
        })
      return firstOf(ids, id => andThen(byId(id), link => (link && isOfKind(link) ? admitted(link) : undefined)))
    },
  }
}

/** `expiresAt` is in milliseconds since 1970. */
export type LiveShare = ProjectRef & { id: string; expiresAt: number }

/** Cookies of share links of one kind. Each is for one project, and proves that the browser used the link. */
type ShareCookies = {
  /**
   * Makes the `Set-Cookie` values for a link, valid until the link expires: one for the path of the guide, and one for
   * its home page as Markdown, `{project}.md`, which is not below that path (RFC 6265 §5.1.4).
   */
  set: (share: LiveShare, nowMs: number) => readonly string[]
  /** Returns the ids of unexpired links for this project that a `Cookie` field proves. */
  proven: (cookies: string, ref: ProjectRef, nowMs: number) => readonly string[]
}

function openCookies({ identity, publicUrl }: AccessContext, kind: ShareKind): (request: Request) => ShareCookies {
  const { shareSecret: secret } = identity
  const secureUrl = publicUrl.replace(/^http:/, 'https:')
  const plainCookies = shareCookies(publicUrl, secret, kind)
  const secureCookies = shareCookies(secureUrl, secret, kind)
  return ({ isHttps, place }) => {
    if (place) return shareCookies(isHttps ? secureUrl : publicUrl, secret, kind, place)
    return isHttps ? secureCookies : plainCookies
  }
}

/**
 * Makes cookies for a public URL or a host, signed with `secret`. Browsers accept `__Secure-` cookies only over https (RFC
 * 6265bis §4.1.3.1), so a network attacker cannot replace one. A cookie of one kind never has the name, the path or the
 * signature of another.
 */
export function shareCookies(publicUrl: string, secret: Uint8Array, kind: ShareKind, place?: Place): ShareCookies {
  const { protocol, pathname } = new URL(publicUrl)
  const secure = protocol === 'https:'
  const base = withoutLastSlash(pathname)
  const { name, label, below } = FORMS[kind]
  const nameOf = ({ workspace, project }: ProjectRef) => `${secure ? '__Secure-' : ''}${name}_${workspace}_${project}`
  const signed = ({ workspace, project, id, expiresAt }: LiveShare) => {
    const parts = [workspace, project, id, expiresAt, ...(place ? [place.host] : [])]
    const mac = createHmac('sha256', secret).update(`${label} ${JSON.stringify(parts)}`)
    return `${id}.${expiresAt}.${mac.digest('base64url')}`
  }
  const pathsOf = ({ workspace, project }: LiveShare) => {
    const root = `/${workspace}/${project}${below}`
    const path = place ? pathOutside(place, root) : base + root
    return path === '' ? ['/'] : [path, `${path}.md`]
  }
  return {
    set: (share, nowMs) => {
      const maxAge = Math.ceil((share.expiresAt - nowMs) / 1000)
      return pathsOf(share).map(path => setCookie({ name: nameOf(share), value: signed(share), path, secure, maxAge }))
    },
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
