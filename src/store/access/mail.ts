import { randomBytes } from 'node:crypto'
import type { ProjectRef } from '#brand/ids.ts'
import { LANGUAGES } from '#brand/languages.ts'
import { field, isObject, pick } from '#platform/base/object.ts'
import { recordChange } from '../catalogue/changes.ts'
import type { Database, Queries } from '../database/database.ts'
import {
  address,
  choice,
  date,
  defineRows,
  defineTable,
  flag,
  isStringList,
  json,
  jsonObject,
  optional,
  type RecordOf,
  strings,
  text,
  whole,
} from '../database/table.ts'
import { type Rights, rightsIn, type SessionRecord, seesDrafts } from './sessions.ts'

/** The kinds of mail: a draft waits, a reviewer has answered, a publication failed, or the rights to files end soon. */
export const MAIL_KINDS = ['draft', 'answer', 'failed', 'rights'] as const
export type MailKind = (typeof MAIL_KINDS)[number]

/** The people of a workspace who asked for mail. Nobody else gets any. */
export const CHOICES = defineTable('mail_choice', {
  workspace: text('workspace'),
  /** The person, as in sessions. */
  subject: text('subject'),
  signin: text('signin'),
  email: address('email'),
  lang: text('lang'),
  /** A newer version may have others. */
  kinds: strings('kinds'),
  /** Their rights at the latest sign-in. */
  rights: jsonObject<Rights>('rights'),
  seenAt: date('seen_at'),
  chosenAt: date('chosen_at'),
})

export type MailChoice = RecordOf<typeof CHOICES>

/** Choices that this version would save, for `doctor`. */
export const KNOWN_CHOICES = defineRows(
  'mail_choice',
  {
    kinds: json('kinds', 'a JSON list of kinds of mail', isKinds),
    lang: text('lang', 'a language of the website', tag => LANGUAGES.includes(tag.slice(0, 2))),
    rights: json('rights', 'the rights of somebody who may see drafts', isRights),
  },
  'mail_choice',
)

function isRights(value: unknown): boolean {
  const drafts = field(value, 'drafts')
  const coverages = ['manages', 'edits'].map(name => field(value, name))
  const areRights = typeof drafts === 'boolean' && coverages.every(right => isObject(right ?? {}))
  return areRights && [drafts, ...coverages].some(Boolean)
}

function isKinds(value: unknown): boolean {
  return isStringList(value) && value.every(each => MAIL_KINDS.some(kind => kind === each))
}

/** Mail that waits, and the latest of each kind that was sent. */
export const MAILS = defineTable('mail', {
  id: text('id'),
  workspace: text('workspace'),
  project: text('project'),
  subject: text('subject'),
  kind: choice('kind', ...MAIL_KINDS),
  /** Why a publication failed, or the number of the first notice about rights; of other mail, the store has the content. */
  reason: optional(text('reason')),
  createdAt: date('created_at'),
  /** When it is due; during an attempt, the end of its lease. Absent: it was sent. */
  nextAt: optional(date('next_at')),
  attempts: whole('attempts'),
})

export type MailRecord = RecordOf<typeof MAILS>

type MailPerson = Pick<MailChoice, 'workspace' | 'subject'>

/** What a person has chosen; undefined if they get no mail. */
export async function findMailChoice(
  queries: Queries,
  { workspace, subject }: MailPerson,
): Promise<MailChoice | undefined> {
  return CHOICES.one(queries, `WHERE ${OF_PERSON}`, workspace, subject)
}

const OF_PERSON = 'workspace = ? AND subject = ?'

/** Saves what a person has chosen, inside a transaction. */
export async function saveMailChoice(queries: Queries, record: MailChoice): Promise<void> {
  await queries.run(`DELETE FROM mail_choice WHERE ${OF_PERSON}`, record.workspace, record.subject)
  await CHOICES.add(queries, record)
}

/** Ends the mail of people, inside a transaction. `where` is about a row of `mail_choice`. */
export async function endMail(queries: Queries, where: string, ...values: string[]): Promise<void> {
  const subjects = `SELECT subject FROM mail_choice c WHERE c.workspace = mail.workspace AND ${where}`
  await queries.run(`DELETE FROM mail WHERE subject IN (${subjects})`, ...values)
  await queries.run(`DELETE FROM mail_choice WHERE ${where}`, ...values)
}

/** Ends the mail of one person, inside a transaction. */
export function endMailOf(queries: Queries, { workspace, subject }: MailPerson): Promise<void> {
  return endMail(queries, OF_PERSON, workspace, subject)
}

/** A person with the rights of a new sign-in, or after another answer of their issuer. */
type RenewedPerson = MailPerson & Rights & Pick<SessionRecord, 'email' | 'unverifiedEmail' | 'signin'>

