import { randomBytes } from 'node:crypto'
import type { ProjectRef } from '#brand/ids.ts'
import type { Database, Queries, Row } from '../database/database.ts'
import {
  choice,
  date,
  defineRows,
  defineTable,
  flag,
  group,
  MAX_DATE_MS,
  matching,
  number,
  optional,
  orNull,
  type PrintedProperty,
  printedAs,
  type RecordOf,
  readTexts,
  sealed,
  text,
  unprinted,
  whole,
} from '../database/table.ts'
import { latestChange, recordChange } from './changes.ts'

/** Whether there was an attempt to deliver anything: until then, `failing_since` is the time of the creation. */
const IS_TRIED: PrintedProperty<boolean, boolean> = {
  columns: [],
  read: row => row.failing_since !== row.created_at,
  values: () => [],
  state: isTried => isTried,
}

const FAILING_SINCE = orNull(date('failing_since'))

/** Addresses that get messages about the events of a workspace or of one project. */
export const WEBHOOKS = defineTable('webhook', {
  id: text('id'),
  workspace: text('workspace'),
  /** Absent: all projects. */
  project: orNull(text('project')),
  url: text('url'),
  createdAt: date('created_at'),
  isTried: printedAs('tried', IS_TRIED),
  /** The first failure since the last success. */
  failingSince: { ...FAILING_SINCE, read: (row: Row) => (IS_TRIED.read(row) ? FAILING_SINCE.read(row) : undefined) },
  disabledAt: orNull(date('disabled_at')),
  /** The receiver answered 410, or only failed for five days. */
  disabledReason: orNull(choice('disabled_reason', 'failing', 'gone')),
  /** JSON, encrypted if there is a key secret (`sealSecret`). */
  secret: unprinted(sealed('secret')),
  /** The secret before the last rotation. */
  oldSecret: optional(group({ until: date('old_secret_until'), secret: sealed('old_secret') })),
})

export type WebhookRecord = RecordOf<typeof WEBHOOKS>

export type DisabledReason = NonNullable<WebhookRecord['disabledReason']>

/** The webhooks of a workspace, or all, by workspace, then age. */
export function listWebhooks(queries: Queries, { workspace }: Partial<ProjectRef> = {}): Promise<WebhookRecord[]> {
  const [where, ...values] = matching({ workspace })
  return WEBHOOKS.all(queries, `WHERE ${where} ORDER BY workspace, created_at, id`, ...values)
}

export function findWebhook(queries: Queries, id: string): Promise<WebhookRecord | undefined> {
  return WEBHOOKS.one(queries, 'WHERE id = ?', id)
}

/** Replaces the secret of a webhook, inside a transaction. The old one signs too until a time. */
export async function replaceSecret(
  queries: Queries,
  { id, secret: oldSecret }: WebhookRecord,
  secret: string,
  until: Date,
): Promise<void> {
  await WEBHOOKS.set(queries, { secret, oldSecret: { secret: oldSecret, until } }, 'WHERE id = ?', id)
}

/** Records that a receiver works, inside a transaction. This also enables a disabled webhook. */
export async function markWorking(queries: Queries, id: string): Promise<void> {
  const working = { failingSince: undefined, disabledAt: undefined, disabledReason: undefined }
  const where = 'WHERE id = ? AND (failing_since IS NOT NULL OR disabled_at IS NOT NULL)'
  await WEBHOOKS.set(queries, working, where, id)
}

/** Records a failure of a receiver, inside a transaction. */
export async function markFailing(queries: Queries, id: string, now: Date): Promise<void> {
  const where = 'WHERE id = ? AND (failing_since IS NULL OR failing_since = created_at)'
  await WEBHOOKS.set(queries, { failingSince: now }, where, id)
}

/** Disables a webhook, and ends its waiting messages, inside a transaction. */
export async function disableWebhook(queries: Queries, id: string, reason: DisabledReason, now: Date): Promise<void> {
  const disabled = { disabledAt: now, disabledReason: reason }
  await WEBHOOKS.set(queries, disabled, 'WHERE id = ? AND disabled_at IS NULL', id)
  await endDeliveries(queries, id)
}

/** Deletes a webhook and its messages, inside a transaction; false if there is no such webhook. */
export async function removeWebhook(queries: Queries, id: string): Promise<boolean> {
  await queries.run('DELETE FROM delivery WHERE webhook = ?', id)
  return (await queries.run('DELETE FROM webhook WHERE id = ?', id)) > 0
}

