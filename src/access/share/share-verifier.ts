import { andThen, type MaybePromise, once } from '../../base/promise.ts'
import { nextTurn } from '../../base/steps.ts'
import type { Cache } from '../../caches/cache.ts'
import type { Caches } from '../../caches/caches.ts'
import { type KnownIds, knownIds } from '../../caches/known-ids.ts'
import { memoryOf } from '../../caches/memory.ts'
import type { Request } from '../../exchange/message.ts'
import {
  findLiveShare,
  findLiveShareBySecret,
  type LiveShareRecord,
  listLiveHashesAfter,
} from '../../store/access/shares.ts'
import type { Database } from '../../store/database/database.ts'
import type { Audit } from '../../telemetry/access-event.ts'
import { shareCookies } from './share-cookie.ts'
import { linkHash } from './shares.ts'

/** Checks share links and their cookies. Links are read when they are asked for, and kept in memory. */
export type Shares = {
  /** The values of `Set-Cookie` if this is the secret of a link to this project; undefined if it is not. */
  redeem: (
    request: Request,
    workspace: string,
    project: string,
    linkSecret: string,
  ) => Promise<readonly string[] | undefined>
  /**
   * Whether a request has the cookie of a link to this instance of a project. `instance` gives undefined if there is no
   * such project. It is called, and a link is looked up, only for a cookie that proves the link, so that the time does
   * not tell which projects exist.
   */
  admits: (
    request: Request,
    workspace: string,
    project: string,
    instance: () => MaybePromise<string | undefined>,
  ) => MaybePromise<boolean>
  /** Forgets the links that were read. From then on, revoked links and their cookies open nothing. */
  forget: () => void
}

/** `secret` keys the hashes of links and signs their cookies. */
export type ShareVerifierParts = {
  database: Database
  secret: Uint8Array
  /** Without a trailing slash. */
  publicUrl: string
  clock: () => number
  record: Audit
  caches: Caches
}

export function openShares({ database, secret, publicUrl, clock, record, caches }: ShareVerifierParts): Shares {
  const plain = shareCookies(publicUrl, secret)
  const secure = shareCookies(publicUrl.replace(/^http:/, 'https:'), secret)
  const cookiesFor = ({ isHttps }: Request) => (isHttps ? secure : plain)
  const kept = caches.open<Kept>('shares')
  const byId = (id: string) => look(kept, id, () => findLiveShare(database, id, new Date(clock())))
  const readHashes = () => once(() => readLinks(database, new Date(clock())))
  let hashes = readHashes()
  const byLink = async (hash: string) =>
    (await hashes()).mayHave(hash)
      ? look(kept, hash, () => findLiveShareBySecret(database, hash, new Date(clock())))
      : undefined
  return {
    redeem: async (request, workspace, project, linkSecret) => {
      const share = await byLink(linkHash(linkSecret, secret))
      const nowMs = clock()
      const expiresAt = share?.expiresAt.getTime() ?? 0
      const isValid = share?.workspace === workspace && share.project === project && nowMs < expiresAt
      if (isValid) return cookiesFor(request).set({ id: share.id, workspace, project, expiresAt }, nowMs)
      record({ event: 'share-refused', address: request.address, ...(share && { share: share.id }) })
      return undefined
    },
    admits: (request, workspace, project, instance) => {
      const cookie = request.headers.cookie
      if (cookie === undefined) return false
      const ids = cookiesFor(request).proven(cookie, { workspace, project }, clock())
      const isOf = (share: LiveShareRecord) => andThen(instance(), current => share.instance === current)
      return isAny(ids, id => andThen(byId(id), share => share !== undefined && isOf(share)))
    },
    forget: () => {
      hashes = readHashes()
      kept.drop(() => true)
    },
  }
}

/** What was read of a link: nothing if it is not there, revoked or expired. */
type Kept = { share: LiveShareRecord | undefined }

/** A link that is in memory, or is read. Ids and hashes of links are never the same: they differ in length. */
function look(
  kept: Cache<Kept>,
  key: string,
  read: () => Promise<LiveShareRecord | undefined>,
): MaybePromise<LiveShareRecord | undefined> {
  const known = kept.get(key)
  if (known) return known.share
  const made = kept.make(key, async () => {
    const value = { share: await read() }
    return { value, bytes: memoryOf(value) }
  })
  return made.then(value => value?.share)
}

/** Whether something holds for one of several, asked in turn. */
function isAny(ids: readonly string[], holds: (id: string) => MaybePromise<boolean>): MaybePromise<boolean> {
  const [first, ...others] = ids
  if (first === undefined) return false
  return andThen(holds(first), found => found || isAny(others, holds))
}

/** The hashes of links, so that made-up ones are told without a question to the database; in steps, between which others are answered. */
async function readLinks(database: Database, now: Date): Promise<KnownIds> {
  const hashes = knownIds()
  for (let last = ''; ; await nextTurn()) {
    const read = await listLiveHashesAfter(database, last, now, LINKS_AT_ONCE)
    for (const { secretHash } of read) hashes.add(secretHash)
    last = read.at(-1)?.id ?? ''
    if (read.length < LINKS_AT_ONCE) return hashes
  }
}

const LINKS_AT_ONCE = 2000
