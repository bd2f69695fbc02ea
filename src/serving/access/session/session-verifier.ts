import { createHmac, randomBytes } from 'node:crypto'
import { equalsInConstantTime } from '#platform/base/bytes.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { andThen, firstOf, type MaybePromise } from '#platform/base/promise.ts'
import { memoize } from '#platform/base/text.ts'
import type { Cache } from '#platform/caches/cache.ts'
import { type Found, lookUp } from '#platform/caches/found.ts'
import { cookieValues, type Request } from '#platform/exchange/message.ts'
import { isSecure, setCookie } from '#platform/exchange/own-cookie.ts'
import { moveConnections } from '#store/access/connections.ts'
import type { SessionsOf } from '#store/access/covered-projects.ts'
import {
  addSession,
  endSession,
  findLiveSession,
  listLiveSessions,
  type SessionRecord,
} from '#store/access/sessions.ts'
import { recordChange } from '#store/catalogue/changes.ts'
import type { Database, Queries } from '#store/database/database.ts'
import type { AccessContext } from '../context.ts'
import { browserName } from './browser-name.ts'
import { endLostRights } from './exercised-rights.ts'
import { HANDOVER_MS, handoverCode, readHandover, takeSession } from './session-handover.ts'
import type { SessionUses } from './session-uses.ts'

/** A signed-in person. The id is empty if a proxy names them, who then has no session. */
export type Person = Omit<SessionRecord, 'secretHash' | 'usedAt'>

/** Why the rules of a workspace refuse a person. */
export type RuleProblem = 'not-allowed' | 'email-unverified' | 'groups-cut'

/** A person whose account is genuine, but whom the rules of a workspace refuse. */
export type RefusedPerson = {
  /** Their address or name; absent if the issuer sends neither. */
  account?: string
  problem: RuleProblem
}

export type NewSession = Omit<SessionRecord, 'id' | 'secretHash' | 'createdAt' | 'usedAt' | 'browser'>

/**
 * Starts, verifies and ends the sessions of people. Sessions are read on demand and kept in memory. One without a
 * request for too long proves no one, but programs that depend on it continue.
 */
export type Sessions = {
  /** The person whose live session for this workspace the request proves; otherwise undefined. */
  person: (request: Request, workspace: string) => MaybePromise<Person | undefined>
  people: (request: Request) => Promise<readonly Person[]>
  /** Whether the request has the genuine cookie of a session for this workspace, which may have ended. */
  hasCookie: (request: Request, workspace: string) => boolean
  /** The live sessions of a workspace, or of a person in it, newest first. */
  live: (of: SessionsOf) => Promise<readonly SessionRecord[]>
  /**
   * Stores a new session, and returns its `Set-Cookie` value. The session that the request proves ends in every process;
   * the programs of the same person continue with the new one.
   */
  start: (request: Request, session: NewSession) => Promise<string>
  /** Stores a new session for a host, and returns the code with which the browser fetches its cookie there, in a minute. */
  handOver: (host: string, session: NewSession) => Promise<string>
  /**
   * Takes over a session with its code, once, at the host for which it was made. Returns its `Set-Cookie` value, and ends
   * the earlier session there as `start` does. Undefined for any other code.
   */
  takeOver: (request: Request, workspace: string, code: string) => Promise<string | undefined>
  /** Stores a session, which no cookie opens, for a person whom a proxy names; others are returned unchanged. */
  keep: (person: Person, expiresAt: Date) => Promise<Person>
  /** Ends the session that the request proves. Returns its person, and the `Set-Cookie` that removes the cookie. */
  end: (request: Request, workspace: string) => Promise<{ person: Person | undefined; setCookie: string }>
  forget: () => void
}

/** Opens the sessions; without `uses`, they have no limit except their expiry. */
export function openSessions(context: AccessContext, uses?: SessionUses): Sessions {
  const { database, clock } = context
  const cookiesFor = openCookies(context)
  const proofs = openProofs(context, cookiesFor, uses)
  const { proved, person, drop } = proofs
  return {
    person,
    people: async request => {
      const workspaces = cookiesFor(request).workspaces(request.headers.cookie ?? '')
      const people = await Promise.all(workspaces.map(workspace => person(request, workspace)))
      return people.filter(each => each !== undefined)
    },
    hasCookie: (request, workspace) => cookiesFor(request).signed(request.headers.cookie ?? '', workspace).length > 0,
    live: of => listLiveSessions(database, new Date(clock()), uses?.endsAfterMs, of),
    ...beginnings(context, cookiesFor, proofs),
    end: async (request, workspace) => {
      const ended = (await proved(request, workspace))?.session
      if (ended) await database.transaction(queries => endStored(queries, ended.id, new Date(clock())))
      if (ended) drop(id => id === ended.id)
      return { person: ended, setCookie: cookiesFor(request).clear(workspace) }
    },
    forget: () => drop(() => true),
  }
}