/** Gives the choice of a person their newer rights and address, inside a transaction. Without rights or a verified address, it ends. */
export async function renewMailChoice(queries: Queries, person: RenewedPerson, seenAt: Date): Promise<void> {
  const { workspace, subject, signin, email, unverifiedEmail } = person
  const where = `${OF_PERSON} AND signin = ?`
  if (!seesDrafts(person) || unverifiedEmail !== undefined) return endMail(queries, where, workspace, subject, signin)
  const changes = { rights: rightsIn(person), seenAt, ...(email !== undefined && { email }) }
  await CHOICES.set(queries, changes, `WHERE ${where}`, workspace, subject, signin)
}

/** What a mail is about. `except` has done it, and needs no mail. */
type MailEvent = { now: Date; reason?: string; except?: string }

/**
 * Adds a mail for everyone who asked for this kind, inside the transaction of its event. It takes the place of an earlier
 * one about the project, so that many events are one mail; a failure for the same reason adds none.
 */
export async function addMail(
  queries: Queries,
  kind: MailKind,
  { workspace, project }: ProjectRef,
  { now, reason, except }: MailEvent,
): Promise<void> {
  const choices = await CHOICES.sound(queries, 'WHERE workspace = ?', workspace)
  const readers = choices.filter(({ subject, kinds }) => kinds.includes(kind) && subject !== except)
  for (const { subject } of readers) {
    const where = `WHERE ${ABOUT} AND subject = ?`
    const [earlier] = await MAILS.sound(queries, where, workspace, project, kind, subject)
    if (reason !== undefined && earlier?.reason === reason) continue
    await queries.run(`DELETE FROM mail ${where}`, workspace, project, kind, subject)
    // A mail about rights that waits also reports the notices from its first one, which is its reason.
    const extendsEarlier = kind === 'rights' && earlier?.nextAt !== undefined
    const about = { workspace, project, subject, kind, reason: extendsEarlier ? earlier.reason : reason }
    await MAILS.add(queries, { id: randomBytes(12).toString('hex'), ...about, ...waiting(earlier, now) })
  }
  if (readers.length > 0) await recordChange(queries, workspace, project)
}

const ABOUT = 'workspace = ? AND project = ? AND kind = ?'

/**
 * The times of a mail that takes the place of an earlier one: if that still waits, its own, which during an attempt is the end
 * of its lease; else, those of a new mail.
 */
function waiting(earlier: MailRecord | undefined, now: Date): Pick<MailRecord, 'createdAt' | 'attempts' | 'nextAt'> {
  const first = { createdAt: now, attempts: 0, nextAt: new Date(now.getTime() + DELAY_MS) }
  return earlier?.nextAt ? pick(earlier, ['createdAt', 'attempts', 'nextAt']) : first
}

/** How long a new mail waits, so that a burst of imports is one mail, and an import that is published at once none. */
const DELAY_MS = 10_000

/** Removes the mail of a kind about a project, inside a transaction, for example after its problem was solved. */
export async function removeMail(queries: Queries, kind: MailKind, { workspace, project }: ProjectRef): Promise<void> {
  await queries.run(`DELETE FROM mail WHERE ${ABOUT}`, workspace, project, kind)
}

/** The ids of due mail, first those without a failure. One of an unknown kind waits for services of a newer version. */
export function listDueMail(queries: Queries, now: number): Promise<{ id: string; isFailing: boolean }[]> {
  const due = `WHERE next_at <= ? AND kind IN (${MAIL_KINDS.map(() => '?').join()})`
  return DUE.sound(queries, `${due} ORDER BY attempts, next_at LIMIT 100`, now, ...MAIL_KINDS)
}

const IS_FAILING = flag('CASE WHEN attempts > 0 THEN 1 ELSE 0 END AS failing')
const DUE = defineRows('mail', { id: text('id'), isFailing: IS_FAILING }, 'mail')

/** Leases a due mail until a time, and counts the attempt, before it is read: a damaged one waits for the end of its lease. */
export async function claimMail(
  database: Database,
  id: string,
  { now, until }: { now: number; until: number },
): Promise<MailRecord | undefined> {
  const lease = 'UPDATE mail SET next_at = ?, attempts = attempts + 1 WHERE id = ? AND next_at <= ?'
  const leased = await database.transaction(queries => queries.run(lease, until, id, now))
  return leased > 0 ? MAILS.one(database, 'WHERE id = ?', id) : undefined
}

/** The result of an attempt: sent, due again at a time, or ended. */
export type MailOutcome = 'sent' | 'ended' | Date

/** Records an attempt, inside a transaction. If its lease has ended, only a success counts. */
export async function recordMail(queries: Queries, { id, nextAt }: MailRecord, outcome: MailOutcome): Promise<void> {
  const lease = nextAt?.getTime() ?? null
  if (outcome === 'sent') await MAILS.set(queries, { nextAt: undefined }, 'WHERE id = ?', id)
  else if (outcome === 'ended') await queries.run('DELETE FROM mail WHERE id = ? AND next_at = ?', id, lease)
  else await MAILS.set(queries, { nextAt: outcome }, 'WHERE id = ? AND next_at = ?', id, lease)
}