/** Messages for webhooks, and what became of them. */
export const DELIVERIES = defineTable('delivery', {
  id: text('id'),
  /** A newer version may have others, which this one can send. */
  type: text('type'),
  workspace: text('workspace'),
  project: text('project'),
  state: choice('state', 'waiting', 'delivered', 'failed'),
  createdAt: date('created_at'),
  attempts: whole('attempts'),
  /** The latest attempt, and its HTTP status or its problem. */
  attemptedAt: orNull(date('attempted_at')),
  status: orNull(whole('status', 100, 999, 'an HTTP status')),
  problem: orNull(text('problem')),
  /** When it is due; during an attempt, the end of its lease. Absent if there are no more attempts. */
  nextAttemptAt: orNull(date('next_at')),
  webhook: unprinted(text('webhook')),
  number: unprinted(whole('number')),
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

/**
 * Adds messages about what only webhooks report, and no stream, inside its transaction. Records a change, so that every
 * process notices them, and one sends them.
 */
export async function tellWebhooks(
  queries: Queries,
  type: 'draft.reviewed' | 'plan.ended',
  data: ProjectRef & Readonly<Record<string, unknown>>,
  createdAt: Date,
): Promise<void> {
  const { workspace, project } = data
  await recordChange(queries, workspace, project)
  const about = { number: await latestChange(queries), id: randomBytes(12).toString('hex'), workspace, project }
  await addDeliveries(queries, messageOf({ ...about, type, createdAt }, data))
}

/** Adds a message for each enabled webhook that wants it, inside the transaction of its event. */
export async function addDeliveries(queries: Queries, message: Message): Promise<void> {
  const { workspace, project } = message
  const wanting =
    'SELECT id FROM webhook WHERE workspace = ? AND (project IS NULL OR project = ?) AND disabled_at IS NULL'
  const state = { state: 'waiting', attempts: 0, nextAttemptAt: message.createdAt } as const
  for (const webhook of await readTexts(queries, wanting, workspace, project))
    await DELIVERIES.add(queries, { ...message, ...state, webhook })
}

/** The messages of a webhook, newest first. */
export function listDeliveries(queries: Queries, webhook: string): Promise<DeliveryRecord[]> {
  return DELIVERIES.all(queries, 'WHERE webhook = ? ORDER BY number DESC', webhook)
}

/** The ids of webhooks with a message that is due: working ones first, then by the time since they are due. */
export function listDueWebhooks(queries: Queries, now: number): Promise<{ id: string; isFailing: boolean }[]> {
  const rest = 'WHERE d.next_at <= ? GROUP BY d.webhook, w.failing_since, w.created_at ORDER BY failing, MIN(d.next_at)'
  return DUE_WEBHOOKS.sound(queries, rest, now)
}

const DUE_WEBHOOKS = defineRows(
  'delivery d JOIN webhook w ON w.id = d.webhook',
  {
    id: text('d.webhook'),
    isFailing: flag('CASE WHEN w.failing_since <> w.created_at THEN 1 ELSE 0 END AS failing'),
  },
  'delivery',
)

/** When the next message or mail after this time is due; undefined if none is. */
export async function nextDueAt(queries: Queries, of: keyof typeof NEXT, now: number): Promise<number | undefined> {
  return (await NEXT[of].one(queries, 'WHERE next_at > ? AND next_at <= ?', now, MAX_DATE_MS))?.due
}

const DUE = { due: optional(number('MIN(next_at) AS due')) }
const NEXT = { delivery: defineRows('delivery', DUE), mail: defineRows('mail', DUE) }

/**
 * Leases the first due message of a webhook until a time, and counts the attempt, before it is read: a damaged one waits
 * for the end of its lease, so that the next ones follow.
 */
export async function claimDelivery(
  database: Database,
  webhook: string,
  { now, until }: { now: number; until: number },
): Promise<DeliveryRecord | undefined> {
  const first = 'WHERE webhook = ? AND next_at <= ? ORDER BY next_at, number LIMIT 1'
  const leased = await database.transaction(async queries => {
    const [id] = await readTexts(queries, `SELECT id FROM delivery ${first}`, webhook, now)
    const lease = `UPDATE delivery SET next_at = ?, attempts = attempts + 1 ${OF_WEBHOOK}`
    if (id !== undefined) await queries.run(lease, until, webhook, id)
    return id
  }, UNFLUSHED)
  return leased === undefined ? undefined : DELIVERIES.one(database, OF_WEBHOOK, webhook, leased)
}

/**
 * The option of a transaction that does not wait for the disk. After a power failure, a message may be sent again; but
 * publications need not wait for attempts.
 */
export const UNFLUSHED = { durable: false }

const OF_WEBHOOK = 'WHERE webhook = ? AND id = ?'

/** The result of an attempt. Without `nextAttemptAt`, it was the last one. */
export type AttemptRecord = {
  state: DeliveryRecord['state']
  at: Date
  nextAttemptAt?: Date | undefined
  status?: number | undefined
  problem?: string | undefined
}

/** Records an attempt, inside a transaction. If its lease has ended and another process tries, only success counts. */
export async function recordAttempt(
  queries: Queries,
  { webhook, id, nextAttemptAt: leasedUntil }: DeliveryRecord,
  { state, at, nextAttemptAt, status, problem }: AttemptRecord,
): Promise<void> {
  const changes = { state, attemptedAt: at, nextAttemptAt, status, problem }
  if (state === 'delivered') await DELIVERIES.set(queries, changes, `${OF_WEBHOOK} AND state <> ?`, webhook, id, state)
  else {
    const lease = leasedUntil?.getTime() ?? null
    await DELIVERIES.set(queries, changes, `${OF_WEBHOOK} AND next_at = ?`, webhook, id, lease)
  }
}

/** Makes a message due again, inside a transaction; undefined if the webhook has no such message. */
export async function repeatDelivery(
  queries: Queries,
  webhook: string,
  id: string,
  now: Date,
): Promise<DeliveryRecord | undefined> {
  const waiting = { state: 'waiting', nextAttemptAt: now, attempts: 0 } as const
  await DELIVERIES.set(queries, waiting, OF_WEBHOOK, webhook, id)
  return DELIVERIES.one(queries, OF_WEBHOOK, webhook, id)
}

/** Ends all waiting messages of a webhook, inside a transaction. */
async function endDeliveries(queries: Queries, webhook: string): Promise<void> {
  const ended = { state: 'failed', nextAttemptAt: undefined } as const
  await DELIVERIES.set(queries, ended, "WHERE webhook = ? AND state = 'waiting'", webhook)
}

/** Deletes some ended messages from before this time. */
export async function removeDeliveries(queries: Queries, before: number): Promise<void> {
  await queries.run(
    `DELETE FROM delivery WHERE (webhook, id) IN
       (SELECT webhook, id FROM delivery WHERE created_at < ? AND next_at IS NULL ORDER BY created_at LIMIT 100)`,
    before,
  )
}
