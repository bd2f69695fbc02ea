import { DatabaseSync } from 'node:sqlite'
import type { Database, Queries } from '../database/database.ts'
import {
  date,
  defineRows,
  defineTable,
  flag,
  jsonObject,
  matching,
  optional,
  orNull,
  type RecordOf,
  text,
  unprinted,
} from '../database/table.ts'
import { endConnections } from './connections.ts'
import { type Coverage, PROJECTS, type SessionsOf } from './covered-projects.ts'

/** A column with the projects to which a right applies, printed as their ids, or as `all`; absent: none. */
function coverage(column: string) {
  const state = (covered: Coverage | undefined): 'all' | readonly string[] =>
    covered && !covered.projects ? 'all' : (covered?.projects ?? []).map(({ project }) => project)
  return { ...optional(jsonObject<Coverage>(column)), state }
}

/** The sessions of people, without the secrets of their cookies. */
export const SESSIONS = defineTable('session', {
  id: text('id'),
  workspace: text('workspace'),
  /** The id of the issuer's settings. */
  signin: text('signin'),
  name: orNull(text('name')),
  /** Only an address that the issuer has verified, so that each use as an identity may trust it. */
  email: orNull(text('email')),
  /** Only to be shown: anyone may have entered it at the issuer. */
  unverifiedEmail: optional(text('unverified_email')),
  projects: PROJECTS,
  /** Whether the person may also see the drafts of these projects. */
  drafts: flag('drafts'),
  /** The projects that the person manages or edits; absent: none. They may also see the drafts of these. */
  manages: coverage('manages'),
  edits: coverage('edits'),
  createdAt: date('created_at'),
  expiresAt: date('expires_at'),
  /** The last request with its cookie, to a few minutes; absent: no cookie opens it, or it has not been used. */
  usedAt: orNull(date('used_at')),
  /** The browser and the system in which the person signed in; absent if neither is known. */
  browser: optional(text('browser')),
  /** HMAC-SHA256 of the cookie's secret, in base64url. */
  secretHash: unprinted(text('secret_hash')),
  /** HMAC-SHA256 of the issuer and its subject, in base64url: the person in logs and tokens. */
  subject: unprinted(text('subject')),
  /** The issuer's tokens, encrypted; absent if they are not needed. */
  issuerTokens: unprinted(optional(text('issuer_tokens'))),
})

export type SessionRecord = RecordOf<typeof SESSIONS>

/** Everything that a person may see and do in a workspace. */
export type Rights = Pick<SessionRecord, 'projects' | 'drafts' | 'manages' | 'edits'>

/** Copies only the rights of a person. Rights that the person does not have are present as undefined. */
export function rightsIn({ projects, drafts, manages, edits }: Rights): Required<Rights> {
  return { projects, drafts, manages, edits }
}

/** Whether a person may see the drafts of any project. */
export function seesDrafts({ drafts, manages, edits }: Rights): boolean {
  return drafts || manages !== undefined || edits !== undefined
}

/** Adds a session, inside a transaction, and deletes sessions that ended or expired more than a day ago. */
export async function addSession(queries: Queries, session: SessionRecord): Promise<SessionRecord> {
  await queries.run('DELETE FROM session WHERE expires_at < ?', session.createdAt.getTime() - RETENTION_MS)
  await SESSIONS.add(queries, session)
  return session
}

const RETENTION_MS = 24 * 3600 * 1000

/** The live session with this id. */
export function findLiveSession(queries: Queries, id: string, now: Date): Promise<SessionRecord | undefined> {
  return SESSIONS.one(queries, `${LIVE} AND id = ?`, now.getTime(), id)
}

/** The people of all sessions with this id or address, ended ones too. */
export async function listPeople(
  queries: Queries,
  column: 'id' | 'email',
  value: string,
): Promise<{ workspace: string; subject: string }[]> {
  return PEOPLE.all(queries, `WHERE ${column} = ? GROUP BY workspace, subject`, value)
}

const PEOPLE = defineRows('session', { workspace: text('workspace'), subject: text('subject') })

/**
 * The live sessions of a workspace or a person, or all, newest first, except those without a request for `idleMs`
 * milliseconds.
 */
export function listLiveSessions(
  queries: Queries,
  now: Date,
  idleMs = now.getTime(),
  of: SessionsOf = {},
): Promise<SessionRecord[]> {
  const { workspace, subject, unverifiedEmail: unverified_email } = of
  const [where, ...values] = matching({ workspace, subject, unverified_email })
  const rest = `${LIVE} AND (used_at IS NULL OR used_at > ?) AND ${where} ORDER BY created_at DESC, id`
  return SESSIONS.all(queries, rest, now.getTime(), now.getTime() - idleMs, ...values)
}

