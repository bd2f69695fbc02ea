import { createHmac, randomBytes } from 'node:crypto'
import { equalsInConstantTime } from '../../base/bytes.ts'
import { andThen, type MaybePromise } from '../../base/promise.ts'
import type { Cache } from '../../caches/cache.ts'
import type { Caches } from '../../caches/caches.ts'
import { memoryOf } from '../../caches/memory.ts'
import type { Request } from '../../exchange/message.ts'
import { addSession, endSession, findLiveSession, type SessionRecord } from '../../store/access/sessions.ts'
import { recordChange } from '../../store/catalogue/changes.ts'
import type { Database } from '../../store/database/database.ts'
import { type SessionSecret, sessionCookies } from './session-cookie.ts'

/** A person who is signed in to a workspace. */
export type Person = Pick<
  SessionRecord,
  | 'id'
  | 'workspace'
  | 'signin'
  | 'subject'
  | 'name'
  | 'email'
  | 'projects'
  | 'drafts'
  | 'issuerTokens'
  | 'createdAt'
  | 'expiresAt'
>

/** A session that is to begin now. */
export type NewSession = Omit<SessionRecord, 'id' | 'secretHash' | 'createdAt'>

/** Starts, verifies and ends the sessions of people. Sessions are read on demand and kept in memory. */
export type Sessions = {
  /** The person whose live session for this workspace the request proves; otherwise undefined. */
  person: (request: Request, workspace: string) => MaybePromise<Person | undefined>
  /** Stores a new session, and returns its `Set-Cookie` value. */
  start: (request: Request, session: NewSession) => Promise<string>
  /** Ends the session that the request proves, in every process. Returns its person, and the `Set-Cookie` value that removes the cookie. */
  end: (request: Request, workspace: string) => Promise<{ person: Person | undefined; setCookie: string }>
  /** Clears the cached sessions. Afterwards, ended sessions no longer work. */
  forget: () => void
}

/** `secret` keys the hashes of cookie secrets and signs the cookies. */
export type SessionVerifierParts = {
  database: Database
  secret: Uint8Array
  /** Without a trailing slash. */
  publicUrl: string
  clock: () => number
  caches: Caches
}

export function openSessions({ database, secret, publicUrl, clock, caches }: SessionVerifierParts): Sessions {
  const [plain, secure] = [sessionCookies(false, secret), sessionCookies(true, secret)]
  const cookiesFor = ({ isHttps = false }: Request) => (isHttps || publicUrl.startsWith('https:') ? secure : plain)
  const cached = caches.open<CachedSession>('sessions')
  const find = (id: string) => lookUp(cached, id, () => findLiveSession(database, id, new Date(clock())))
  const person = (request: Request, workspace: string) => {
    const { cookie } = request.headers
    if (cookie === undefined) return undefined
    const matches = (session: SessionRecord | undefined, given: SessionSecret) =>
      session?.workspace === workspace &&
      clock() < session.expiresAt.getTime() &&
      equalsInConstantTime(session.secretHash, secretHash(given.secret, secret))
        ? session
        : undefined
    return firstOf(cookiesFor(request).signed(cookie, workspace), given =>
      andThen(find(given.id), session => matches(session, given)),
    )
  }
  return {
    person,
    start: async (request, session) => {
      const made = { id: randomBytes(16).toString('hex'), secret: randomBytes(32).toString('base64url') }
      const nowMs = clock()
      const record = {
        ...session,
        id: made.id,
        secretHash: secretHash(made.secret, secret),
        createdAt: new Date(nowMs),
      }
      await database.transaction(queries => addSession(queries, record))
      return cookiesFor(request).set(session.workspace, made, session.expiresAt.getTime() - nowMs)
    },
    end: async (request, workspace) => {
      const ended = await person(request, workspace)
      if (ended)
        await database.transaction(async queries => {
          await endSession(queries, ended.id, new Date(clock()))
          await recordChange(queries, undefined)
        })
      if (ended) cached.drop(id => id === ended.id)
      return { person: ended, setCookie: cookiesFor(request).clear(workspace) }
    },
    forget: () => cached.drop(() => true),
  }
}

/** Hashes a cookie's secret. The secret has 256 random bits, so a fast hash suffices. */
function secretHash(cookieSecret: string, secret: Uint8Array): string {
  return createHmac('sha256', secret).update(`session ${cookieSecret}`).digest('base64url')
}

/** A cached session; undefined if it has ended. */
type CachedSession = { session: SessionRecord | undefined }

/** Reads a session from memory or from the store. */
function lookUp(
  cached: Cache<CachedSession>,
  id: string,
  read: () => Promise<SessionRecord | undefined>,
): MaybePromise<SessionRecord | undefined> {
  const known = cached.get(id)
  if (known) return known.session
  const made = cached.make(id, async () => {
    const value = { session: await read() }
    return { value, bytes: memoryOf(value) }
  })
  return made.then(value => value?.session)
}

/** The first value for one of the cookies, which are tried in turn. */
function firstOf<Value>(
  cookies: readonly SessionSecret[],
  find: (cookie: SessionSecret) => MaybePromise<Value | undefined>,
): MaybePromise<Value | undefined> {
  const [first, ...others] = cookies
  return first === undefined ? undefined : andThen(find(first), found => found ?? firstOf(others, find))
}