/** The functions that give people sessions: each makes a secret, stores its hash, and gives the secret to the browser. */
function beginnings(
  context: AccessContext,
  cookiesFor: (request: Request) => SessionCookies,
  proofs: Proofs,
): Pick<Sessions, 'start' | 'handOver' | 'takeOver' | 'keep'> {
  const { database, clock } = context
  const parts = newSessions(context, cookiesFor)
  return {
    start: async (request, session) => {
      const newSecret = randomSecret()
      const record = { ...parts.record(session, newSecret), usedAt: new Date(clock()), ...browserOf(request) }
      await replaceProved(database, proofs, request, record, queries => addSession(queries, record))
      await endLostRights(context, session)
      return parts.cookie(request, newSecret, record)
    },
    keep: async (named, expiresAt) => {
      if (named.id !== '') return named
      const newSecret = randomSecret()
      await parts.store({ ...named, expiresAt }, newSecret)
      return { ...named, id: newSecret.id, expiresAt }
    },
    ...handovers(context, parts, proofs),
  }
}

/** The functions that give a session to the browser of a person at another host. */
function handovers(
  context: AccessContext,
  { store, cookie }: NewSessions,
  proofs: Proofs,
): Pick<Sessions, 'handOver' | 'takeOver'> {
  const { database, clock } = context
  const { shareSecret: key } = context.identity
  return {
    handOver: async (host, session) => {
      const newSecret = randomSecret()
      // The stored session ends with its code. `takeOver` gives it the end that the code contains.
      await store({ ...session, expiresAt: new Date(clock() + HANDOVER_MS) }, newSecret)
      await endLostRights(context, session)
      const { workspace, expiresAt } = session
      return handoverCode(key, { ...newSecret, host, workspace, endsMs: expiresAt.getTime() })
    },
    takeOver: async (request, workspace, code) => {
      const handover = readHandover(key, code, { host: request.place?.host ?? '', workspace })
      if (!handover) return undefined
      // The cookie has a new secret, so that the code opens nothing afterwards.
      const newSecret = { id: handover.id, secret: randomSecret().secret }
      const hashes = { ofCode: secretHash(handover.secret, key), ofCookie: secretHash(newSecret.secret, key) }
      const use = { usedAt: new Date(clock()), ...browserOf(request) }
      const take = (queries: Queries) => takeSession(queries, handover, hashes, use)
      const taken = await replaceProved(database, proofs, request, handover, take)
      return taken && cookie(request, newSecret, taken)
    },
  }
}

type NewSessions = ReturnType<typeof newSessions>

/** Makes the parts of new sessions: the record, which has only a hash of the secret, and the cookie with the secret. */
function newSessions({ database, identity, clock }: AccessContext, cookiesFor: (request: Request) => SessionCookies) {
  const record = (session: NewSession, { id, secret }: SessionSecret): SessionRecord => {
    return { ...session, id, secretHash: secretHash(secret, identity.shareSecret), createdAt: new Date(clock()) }
  }
  return {
    record,
    store: (session: NewSession, newSecret: SessionSecret) =>
      database.transaction(queries => addSession(queries, record(session, newSecret))),
    cookie: (request: Request, newSecret: SessionSecret, { workspace, expiresAt }: SessionRecord) =>
      cookiesFor(request).set(workspace, newSecret, expiresAt.getTime() - clock()),
  }
}

function browserOf({ headers }: Request): Pick<SessionRecord, 'browser'> {
  return withoutUndefined({ browser: browserName(headers['user-agent']) })
}

/** Saves a session for the cookie of a request, and ends the one that the request proves until then. */
async function replaceProved(
  database: Database,
  { proved, drop }: Proofs,
  request: Request,
  { id, workspace }: Pick<SessionRecord, 'id' | 'workspace'>,
  save: (queries: Queries) => Promise<SessionRecord | undefined>,
): Promise<SessionRecord | undefined> {
  const earlier = (await proved(request, workspace))?.session
  const saved = await database.transaction(async queries => {
    const session = await save(queries)
    if (session && earlier?.subject === session.subject) await moveConnections(queries, earlier.id, id)
    if (session && earlier) await endStored(queries, earlier.id, session.createdAt)
    return session
  })
  drop(each => each === id || each === earlier?.id)
  return saved
}

type Proofs = ReturnType<typeof openProofs>

/**
 * A session in memory. `isIdle`: it had no request for too long when it was read. Nobody can use it again, so later
 * requests with its cookie are refused without a query.
 */
type KnownSession = { session: SessionRecord; isIdle: boolean }

/**
 * Finds the people whose sessions a request proves. `proved` also finds an idle session, `person` does not, and counts the
 * request as a use of the session.
 */
function openProofs(
  context: AccessContext,
  cookiesFor: (request: Request) => SessionCookies,
  uses: SessionUses | undefined,
) {
  const cached = context.caches.open<Found<KnownSession>>('sessions')
  const find = finderIn(context, cached, uses)
  const proved = (request: Request, workspace: string): MaybePromise<KnownSession | undefined> => {
    const { cookie } = request.headers
    if (cookie === undefined) return undefined
    return firstOf(cookiesFor(request).signed(cookie, workspace), secret => find(workspace, secret))
  }
  const markUse = (known: KnownSession | undefined): SessionRecord | undefined => {
    if (!known || known.isIdle) return undefined
    uses?.mark(known.session)
    return known.session
  }
  const person = (request: Request, workspace: string): MaybePromise<SessionRecord | undefined> =>
    andThen(proved(request, workspace), known => {
      if (!known || known.isIdle || !uses?.isIdle(known.session)) return markUse(known)
      // It has become idle in memory. Another process may have recorded a later use, so it is read again.
      cached.drop(id => id === known.session.id)
      return andThen(proved(request, workspace), markUse)
    })
  return { proved, person, drop: cached.drop }
}