/**
 * Records when sessions were used, in one transaction. A later recorded use stays, and unknown sessions are ignored. No
 * process needs to know, so this records no change, and a power failure may lose it.
 */
export async function recordSessionUses(
  database: Database,
  uses: readonly { id: string; usedMs: number }[],
): Promise<void> {
  // In order, so that two processes never wait for each other's rows.
  const inOrder = uses.toSorted((one, other) => (one.id < other.id ? -1 : 1))
  const sql = 'UPDATE session SET used_at = ? WHERE id = ? AND (used_at IS NULL OR used_at < ?)'
  await database.transaction(
    async queries => {
      for (const { id, usedMs } of inOrder) await queries.run(sql, usedMs, id, usedMs)
    },
    { durable: false },
  )
}

const LIVE = 'WHERE ended_at IS NULL AND expires_at > ?'

/** A person who signs in by certain settings of an issuer. */
type SessionPerson = Pick<SessionRecord, 'workspace' | 'subject' | 'signin'>

/**
 * Gives the live sessions of a person these rights, which are newer, inside a transaction; without rights, they end.
 * Returns their number.
 */
export async function changeRights(
  queries: Queries,
  { workspace, subject, signin }: SessionPerson,
  rights: Rights | undefined,
  now: Date,
): Promise<number> {
  const person = 'AND workspace = ? AND subject = ? AND signin = ?'
  const live = await SESSIONS.all(queries, `${LIVE} ${person}`, now.getTime(), workspace, subject, signin)
  for (const { id } of live)
    if (rights) await SESSIONS.set(queries, rightsIn(rights), 'WHERE id = ?', id)
    else await endSession(queries, id, now)
  return live.length
}

/**
 * Ends live sessions of a person and everything that depends on them, inside a transaction: the one with an id, or all
 * except one, also those without a request for long. Returns their number.
 */
export function endSessionsOfPerson(
  queries: Queries,
  { workspace, subject }: Pick<SessionRecord, 'workspace' | 'subject'>,
  those: { id: string } | { except: string },
  now: Date,
): Promise<number> {
  const [comparison, id] = 'id' in those ? ['=', those.id] : ['<>', those.except]
  const which = `AND workspace = ? AND subject = ? AND id ${comparison} ?`
  return endLive(queries, which, [workspace, subject, id], now)
}

/** Ends the live sessions whose column has this value, or all, and their connections, inside a transaction. Returns their number. */
export function endSessionsOf(queries: Queries, of: SessionColumn | 'all', now: Date): Promise<number> {
  return of === 'all' ? endLive(queries, '', [], now) : endLive(queries, `AND ${of.column} = ?`, [of.value], now)
}

type SessionColumn = { column: 'id' | 'signin' | 'email'; value: string }

async function endLive(queries: Queries, which: string, values: readonly string[], now: Date): Promise<number> {
  const live = await IDS.all(queries, `${LIVE} ${which}`, now.getTime(), ...values)
  for (const { id } of live) await endSession(queries, id, now)
  return live.length
}

const IDS = defineRows('session', { id: text('id') })

/** Ends a session and everything that depends on it, inside a transaction; false if it had ended before. */
export async function endSession(queries: Queries, id: string, now: Date): Promise<boolean> {
  const sql = 'UPDATE session SET ended_at = ?, issuer_tokens = NULL WHERE id = ? AND ended_at IS NULL'
  const changed = await queries.run(sql, now.getTime(), id)
  await endConnections(queries, { column: 'session', value: id }, now)
  return changed > 0
}

/**
 * Erases from the copy of a catalogue in a SQLite file: sessions, connections and their codes, waiting mail, books, and the
 * record of its backup. Their bytes are overwritten, so that no one can read them in the file. Tokens of connections are
 * revoked there, because a token without a row is valid until it expires.
 */
export function eraseSessions(path: string, now: Date): void {
  using database = new DatabaseSync(path)
  database.exec('PRAGMA secure_delete = ON; BEGIN')
  database
    .prepare('UPDATE token SET revoked_at = ?, connection = NULL WHERE connection IS NOT NULL AND revoked_at IS NULL')
    .run(now.getTime())
  database.exec('DELETE FROM authorization_state; DELETE FROM connection; DELETE FROM session')
  // A restored store must not send it again.
  database.exec('DELETE FROM mail; DELETE FROM book; DELETE FROM unfinished_backup; COMMIT')
}
