import type { Request } from '../../exchange/message.ts'
import { liveShares } from '../../store/access/shares.ts'
import type { Database } from '../../store/database/database.ts'
import type { Audit } from '../../telemetry/access-event.ts'
import { type LiveShare, shareCookies } from './share-cookie.ts'
import { linkHash } from './shares.ts'

/** Checks share links and their cookies, in memory, so that no request waits for the store. */
export type Shares = {
  /** The values of `Set-Cookie` if this is the secret of a link to this project; undefined if it is not. */
  redeem: (request: Request, workspace: string, project: string, linkSecret: string) => readonly string[] | undefined
  /**
   * Whether a request has the cookie of a link to this instance of a project. `instance` is undefined if there is no
   * such project. The check takes as long either way, so that its time does not reveal whether the project exists.
   */
  admits: (request: Request, workspace: string, project: string, instance: string | undefined) => boolean
  /** Reads the links again. From then on, revoked links and their cookies open nothing. */
  refresh: () => Promise<void>
}

/** `secret` keys the hashes of links and signs their cookies. */
export type ShareVerifierParts = {
  database: Database
  secret: Uint8Array
  /** Without a trailing slash. */
  publicUrl: string
  clock: () => number
  record: Audit
}

export async function openShares({ database, secret, publicUrl, clock, record }: ShareVerifierParts): Promise<Shares> {
  const plain = shareCookies(publicUrl, secret)
  const secure = shareCookies(publicUrl.replace(/^http:/, 'https:'), secret)
  const cookiesFor = ({ isHttps }: Request) => (isHttps ? secure : plain)
  let live = await readLive(database, clock())
  return {
    redeem: (request, workspace, project, linkSecret) => {
      const nowMs = clock()
      const share = live.byHash.get(linkHash(linkSecret, secret))
      const isValid = share?.workspace === workspace && share.project === project && nowMs < share.expiresAt
      if (isValid) return cookiesFor(request).set(share, nowMs)
      record({ event: 'share-refused', address: request.address, ...(share && { share: share.id }) })
      return undefined
    },
    admits: (request, workspace, project, instance) => {
      const cookie = request.headers.cookie
      const find = (id: string) => {
        const share = live.byId.get(id)
        return share?.instance === instance ? share : undefined
      }
      return cookie !== undefined && cookiesFor(request).has(cookie, { workspace, project }, find, clock())
    },
    refresh: async () => {
      live = await readLive(database, clock())
    },
  }
}

type KnownShare = LiveShare & { instance: string }
type Live = { byId: ReadonlyMap<string, KnownShare>; byHash: ReadonlyMap<string, KnownShare> }

async function readLive(database: Database, nowMs: number): Promise<Live> {
  const byId = new Map<string, KnownShare>()
  const byHash = new Map<string, KnownShare>()
  for (const { secretHash, expiresAt, ...row } of await liveShares(database, new Date(nowMs))) {
    const share = { ...row, expiresAt: expiresAt.getTime() }
    byId.set(share.id, share)
    byHash.set(secretHash, share)
  }
  return { byId, byHash }
}
