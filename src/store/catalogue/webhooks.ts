import { nullable, numberOf, type Queries, type Row, textOf } from '../database/database.ts'
import { endDeliveries } from './deliveries.ts'

/** An address that gets messages about the events of a workspace or of one project. */
export type WebhookRecord = {
  id: string
  workspace: string
  /** Absent: all projects. */
  project?: string
  url: string
  /** As sealed. */
  secret: string
  /** The secret before the last rotation. */
  oldSecret?: { secret: string; until: Date }
  createdAt: Date
  /** Whether there was an attempt to deliver anything. */
  isTried: boolean
  /** The first failure since the last success. */
  failingSince?: Date
  disabled?: { at: Date; reason: DisabledReason }
}

/** The receiver answered 410, or only failed for five days. */
export type DisabledReason = 'gone' | 'failing'

/** Adds a webhook, inside a transaction. Until the first attempt, `failing_since` is its creation. */
export async function addWebhook(queries: Queries, webhook: Omit<WebhookRecord, 'isTried'>): Promise<void> {
  const { id, workspace, project, url, secret, createdAt } = webhook
  await queries.run(
    'INSERT INTO webhook (id, workspace, project, url, secret, created_at, failing_since) VALUES (?, ?, ?, ?, ?, ?, ?)',
    id,
    workspace,
    project ?? null,
    url,
    secret,
    createdAt.getTime(),
    createdAt.getTime(),
  )
}

/** All webhooks, or those of a workspace, by workspace, then age. */
export async function listWebhooks(queries: Queries, workspace?: string): Promise<WebhookRecord[]> {
  const order = 'ORDER BY workspace, created_at, id'
  const rows =
    workspace === undefined
      ? await queries.all(`${WEBHOOK} ${order}`)
      : await queries.all(`${WEBHOOK} WHERE workspace = ? ${order}`, workspace)
  return rows.map(webhookOf)
}

export async function findWebhook(queries: Queries, id: string): Promise<WebhookRecord | undefined> {
  const row = await queries.get(`${WEBHOOK} WHERE id = ?`, id)
  return row && webhookOf(row)
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

const WEBHOOK = `SELECT id, workspace, project, url, secret, old_secret, old_secret_until, created_at, failing_since,
  disabled_at, disabled_reason FROM webhook`

function webhookOf(row: Row): WebhookRecord {
  const project = nullable(row, 'project', textOf)
  const [oldSecret, until] = [nullable(row, 'old_secret', textOf), nullable(row, 'old_secret_until', numberOf)]
  const createdAt = numberOf(row, 'created_at')
  const [failingSince, disabledAt] = [nullable(row, 'failing_since', numberOf), nullable(row, 'disabled_at', numberOf)]
  const isTried = failingSince !== createdAt
  const reason = row.disabled_reason === 'gone' ? 'gone' : 'failing'
  return {
    id: textOf(row, 'id'),
    workspace: textOf(row, 'workspace'),
    ...(project !== undefined && { project }),
    url: textOf(row, 'url'),
    secret: textOf(row, 'secret'),
    ...(oldSecret !== undefined && until !== undefined && { oldSecret: { secret: oldSecret, until: new Date(until) } }),
    createdAt: new Date(createdAt),
    isTried,
    ...(isTried && failingSince !== undefined && { failingSince: new Date(failingSince) }),
    ...(disabledAt !== undefined && { disabled: { at: new Date(disabledAt), reason } }),
  }
}