/** Makes the function that finds a live session of a workspace by its id, if the secret is right; reads it if needed. */
function finderIn(
  { database, identity, clock }: AccessContext,
  cached: Cache<Found<KnownSession>>,
  uses: SessionUses | undefined,
) {
  const read = (id: string) =>
    lookUp(cached, id, async () => {
      const session = await findLiveSession(database, id, new Date(clock()))
      return session && { session, isIdle: uses?.isIdle(session) ?? false }
    })
  return (workspace: string, given: SessionSecret): MaybePromise<KnownSession | undefined> =>
    andThen(read(given.id), known => {
      const session = known?.session
      const isLive = session?.workspace === workspace && clock() < session.expiresAt.getTime()
      return isLive && equalsInConstantTime(session.secretHash, secretHash(given.secret, identity.shareSecret))
        ? known
        : undefined
    })
}

async function endStored(queries: Queries, id: string, now: Date): Promise<void> {
  await endSession(queries, id, now)
  await recordChange(queries, undefined)
}

function randomSecret(): SessionSecret {
  return { id: randomBytes(16).toString('hex'), secret: randomBytes(32).toString('base64url') }
}

/** Hashes a cookie's secret with the `key` of this service. The secret has 256 random bits, so a fast hash suffices. */
function secretHash(cookieSecret: string, key: Uint8Array): string {
  return createHmac('sha256', key).update(`session ${cookieSecret}`).digest('base64url')
}

/** The id of a session, and the secret that only its cookie or code contains. */
type SessionSecret = { id: string; secret: string }

/** Cookies of sessions. Each is for one workspace, and its signature shows that this service made it. */
type SessionCookies = {
  set: (workspace: string, session: SessionSecret, remainingMs: number) => string
  clear: (workspace: string) => string
  /** Returns the sessions that a `Cookie` field names with a valid signature. They may have ended. */
  signed: (cookies: string, workspace: string) => readonly SessionSecret[]
  /** Returns the first workspaces for which a `Cookie` field has a cookie, valid or not. */
  workspaces: (cookies: string) => readonly string[]
}

function openCookies({ identity: { shareSecret }, publicUrl }: AccessContext): (request: Request) => SessionCookies {
  const plainCookies = memoize(host => sessionCookies(false, shareSecret, host))
  const secureCookies = memoize(host => sessionCookies(true, shareSecret, host))
  // The public URL has no place; its host is empty here.
  return request => (isSecure(publicUrl, request) ? secureCookies : plainCookies)(request.place?.host ?? '')
}

/**
 * Makes session cookies of a host, signed with `key`, so that an invented cookie causes no database query. Browsers accept
 * `__Host-` cookies only over https, from the host itself and for all its paths (RFC 6265bis §4.1.3.2), so neither a
 * network attacker nor a neighbouring host can replace one.
 */
function sessionCookies(isSecure: boolean, key: Uint8Array, host: string): SessionCookies {
  const prefix = `${isSecure ? '__Host-' : ''}housestyle_session_`
  const nameOf = (workspace: string) => prefix + workspace
  const sign = (workspace: string, { id, secret }: SessionSecret) => {
    const parts = [workspace, id, secret, ...(host === '' ? [] : [host])]
    const mac = createHmac('sha256', key).update(`session cookie ${JSON.stringify(parts)}`)
    return `${id}.${secret}.${mac.digest('base64url')}`
  }
  const cookie = (workspace: string, value: string, maxAge: number) =>
    setCookie({ name: nameOf(workspace), value, path: '/', secure: isSecure, maxAge })
  return {
    set: (workspace, session, remainingMs) =>
      cookie(workspace, sign(workspace, session), Math.max(0, Math.floor(remainingMs / 1000))),
    clear: workspace => cookie(workspace, '', 0),
    signed: (cookies, workspace) =>
      cookieValues(cookies, nameOf(workspace)).flatMap(value => {
        const [id = '', secret = ''] = value.split('.', 2)
        return equalsInConstantTime(value, sign(workspace, { id, secret })) ? [{ id, secret }] : []
      }),
    workspaces: cookies => {
      const names = cookies.split(';', MAX_COOKIES).map(pair => pair.trim().split('=', 1)[0] ?? '')
      const workspaces = names.filter(name => name.startsWith(prefix)).map(name => name.slice(prefix.length))
      return [...new Set(workspaces)].slice(0, MAX_WORKSPACES)
    },
  }
}

/** The number of cookies of a `Cookie` field that are read, and of workspaces among them. */
const MAX_COOKIES = 100
const MAX_WORKSPACES = 8
