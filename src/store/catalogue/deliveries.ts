import type { ProjectRef } from '../../brand/ids.ts'
import { nullable, numberOf, type Queries, type Row, textOf } from '../database/database.ts'

/** A message for webhooks. `payload` is the exact body of each attempt to deliver it. */
export type Message = ProjectRef & { id: string; number: number; type: string; payload: string; createdAt: Date }

/** A message for one webhook, and what became of it. */
export type DeliveryRecord = Message & {
  webhook: string
  state: 'waiting' | 'delivered' | 'failed'
  attempts: number
  /** When it is due; during an attempt, the end of its lease. Absent if there are no more attempts. */
  nextAt?: Date
  /** The latest attempt, and its HTTP status or its problem. */
  attemptedAt?: Date
  status?: number
  problem?: string
}

/** Adds a message for each enabled webhook that wants it, inside the transaction of its event. */
export async function addDeliveries(queries: Queries, message: Message): Promise<void> {
  const { workspace, project } = message
  const webhooks = await queries.all(
    'SELECT id FROM webhook WHERE workspace = ? AND (project IS NULL OR project = ?) AND disabled_at IS NULL',
    workspace,
    project,
  )
  for (const webhook of webhooks) await addDelivery(queries, textOf(webhook, 'id'), message)
}

async function addDelivery(queries: Queries, webhook: string, message: Message): Promise<void> {
  await queries.run(
    `INSERT INTO delivery (webhook, id, number, workspace, project, type, payload, state, created_at, next_at, attempts)
     VALUES (?, ?, ?, ?, ?, ?, ?, 'waiting', ?, ?, 0)`,
    webhook,
    message.id,
    message.number,
    message.workspace,
    message.project,
    message.type,
    message.payload,
    message.createdAt.getTime(),
    message.createdAt.getTime(),
  )
}

/** The messages of a webhook, newest first. */
export async function listDeliveries(queries: Queries, webhook: string): Promise<DeliveryRecord[]> {
  return (await queries.all(`${DELIVERY} WHERE webhook = ? ORDER BY number DESC`, webhook)).map(deliveryOf)
}

/** The ids of webhooks with a message that is due: working ones first, then by the time since they are due. */
export async function listDueWebhooks(queries: Queries, now: number): Promise<{ id: string; isFailing: boolean }[]> {
  const rows = await queries.all(
    `SELECT d.webhook AS id, MIN(d.next_at) AS due, CASE WHEN w.failing_since <> w.created_at THEN 1 ELSE 0 END AS failing
     FROM delivery d JOIN webhook w ON w.id = d.webhook
     WHERE d.next_at <= ? GROUP BY d.webhook, w.failing_since, w.created_at ORDER BY failing, due`,
    now,
  )
  return rows.map(row => ({ id: textOf(row, 'id'), isFailing: numberOf(row, 'failing') === 1 }))
}

/** When the next message after this time is due; undefined if none is. */
export async function nextDueAt(queries: Queries, now: number): Promise<number | undefined> {
  const row = await queries.get('SELECT MIN(next_at) AS due FROM delivery WHERE next_at > ?', now)
  return row && nullable(row, 'due', numberOf)
}

/** Leases the first due message of a webhook until a time, inside a transaction, and counts the attempt. */
export async function claimDelivery(
  queries: Queries,
  webhook: string,
  { now, until }: { now: number; until: number },
): Promise<DeliveryRecord | undefined> {
  const row = await queries.get(
    `${DELIVERY} WHERE webhook = ? AND next_at <= ? ORDER BY next_at, number LIMIT 1`,
    webhook,
    now,
  )
  if (!row) return undefined
  const found = deliveryOf(row)
  const claimed = { ...found, nextAt: new Date(until), attempts: found.attempts + 1 }
  const { id, attempts } = claimed
  const sql = 'UPDATE delivery SET next_at = ?, attempts = ? WHERE webhook = ? AND id = ?'
  await queries.run(sql, until, attempts, webhook, id)
  return claimed
}

/** The result of an attempt. Without `nextAt`, it was the last one. */
export type AttemptRecord = {
  state: DeliveryRecord['state']
  at: Date
  nextAt?: Date
  status?: number
  problem?: string
}

/**
 * Records an attempt, inside a transaction. If its lease has ended and another process tries again, only a success
 * counts.
 */
export async function recordAttempt(
  queries: Queries,
  { webhook, id, nextAt }: DeliveryRecord,
  { state, at, nextAt: later, status, problem }: AttemptRecord,
): Promise<void> {
  await queries.run(
    `UPDATE delivery SET state = ?, attempted_at = ?, next_at = ?, status = ?, problem = ?
     WHERE webhook = ? AND id = ? AND ${state === 'delivered' ? 'state <> ?' : 'next_at = ?'}`,
    state,
    at.getTime(),
    later?.getTime() ?? null,
    status ?? null,
    problem ?? null,
    webhook,
    id,
    state === 'delivered' ? state : (nextAt?.getTime() ?? null),
  )
}

/** Makes a message due again, inside a transaction; undefined if the webhook has no such message. */
export async function repeatDelivery(
  queries: Queries,
  webhook: string,
  id: string,
  now: Date,
): Promise<DeliveryRecord | undefined> {
  await queries.run(
    "UPDATE delivery SET state = 'waiting', next_at = ?, attempts = 0 WHERE webhook = ? AND id = ?",
    now.getTime(),
    webhook,
    id,
  )
  const row = await queries.get(`${DELIVERY} WHERE webhook = ? AND id = ?`, webhook, id)
  return row && deliveryOf(row)
}

/** Ends all waiting messages of a webhook, inside a transaction. */
export async function endDeliveries(queries: Queries, webhook: string): Promise<void> {
  await queries.run(
    "UPDATE delivery SET state = 'failed', next_at = NULL WHERE webhook = ? AND state = 'waiting'",
    webhook,
  )
}

/** Deletes some ended messages from before this time. */
export async function removeDeliveries(queries: Queries, before: number): Promise<void> {
  await queries.run(
    `DELETE FROM delivery WHERE (webhook, id) IN
       (SELECT webhook, id FROM delivery WHERE created_at < ? AND next_at IS NULL ORDER BY created_at LIMIT 100)`,
    before,
  )
}

const DELIVERY = `SELECT webhook, id, number, workspace, project, type, payload, state, created_at, next_at, attempts,
  attempted_at, status, problem FROM delivery`

function deliveryOf(row: Row): DeliveryRecord {
  const [nextAt, attemptedAt] = [nullable(row, 'next_at', numberOf), nullable(row, 'attempted_at', numberOf)]
  const [status, problem] = [nullable(row, 'status', numberOf), nullable(row, 'problem', textOf)]
  return {
    webhook: textOf(row, 'webhook'),
    id: textOf(row, 'id'),
    number: numberOf(row, 'number'),
    workspace: textOf(row, 'workspace'),
    project: textOf(row, 'project'),
    type: textOf(row, 'type'),
    payload: textOf(row, 'payload'),
    state: stateOf(row),
    createdAt: new Date(numberOf(row, 'created_at')),
    attempts: numberOf(row, 'attempts'),
    ...(nextAt !== undefined && { nextAt: new Date(nextAt) }),
    ...(attemptedAt !== undefined && { attemptedAt: new Date(attemptedAt) }),
    ...(status !== undefined && { status }),
    ...(problem !== undefined && { problem }),
  }
}

function stateOf(row: Row): DeliveryRecord['state'] {
  const state = textOf(row, 'state')
  return state === 'delivered' || state === 'failed' ? state : 'waiting'
}
