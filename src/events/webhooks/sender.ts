import {
  type AttemptRecord,
  claimDelivery,
  type DeliveryRecord,
  listDueWebhooks,
  nextDueAt,
  recordAttempt,
} from '../../store/catalogue/deliveries.ts'
import {
  type DisabledReason,
  disableWebhook,
  findWebhook,
  markFailing,
  markWorking,
  type WebhookRecord,
} from '../../store/catalogue/webhooks.ts'
import type { Database, Queries } from '../../store/database/database.ts'
import type { Log } from '../../telemetry/log.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import type { OutageReporter } from '../../telemetry/outage-log.ts'
import { type AttemptParts, type AttemptReply, attempt, GONE } from './attempt.ts'
import { nextAttemptAt } from './schedule.ts'

/** Sends the waiting messages of webhooks until it is stopped. */
export type Sender = {
  /** Looks for due messages now, for example after a change. */
  wake: () => void
  /** Begins no more attempts, and waits for those under way. */
  stop: () => Promise<void>
}

export type SenderParts = AttemptParts & {
  database: Database
  /** The time of day, in milliseconds. */
  clock: () => number
  log: Log
  metrics: Pick<Metrics, 'countDelivery'>
  /** Makes a reporter of problems with the database. */
  reporter: () => OutageReporter
  /** Numbers from 0 to 1. */
  random?: () => number
}

type Sending = {
  parts: SenderParts
  looked: OutageReporter
  sent: OutageReporter
  /** The attempts under way, keyed by webhook: one at a time each, so that a slow receiver delays only itself. */
  running: Map<string, Promise<void>>
  /** The number of attempts under way to webhooks that failed lately. */
  failing: number
  timer: NodeJS.Timeout | undefined
  looking: Promise<void> | undefined
  isDue: boolean
  isStopping: boolean
}

/**
 * Starts to send. Each attempt leases its message, so that several processes send it once; after a crash, the next
 * attempt follows when the lease has ended.
 */
export function startSender(parts: SenderParts): Sender {
  const sending: Sending = {
    parts,
    looked: parts.reporter(),
    sent: parts.reporter(),
    running: new Map(),
    failing: 0,
    timer: undefined,
    looking: undefined,
    isDue: true,
    isStopping: false,
  }
  wake(sending)
  return {
    wake: () => wake(sending),
    stop: async () => {
      sending.isStopping = true
      clearTimeout(sending.timer)
      await sending.looking
      await Promise.all(sending.running.values())
    },
  }
}

function wake(sending: Sending): void {
  sending.isDue = true
  sending.looking ??= look(sending)
}

async function look(sending: Sending): Promise<void> {
  const { database, clock } = sending.parts
  while (sending.isDue && !sending.isStopping) {
    sending.isDue = false
    clearTimeout(sending.timer)
    try {
      const now = clock()
      for (const webhook of await listDueWebhooks(database, now)) begin(sending, webhook)
      const next = await nextDueAt(database, now)
      sending.looked.worked()
      wakeAfter(sending, Math.min((next ?? Number.POSITIVE_INFINITY) - clock(), MAX_PAUSE_MS))
    } catch (error) {
      sending.looked.failed(error)
      wakeAfter(sending, RETRY_MS)
    }
  }
  sending.looking = undefined
}

/** Commands of other processes may add or repeat messages unnoticed. */
const MAX_PAUSE_MS = 30_000
const RETRY_MS = 1000

function wakeAfter(sending: Sending, milliseconds: number): void {
  if (sending.isStopping) return
  clearTimeout(sending.timer)
  sending.timer = setTimeout(() => wake(sending), Math.max(MIN_PAUSE_MS, milliseconds))
  sending.timer.unref()
}

/** Timers may end slightly early. */
const MIN_PAUSE_MS = 10

/** Begins an attempt if there is a free slot. Failing receivers leave some slots to working ones. */
function begin(sending: Sending, { id, isFailing }: { id: string; isFailing: boolean }): void {
  const { running } = sending
  const isFull = running.size >= MAX_RUNNING || (isFailing && sending.failing >= MAX_FAILING)
  if (isFull || running.has(id) || sending.isStopping) return
  if (isFailing) sending.failing++
  const end = () => {
    if (isFailing) sending.failing--
    running.delete(id)
  }
  const work = sendNext(sending.parts, id).then(
    () => {
      end()
      sending.sent.worked()
      if (!sending.isStopping) wake(sending)
    },
    error => {
      end()
      sending.sent.failed(error)
      wakeAfter(sending, RETRY_MS)
    },
  )
  running.set(id, work)
}

const MAX_RUNNING = 64
const MAX_FAILING = 32

/** Sends the first due message of a webhook. */
async function sendNext(parts: SenderParts, id: string): Promise<void> {
  const { database, clock } = parts
  const claimed = await database.transaction(queries => claim(queries, id, clock()), UNFLUSHED)
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

/** After a power failure, a message may be sent again; publications do not wait for the disk meanwhile. */
const UNFLUSHED = { durable: false }

type Claimed = { webhook: WebhookRecord; delivery: DeliveryRecord }

async function claim(queries: Queries, id: string, now: number): Promise<Claimed | undefined> {
  const webhook = await findWebhook(queries, id)
  const delivery = webhook && (await claimDelivery(queries, id, { now, until: now + LEASE_MS }))
  return delivery && { webhook, delivery }
}

/** Longer than an attempt, including both transactions. */
const LEASE_MS = 55_000

type Attempted = { reply: AttemptReply; now: Date; random: number }

/** Records an attempt. Returns why the webhook is now disabled, if it is. */
async function record(queries: Queries, claimed: Claimed, attempted: Attempted): Promise<DisabledReason | undefined> {
  const { delivery, webhook } = claimed
  const { reply, now } = attempted
  const { status, problem } = reply
  const details = { at: now, ...(status !== undefined && { status }), ...(problem !== undefined && { problem }) }
  await recordAttempt(queries, delivery, { ...details, ...outcomeOf(delivery, attempted) })
  if (reply.isDelivered) {
    await markWorking(queries, webhook.id)
    return undefined
  }
  await markFailing(queries, webhook.id, now)
  const { failingSince = now, disabled } = (await findWebhook(queries, webhook.id)) ?? {}
  const isFailingLong = now.getTime() - failingSince.getTime() >= MAX_FAILING_MS
  const reason = status === GONE ? 'gone' : isFailingLong ? 'failing' : undefined
  if (!reason || disabled) return undefined
  await disableWebhook(queries, webhook.id, reason, now)
  return reason
}

const MAX_FAILING_MS = 5 * 24 * 3600 * 1000

function outcomeOf(
  { attempts }: DeliveryRecord,
  { reply, now, random }: Attempted,
): Pick<AttemptRecord, 'state' | 'nextAt'> {
  if (reply.isDelivered) return { state: 'delivered' }
  const { status, retryAfter } = reply
  const nextAt = nextAttemptAt({ attempts, status, retryAfter }, now, random)
  return nextAt ? { state: 'waiting', nextAt } : { state: 'failed' }
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
