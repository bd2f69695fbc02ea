import { Outbox, type OutboxParts } from '#delivery/events/outbox.ts'
import { nextAttempt } from '#delivery/events/webhooks/attempt.ts'
import { type Mail, type Mailer, smtpProblem, smtpReply } from '#platform/outgoing/smtp.ts'
import type { Log } from '#platform/telemetry/log.ts'
import type { Metrics } from '#platform/telemetry/metrics.ts'
import { claimMail, listDueMail, type MailOutcome, type MailRecord, recordMail } from '#store/access/mail.ts'
import { nextDueAt } from '#store/catalogue/webhooks.ts'
import { unlessDamaged } from '#store/database/damaged-row.ts'
import type { MessageParts } from './message.ts'

export type MailParts = MessageParts &
  Pick<OutboxParts, 'clock' | 'reporter'> & {
    mailer: Mailer
    log: Log
    metrics: Pick<Metrics, 'countMail'>
    /** Numbers from 0 to 1. */
    random?: () => number
  }

/** Sends the waiting mail. Its attempts have the times of webhooks. */
export function mailOutbox(parts: MailParts): Outbox {
  const { database } = parts
  return new Outbox({
    ...parts,
    listDue: now => listDueMail(database, now),
    nextDueAt: now => nextDueAt(database, 'mail', now),
    send: id => unlessDamaged(database, () => sendMail(parts, id)),
    maxRunning: 4,
  })
}

/** Writes and sends one mail, and records the attempt. A mail that is too old, or has nothing to say any more, ends. */
async function sendMail(parts: MailParts, id: string): Promise<void> {
  const { database, clock } = parts
  const claimed = await claimMail(database, id, { now: clock(), until: clock() + LEASE_MS })
  if (!claimed) return
  const isOld = clock() - claimed.createdAt.getTime() > MAX_AGE_MS
  const { writeMail } = await import('./message.ts')
  const mail = isOld ? undefined : await writeMail(parts, claimed, new Date(clock()))
  const outcome = mail ? await attempt(parts, claimed, mail) : 'ended'
  await database.transaction(queries => recordMail(queries, claimed, outcome))
}

/** Longer than an attempt, including both transactions. */
const LEASE_MS = 55_000
/** Mail is older if it waited while no service had `--smtp`. */
const MAX_AGE_MS = 5 * 24 * 3600 * 1000

/** Sends a mail. Returns what became of it: the time of the next attempt if there is one. Never throws. The log has no address. */
async function attempt(parts: MailParts, claimed: MailRecord, mail: Mail): Promise<MailOutcome> {
  const { mailer, clock, log, metrics, random = Math.random } = parts
  const { id, workspace, project, kind, attempts } = claimed
  const fields = { mail: id, workspace, project, kind, attempt: attempts }
  try {
    await mailer.send(mail)
    metrics.countMail('ok')
    log.debug(fields, 'a mail was sent')
    return 'sent'
  } catch (error) {
    metrics.countMail('error')
    const { code, isFinal } = smtpProblem(error)
    const failed = { attempts, status: undefined, retryAfter: undefined }
    const nextAt = isFinal ? undefined : nextAttempt(failed, new Date(clock()), random())
    const failureFields = { ...fields, code, reply: smtpReply(error).replace(/(?<![^\s<>])[^\s<>]+@[^\s<>]+/g, '…') }
    log.warn(failureFields, nextAt ? 'a mail was not sent: see `housestyle doctor`' : 'a mail was given up')
    return nextAt ?? 'ended'
  }
}
