import type { Log } from '#platform/telemetry/log.ts'
import type { Metrics } from '#platform/telemetry/metrics.ts'
import {
  type AttemptRecord,
  claimDelivery,
  type DeliveryRecord,
  type DisabledReason,
  disableWebhook,
  findWebhook,
  listDueWebhooks,
  markFailing,
  markWorking,
  nextDueAt,
  recordAttempt,
  UNFLUSHED,
  type WebhookRecord,
} from '#store/catalogue/webhooks.ts'
import { unlessDamaged } from '#store/database/damaged-row.ts'
import type { Database, Queries } from '#store/database/database.ts'
import { Outbox, type OutboxParts } from '../outbox.ts'
import { type AttemptParts, type AttemptReply, attempt, GONE, nextAttempt } from './attempt.ts'

export type SenderParts = AttemptParts & {
  database: Database
  log: Log
  metrics: Pick<Metrics, 'countDelivery'>
  /** Numbers from 0 to 1. */
  random?: () => number
} & Pick<OutboxParts, 'clock' | 'reporter'>

/** Sends the waiting messages of webhooks: one at a time for each webhook, so that a slow receiver delays only itself. */
export function webhookOutbox(parts: SenderParts): Outbox {
  const { database } = parts
  return new Outbox({
    ...parts,
    listDue: now => listDueWebhooks(database, now),
    nextDueAt: now => nextDueAt(database, 'delivery', now),
    send: id => unlessDamaged(database, () => sendNext(parts, id)),
    maxRunning: 64,
  })
}

/** Sends the first due message of a webhook, and records the attempt. */
async function sendNext(parts: SenderParts, id: string): Promise<void> {
  const { database, clock } = parts
  const claimed = await claim(database, id, clock())
  if (!claimed) return
  const { webhook, delivery } = claimed
  const reply = await attempt(parts, webhook, delivery, new Date(clock()))
  const now = new Date(clock())
  parts.metrics.countDelivery(reply.isDelivered ? 'ok' : 'error')
  const disabled = await database.transaction(
    queries => record(queries, claimed, { reply, now, random: (parts.random ?? Math.random)() }),
    UNFLUSHED,
  )
  report(parts.log, claimed, reply, disabled)
}

type Claimed = { webhook: WebhookRecord; delivery: DeliveryRecord }

/**
 * Leases the first due message of a webhook, so that no other process sends it; undefined if none is due. The message comes
 * before the webhook: if the webhook's row is damaged, the message waits for the end of its lease instead of failing at once
 * again.
 */
async function claim(database: Database, id: string, now: number): Promise<Claimed | undefined> {
  const delivery = await claimDelivery(database, id, { now, until: now + LEASE_MS })
  const webhook = delivery && (await findWebhook(database, id))
  return webhook && { webhook, delivery }
}

/** Longer than an attempt, including both transactions. */
const LEASE_MS = 55_000

type Attempted = { reply: AttemptReply; now: Date; random: number }

/** Records an attempt. Returns why the webhook is now disabled, if it is: after 410, or five days of failures. */
async function record(queries: Queries, claimed: Claimed, attempted: Attempted): Promise<DisabledReason | undefined> {
  const { delivery, webhook } = claimed
  const { reply, now } = attempted
  const { status, problem } = reply
  await recordAttempt(queries, delivery, { at: now, status, problem, ...outcomeOf(delivery, attempted) })
  if (reply.isDelivered) {
    await markWorking(queries, webhook.id)
    return undefined
  }
  await markFailing(queries, webhook.id, now)
  const latest = await findWebhook(queries, webhook.id)
  const { failingSince = now } = latest ?? {}
  const isFailingLong = now.getTime() - failingSince.getTime() >= MAX_FAILING_MS
  const reason = status === GONE ? 'gone' : isFailingLong ? 'failing' : undefined
  if (!reason || latest?.disabledAt) return undefined
  await disableWebhook(queries, webhook.id, reason, now)
  return reason
}

const MAX_FAILING_MS = 5 * 24 * 3600 * 1000

/** The state of a message after an attempt, and the time of the next one; undefined after the last. */
function outcomeOf(
  { attempts }: DeliveryRecord,
  { reply, now, random }: Attempted,
): Pick<AttemptRecord, 'state' | 'nextAttemptAt'> {
  if (reply.isDelivered) return { state: 'delivered' }
  const { status, retryAfter } = reply
  const nextAttemptAt = nextAttempt({ attempts, status, retryAfter }, now, random)
  return { state: nextAttemptAt ? 'waiting' : 'failed', nextAttemptAt }
}

function report(
  log: Log,
  { webhook, delivery }: Claimed,
  { isDelivered, status, code }: AttemptReply,
  disabled: DisabledReason | undefined,
): void {
  const { id, workspace } = webhook
  const fields = { webhook: id, workspace, message: delivery.id, attempt: delivery.attempts, status }
  if (isDelivered) log.debug(fields, 'a webhook message was delivered')
  else log.info({ ...fields, code }, 'a webhook message was not delivered')
  if (disabled) log.warn({ webhook: id, workspace, reason: disabled }, DISABLED[disabled])
}

const DISABLED: Readonly<Record<DisabledReason, string>> = {
  gone: 'a webhook is disabled, because its receiver answered 410: delete it, or enable it with `housestyle webhook test`',
  failing:
    'a webhook is disabled, because all attempts failed for five days: fix its receiver, then enable it with `housestyle webhook test`',
}
