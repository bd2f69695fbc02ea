import type { Queries } from '../database/database.ts'
import { defineRows, readTexts, text } from '../database/table.ts'
import { endConnections } from './connections.ts'
import { endMail } from './mail.ts'
import { SHARES, type ShareRecord } from './shares.ts'

/** People: all, those with an address, those of an issuer's settings (`signin`), or one person of a workspace. */
export type People = 'all' | { email: string } | { signin: string } | PersonIn

export type PersonIn = { workspace: string; subject: string }

/**
 * Ends the answers of people about drafts, their mail and their plans and, unless they are kept, the links that they made,
 * inside a transaction. People may have lost their session before. Returns the ended links.
 */
export async function endRights(
  queries: Queries,
  people: People,
  { keepsLinks, now }: { keepsLinks: boolean; now: Date },
): Promise<ShareRecord[]> {
  // Plans name people by the same columns as mail. A plan with a reason ends when it is due.
  const { ofReviews, ofShares, ofMail } = conditionsOf(people)
  const end = `UPDATE review SET ended_at = ? WHERE ended_at IS NULL AND signed_in = 1 AND ${ofReviews.where}`
  await queries.run(end, now.getTime(), ...ofReviews.values)
  await endMail(queries, ofMail.where, ...ofMail.values)
  const plans = "UPDATE planned_publication SET reason = 'right_ended' WHERE ended_at IS NULL AND subject IS NOT NULL"
  await queries.run(`${plans} AND ${ofMail.where}`, ...ofMail.values)
  if (keepsLinks) return []
  const live = `WHERE revoked_at IS NULL AND expires_at > ? AND ${ofShares.where}`
  // A damaged row must not undo the end of the others. Its link opens nothing while it cannot be read.
  const links = await SHARES.sound(queries, live, now.getTime(), ...ofShares.values)
  for (const { id } of await SHARE_IDS.all(queries, live, now.getTime(), ...ofShares.values))
    await endConnections(queries, { column: 'share', value: id }, now)
  await SHARES.set(queries, { revokedAt: now }, live, now.getTime(), ...ofShares.values)
  return links
}

const SHARE_IDS = defineRows('share', { id: text('id') })

type Condition = { where: string; values: string[] }

/** The conditions in SQL for the rows of people in each table, where they are named by different columns. */
function conditionsOf(people: People): Readonly<Record<'ofReviews' | 'ofShares' | 'ofMail', Condition>> {
  type Wheres = { reviews: string; shares: string; mail: string }
  const conditions = ({ reviews, shares, mail }: Wheres, ...values: string[]) => ({
    ofReviews: { where: reviews, values },
    ofShares: { where: shares, values },
    ofMail: { where: mail, values },
  })
  if (people === 'all') return conditions({ reviews: '1 = 1', shares: 'maker IS NOT NULL', mail: '1 = 1' })
  if ('email' in people)
    return conditions({ reviews: 'email = ?', shares: 'maker_email = ?', mail: 'email = ?' }, people.email)
  if ('signin' in people)
    return conditions({ reviews: 'signin = ?', shares: 'maker_signin = ?', mail: 'signin = ?' }, people.signin)
  const ofPerson = {
    reviews: 'workspace = ? AND reviewer = ?',
    shares: 'workspace = ? AND maker = ?',
    mail: 'workspace = ? AND subject = ?',
  }
  return conditions(ofPerson, people.workspace, people.subject)
}

/** The projects about which a person has answered, those whose publication they planned, and those to which they made live links. */
export async function listExercised(
  queries: Queries,
  { workspace, subject, signin }: PersonIn & { signin: string },
  now: Date,
): Promise<{ answered: string[]; planned: string[]; links: ShareRecord[] }> {
  const plans =
    'SELECT project FROM planned_publication WHERE workspace = ? AND subject = ? AND signin = ? AND ended_at IS NULL'
  const answers = 'SELECT project FROM review WHERE workspace = ? AND reviewer = ? AND signin = ? AND ended_at IS NULL'
  const live = 'WHERE workspace = ? AND maker = ? AND maker_signin = ? AND revoked_at IS NULL AND expires_at > ?'
  const links = await SHARES.sound(queries, live, workspace, subject, signin, now.getTime())
  const answered = await readTexts(queries, answers, workspace, subject, signin)
  return { answered, planned: await readTexts(queries, plans, workspace, subject, signin), links }
}

/** Ends the answer of a person about a project, inside a transaction. */
export async function endAnswer(
  queries: Queries,
  { workspace, subject }: PersonIn,
  project: string,
  now: Date,
): Promise<void> {
  const sql = 'UPDATE review SET ended_at = ? WHERE ended_at IS NULL AND workspace = ? AND reviewer = ? AND project = ?'
  await queries.run(sql, now.getTime(), workspace, subject, project)
}
