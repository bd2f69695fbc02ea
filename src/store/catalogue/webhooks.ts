import type { Readable } from '../database/damaged-row.ts'
import { nullable, numberOf, type Queries, textOf } from '../database/database.ts'
import {
  date,
  defineTable,
  orNull,
  type PrintedProperty,
  type Property,
  printedAs,
  type RecordOf,
  text,
  unprinted,
} from '../database/table.ts'
import { endDeliveries } from './deliveries.ts'

/** The receiver answered 410, or only failed for five days. */
export type DisabledReason = 'gone' | 'failing'

/** Whether there was an attempt to deliver anything. Until then, `failing_since` is the creation. */
const IS_TRIED: PrintedProperty<boolean, boolean> = {
  columns: [],
  read: row => nullable(row, 'failing_since', numberOf) !== numberOf(row, 'created_at'),
  values: () => [],
  state: isTried => isTried,
}

const FAILING_SINCE = orNull(date('failing_since'))

const DISABLED_REASON: PrintedProperty<DisabledReason | undefined, DisabledReason | null> = {
  columns: ['disabled_reason'],
  read: row => {
    if (row.disabled_at === null) return undefined
    return row.disabled_reason === 'gone' ? 'gone' : 'failing'
  },
  values: reason => [reason ?? null],
  state: reason => reason ?? null,
}

const OLD_SECRET: Property<{ secret: string; until: Date } | undefined> = {
  columns: ['old_secret', 'old_secret_until'],
  read: row => {
    const [secret, until] = [nullable(row, 'old_secret', textOf), nullable(row, 'old_secret_until', numberOf)]
    return secret === undefined || until === undefined ? undefined : { secret, until: new Date(until) }
  },
  values: old => [old?.secret ?? null, old?.until.getTime() ?? null],
}

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
  failingSince: { ...FAILING_SINCE, read: row => (IS_TRIED.read(row) ? FAILING_SINCE.read(row) : undefined) },
  disabledAt: orNull(date('disabled_at')),
  disabledReason: DISABLED_REASON,
  /** As sealed. */
  secret: unprinted(text('secret')),
  /** The secret before the last rotation. */
  oldSecret: OLD_SECRET,
})

export type WebhookRecord = RecordOf<typeof WEBHOOKS>

/** All webhooks, by workspace, then age. */
export function listWebhooks(queries: Queries): Promise<Readable<WebhookRecord>> {
  return WEBHOOKS.readable(queries, 'ORDER BY workspace, created_at, id')
}

/** @throws {DamagedContent} */
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
  await queries.run(
    'UPDATE webhook SET secret = ?, old_secret = ?, old_secret_until = ? WHERE id = ?',
    secret,
    oldSecret,
    until.getTime(),
    id,
  )
}

/** Records that a receiver works, inside a transaction. This also enables a disabled webhook. */
export async function markWorking(queries: Queries, id: string): Promise<void> {
  await queries.run(
    `UPDATE webhook SET failing_since = NULL, disabled_at = NULL, disabled_reason = NULL
     WHERE id = ? AND (failing_since IS NOT NULL OR disabled_at IS NOT NULL)`,
    id,
  )
}

/** Records a failure of a receiver, inside a transaction. */
export async function markFailing(queries: Queries, id: string, now: Date): Promise<void> {
  await queries.run(
    'UPDATE webhook SET failing_since = ? WHERE id = ? AND (failing_since IS NULL OR failing_since = created_at)',
    now.getTime(),
    id,
  )
}

/** Disables a webhook, and ends its waiting messages, inside a transaction. */
export async function disableWebhook(queries: Queries, id: string, reason: DisabledReason, now: Date): Promise<void> {
  await queries.run(
    'UPDATE webhook SET disabled_at = ?, disabled_reason = ? WHERE id = ? AND disabled_at IS NULL',
    now.getTime(),
    reason,
    id,
  )
  await endDeliveries(queries, id)
}

/** Deletes a webhook and its messages, inside a transaction; false if there is no such webhook. */
export async function removeWebhook(queries: Queries, id: string): Promise<boolean> {
  await queries.run('DELETE FROM delivery WHERE webhook = ?', id)
  return (await queries.run('DELETE FROM webhook WHERE id = ?', id)) > 0
}
