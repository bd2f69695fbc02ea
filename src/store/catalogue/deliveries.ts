import { type Readable, readable } from '../database/damaged-row.ts'
import { nullable, numberOf, type Queries, textOf, textsOf } from '../database/database.ts'
import { MAX_DATE_MS } from '../database/row-checks.ts'
import {
  date,
  defineTable,
  number,
  orNull,
  type PrintedProperty,
  type RecordOf,
  text,
  unprinted,
} from '../database/table.ts'
import type { DamagedContent } from '../store-error.ts'

type DeliveryState = 'waiting' | 'delivered' | 'failed'

const STATE: PrintedProperty<DeliveryState, DeliveryState> = {
  columns: ['state'],
  read: row => {
    const state = textOf(row, 'state')
    return state === 'delivered' || state === 'failed' ? state : 'waiting'
  },
  values: state => [state],
  state: state => state,
}

/** Messages for webhooks, and what became of them. */
export const DELIVERIES = defineTable('delivery', {
  id: text('id'),
  type: text('type'),
  workspace: text('workspace'),
  project: text('project'),
  state: STATE,
  createdAt: date('created_at'),
  attempts: number('attempts'),
  /** The latest attempt, and its HTTP status or its problem. */
  attemptedAt: orNull(date('attempted_at')),
  status: orNull(number('status')),
  problem: orNull(text('problem')),
  /** When it is due; during an attempt, the end of its lease. Absent if there are no more attempts. */
  nextAttemptAt: orNull(date('next_at')),
  webhook: unprinted(text('webhook')),
  number: unprinted(number('number')),
  /** The exact body of each attempt to deliver it. */
  payload: unprinted(text('payload')),
})

export type DeliveryRecord = RecordOf<typeof DELIVERIES>

/** A message for all webhooks that want it. */
export type Message = Pick<DeliveryRecord, 'id' | 'number' | 'workspace' | 'project' | 'type' | 'payload' | 'createdAt'>

/** The message about an event (Standard Webhooks 1.0, "Payload structure"). */
export function messageOf(event: Omit<Message, 'payload'>, data: object): Message {
  const { type, createdAt } = event
  return { ...event, payload: JSON.stringify({ type, timestamp: createdAt.toISOString(), data }) }
}

/** Adds a message for each enabled webhook that wants it, inside the transaction of its event. */
export async function addDeliveries(queries: Queries, message: Message): Promise<void> {
  const { workspace, project } = message
  const webhooks = await queries.all(
    'SELECT id FROM webhook WHERE workspace = ? AND (project IS NULL OR project = ?) AND disabled_at IS NULL',
    workspace,
    project,
  )
  const state = { state: 'waiting', attempts: 0, nextAttemptAt: message.createdAt } as const
  for (const webhook of textsOf(webhooks, 'id')) await DELIVERIES.add(queries, { ...message, ...state, webhook })
}

/** The messages of a webhook, newest first. */
export function listDeliveries(queries: Queries, webhook: string): Promise<Readable<DeliveryRecord>> {
  return DELIVERIES.readable(queries, 'WHERE webhook = ? ORDER BY number DESC', webhook)
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
  const row = await queries.get(
    'SELECT MIN(next_at) AS due FROM delivery WHERE next_at > ? AND next_at <= ?',
    now,
    MAX_DATE_MS,
  )
  return row && nullable(row, 'due', numberOf)
}

/**
 * Leases the first due message of a webhook until a time, inside a transaction, and counts the attempt. A damaged message
 * fails at once, so that the next ones follow.
 */
export async function claimDelivery(
  queries: Queries,
  webhook: string,
  { now, until }: { now: number; until: number },
): Promise<DeliveryRecord | DamagedContent | undefined> {
  const rest = 'WHERE webhook = ? AND next_at <= ? ORDER BY next_at, number LIMIT 1'
  const row = await queries.get(`SELECT * FROM delivery ${rest}`, webhook, now)
  if (!row) return undefined
  const { records, damaged } = readable(DELIVERIES.name, [row], DELIVERIES.read)
  const [due] = records
  if (!due) {
    const end = "UPDATE delivery SET state = 'failed', next_at = NULL, problem = ? WHERE webhook = ? AND id = ?"
    await queries.run(end, DAMAGED, webhook, textOf(row, 'id'))
    return damaged[0]
  }
  const claimed = { ...due, nextAttemptAt: new Date(until), attempts: due.attempts + 1 }
  const sql = 'UPDATE delivery SET next_at = ?, attempts = ? WHERE webhook = ? AND id = ?'
  await queries.run(sql, until, claimed.attempts, webhook, due.id)
  return claimed
}

/** Makes the due messages of a webhook due later, inside a transaction. */
export async function postponeDeliveries(
  queries: Queries,
  webhook: string,
  { now, until }: { now: number; until: number },
): Promise<void> {
  await queries.run('UPDATE delivery SET next_at = ? WHERE webhook = ? AND next_at <= ?', until, webhook, now)
}

const DAMAGED = 'the stored message cannot be read: see `housestyle doctor`'

/** The result of an attempt. Without `nextAttemptAt`, it was the last one. */
export type AttemptRecord = {
  state: DeliveryState
  at: Date
  nextAttemptAt?: Date | undefined
  status?: number | undefined
  problem?: string | undefined
}

/**
 * Records an attempt, inside a transaction. If its lease has ended and another process tries again, only a success
 * counts.
 */
export async function recordAttempt(
  queries: Queries,
  { webhook, id, nextAttemptAt: leasedUntil }: DeliveryRecord,
  { state, at, nextAttemptAt, status, problem }: AttemptRecord,
): Promise<void> {
  await queries.run(
    `UPDATE delivery SET state = ?, attempted_at = ?, next_at = ?, status = ?, problem = ?
     WHERE webhook = ? AND id = ? AND ${state === 'delivered' ? 'state <> ?' : 'next_at = ?'}`,
    state,
    at.getTime(),
    nextAttemptAt?.getTime() ?? null,
    status ?? null,
    problem ?? null,
    webhook,
    id,
    state === 'delivered' ? state : (leasedUntil?.getTime() ?? null),
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
  return DELIVERIES.one(queries, 'WHERE webhook = ? AND id = ?', webhook, id)
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
