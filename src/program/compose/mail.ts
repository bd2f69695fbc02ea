import type { Outbox } from '#delivery/events/outbox.ts'
import { mailOutbox } from '#people/manage/mail/mail-sender.ts'
import { greetingName, type Mailer, openMailer, smtpAdvice, smtpReply } from '#platform/outgoing/smtp.ts'
import type { Settings } from '#platform/settings/settings.ts'
import type { StoreMonitor } from '#serving/health/store-monitor.ts'
import type { ServiceSource } from './shared.ts'

/** The outbox of mail; none without `--smtp`. */
export function startMail(
  { settings, store, publicUrl, log, metrics }: ServiceSource,
  monitor: StoreMonitor,
): Outbox[] {
  const mailer = mailerFor(settings, publicUrl)
  if (!mailer) return []
  const { database, identity, clock } = store
  const reporter = () => monitor.reporterFor('mail cannot be read or recorded')
  return [mailOutbox({ database, identity, publicUrl, clock: clock.now, mailer, log, metrics, reporter })]
}

/** The problem with the server in `--smtp` if it cannot be used, and its fix. */
export async function mailProblem(settings: Settings, publicUrl: string) {
  try {
    await mailerFor(settings, publicUrl)?.check()
    return []
  } catch (error) {
    const message = `cannot be used: ${smtpReply(error)}`
    const fix = `${smtpAdvice(error, greetingName(settings.smtp, publicUrl))}; until then mail waits for a few days`
    return [{ check: 'unreachable', subject: 'the mail server', message, fix } as const]
  }
}

/** The server in `--smtp`; undefined if none is set. */
function mailerFor(
  { smtp, smtpPassword: password, outgoingAllow: allow }: Settings,
  publicUrl: string,
): Mailer | undefined {
  return smtp && openMailer({ smtp, password, targets: { allow, publicUrl } })
}
