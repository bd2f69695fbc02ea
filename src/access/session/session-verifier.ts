import { createHmac, randomBytes } from 'node:crypto'
import { equalsInConstantTime } from '../../base/bytes.ts'
import { andThen, firstOf, type MaybePromise } from '../../base/promise.ts'
import type { Cache } from '../../caches/cache.ts'
import { type Found, lookUp } from '../../caches/found.ts'
import type { Request } from '../../exchange/message.ts'
import { moveConnections } from '../../store/access/connections.ts'
import { addSession, endSession, findLiveSession, type SessionRecord } from '../../store/access/sessions.ts'
import { recordChange } from '../../store/catalogue/changes.ts'
import type { Queries } from '../../store/database/database.ts'
import type { VerifierContext } from '../context.ts'
import { endLostRights } from './exercised-rights.ts'
import { type SessionSecret, sessionCookies } from './session-cookie.ts'

/** A person who is signed in to a workspace. */
export type Person = Pick<
  SessionRecord,
  /** Empty if a proxy names the person, who then has no session. */
  | 'id'
  | 'workspace'
  | 'signin'
  | 'subject'
  | 'name'
  | 'email'
  | 'projects'
  | 'drafts'
  | 'manages'
  | 'issuerTokens'
  | 'createdAt'
  | 'expiresAt'
>

/** Why the rules of a workspace refuse a person. */
export type RuleProblem = 'not-allowed' | 'email-unverified' | 'groups-cut'

/** A person whose account is genuine, but whom the rules of a workspace refuse. */
export type RefusedPerson = {
  /** Their address or name; absent if the issuer sends neither. */
  account?: string
  problem: RuleProblem
}

/** A session that is to begin now. */
type NewSession = Omit<SessionRecord, 'id' | 'secretHash' | 'createdAt'>

/** Starts, verifies and ends the sessions of people. Sessions are read on demand and kept in memory. */
export type Sessions = {
  /** The person whose live session for this workspace the request proves; otherwise undefined. */
  person: (request: Request, workspace: string) => MaybePromise<Person | undefined>
  /** The first people whose live sessions for any workspaces the request proves. */
  people: (request: Request) => Promise<readonly Person[]>
  /**
   * Stores a new session, and returns its `Set-Cookie` value. The session that the request proves ends in every process;
   * the programs of the same person continue with the new one.
   */
  start: (request: Request, session: NewSession) => Promise<string>
  /**
   * Stores a session for a person whom a proxy names, so that something may depend on it; no cookie opens it. A person
   * with a session is returned unchanged.
   */
  keep: (person: Person, expiresAt: Date) => Promise<Person>
  /**
   * Ends the session that the request proves, in every process. Returns its person, and the `Set-Cookie` value that
   * removes the cookie.
   */
  end: (request: Request, workspace: string) => Promise<{ person: Person | undefined; setCookie: string }>
  /** Clears the cached sessions. Afterwards, ended sessions no longer work. */
  forget: () => void
}

export function openSessions(context: VerifierContext): Sessions {
  const { database, identity, publicUrl, clock, caches } = context
  const { shareSecret: secret } = identity
  const [plain, secure] = [sessionCookies(false, secret), sessionCookies(true, secret)]
  const cookiesFor = ({ isHttps = false }: Request) => (isHttps || publicUrl.startsWith('https:') ? secure : plain)
  const cached = caches.open<Found<SessionRecord>>('sessions')
  const find = finderIn(context, cached)
  const person = (request: Request, workspace: string): MaybePromise<SessionRecord | undefined> => {
    const { cookie } = request.headers
    if (cookie === undefined) return undefined
    return firstOf(cookiesFor(request).signed(cookie, workspace), given => find(workspace, given))
  }
  const add = (session: NewSession, { id, secret: added }: SessionSecret, earlier?: SessionRecord) => {
    const record = { ...session, id, secretHash: secretHash(added, secret), createdAt: new Date(clock()) }
    return database.transaction(async queries => {
      await addSession(queries, record)
      if (earlier) await replaceSession(queries, earlier, record)
    })
  }
  return {
    person,
    people: async request => {
      const workspaces = cookiesFor(request).workspaces(request.headers.cookie ?? '')
      const people = await Promise.all(workspaces.map(workspace => person(request, workspace)))
      return people.filter(each => each !== undefined)
    },
    start: async (request, session) => {
      const made = randomSecret()
      const earlier = await person(request, session.workspace)
      await add(session, made, earlier)
      await endLostRights(context, session)
      if (earlier) cached.drop(id => id === earlier.id)
      return cookiesFor(request).set(session.workspace, made, session.expiresAt.getTime() - clock())
    },
    keep: async (named, expiresAt) => {
      if (named.id !== '') return named
      const made = randomSecret()
      await add({ ...named, expiresAt }, made)
      return { ...named, id: made.id, expiresAt }
    },
    end: async (request, workspace) => {
      const ended = await person(request, workspace)
      if (ended) await database.transaction(queries => endStored(queries, ended.id, new Date(clock())))
      if (ended) cached.drop(id => id === ended.id)
      return { person: ended, setCookie: cookiesFor(request).clear(workspace) }
    },
    forget: () => cached.drop(() => true),
  }
}

/** Finds the live session that a cookie names, if its secret is right. */
function finderIn({ database, identity, clock }: VerifierContext, cached: Cache<Found<SessionRecord>>) {
  const read = (id: string) => lookUp(cached, id, () => findLiveSession(database, id, new Date(clock())))
  return (workspace: string, given: SessionSecret): MaybePromise<SessionRecord | undefined> =>
    andThen(read(given.id), session => {
      const isLive = session?.workspace === workspace && clock() < session.expiresAt.getTime()
      return isLive && equalsInConstantTime(session.secretHash, secretHash(given.secret, identity.shareSecret))
        ? session
        : undefined
    })
}

async function replaceSession(queries: Queries, earlier: SessionRecord, { id, subject, createdAt }: SessionRecord) {
  if (earlier.subject === subject) await moveConnections(queries, earlier.id, id)
  await endStored(queries, earlier.id, createdAt)
}

async function endStored(queries: Queries, id: string, now: Date): Promise<void> {
  await endSession(queries, id, now)
  await recordChange(queries, undefined)
}

function randomSecret(): SessionSecret {
  return { id: randomBytes(16).toString('hex'), secret: randomBytes(32).toString('base64url') }
}

/** Hashes a cookie's secret. The secret has 256 random bits, so a fast hash suffices. */
function secretHash(cookieSecret: string, secret: Uint8Array): string {
  return createHmac('sha256', secret).update(`session ${cookieSecret}`).digest('base64url')
}
