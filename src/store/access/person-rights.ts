import type { Queries, SqlValue } from '../database/database.ts'
import { defineRows, readTexts, text } from '../database/table.ts'
import { endConnections } from './connections.ts'
import { SHARES, type ShareRecord } from './shares.ts'

/** People: all, those with an address or of an issuer, or one of a workspace, by the hash of their name. */
export type People = 'all' | { email: string } | { signin: string } | PersonIn

export type PersonIn = { workspace: string; subject: string }

/**
 * Ends the answers of people about drafts and, unless they are kept, the links that they made, inside a transaction.
 * People may have lost their session before. Returns the ended links.
 */
export async function endRights(
  queries: Queries,
  people: People,
  { keepsLinks, now }: { keepsLinks: boolean; now: Date },
): Promise<ShareRecord[]> {
  const [ofReviews, ofShares] = conditionsOf(people)
  const end = `UPDATE review SET ended_at = ? WHERE ended_at IS NULL AND signed_in = 1 AND ${ofReviews.where}`
  await queries.run(end, now.getTime(), ...ofReviews.values)
  if (keepsLinks) return []
  const live = `WHERE revoked_at IS NULL AND expires_at > ? AND ${ofShares.where}`
  // A damaged row must not undo the end of the others. Its link opens nothing while it cannot be read.
  const { records } = await SHARES.readable(queries, live, now.getTime(), ...ofShares.values)
  for (const { id } of await SHARE_IDS.all(queries, live, now.getTime(), ...ofShares.values))
    await endConnections(queries, { column: 'share', value: id }, now)
  await SHARES.set(queries, { revokedAt: now }, live, now.getTime(), ...ofShares.values)
  return records
}

const SHARE_IDS = defineRows('share', { id: text('id') })

type Condition = { where: string; values: SqlValue[] }

function conditionsOf(people: People): readonly [ofReviews: Condition, ofShares: Condition] {
  const both = (reviews: string, shares: string, ...values: SqlValue[]) =>
    [
      { where: reviews, values },
      { where: shares, values },
    ] as const
  if (people === 'all') return both('1 = 1', 'maker IS NOT NULL')
  if ('email' in people) return both('email = ?', 'maker_email = ?', people.email)
  if ('signin' in people) return both('signin = ?', 'maker_signin = ?', people.signin)
  const { workspace, subject } = people
  return both('workspace = ? AND reviewer = ?', 'workspace = ? AND maker = ?', workspace, subject)
}

/** The projects about which a person has answered, and those to which they made live links. */
export async function listExercised(
  queries: Queries,
  { workspace, subject, signin }: PersonIn & { signin: string },
  now: Date,
): Promise<{ answered: string[]; links: ShareRecord[] }> {
  const answers = 'SELECT project FROM review WHERE workspace = ? AND reviewer = ? AND signin = ? AND ended_at IS NULL'
  const live = 'WHERE workspace = ? AND maker = ? AND maker_signin = ? AND revoked_at IS NULL AND expires_at > ?'
  const links = await SHARES.readable(queries, live, workspace, subject, signin, now.getTime())
  return { answered: await readTexts(queries, answers, workspace, subject, signin), links: links.records }
}

/** Ends the answer of a person about a project, inside a transaction. */
export async function endAnswer(
  queries: Queries,
  { workspace, subject }: PersonIn,
  project: string,
  now: Date,
): Promise<void> {
  const sql = 'UPDATE review SET ended_at = ? WHERE workspace = ? AND reviewer = ? AND project = ?'
  await queries.run(sql, now.getTime(), workspace, subject, project)
}
