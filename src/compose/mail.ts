import type { Outbox } from '../events/outbox.ts'
import { mailOutbox } from '../manage/mail/mail-sender.ts'
import { type Mailer, openMailer } from '../outgoing/smtp.ts'
import type { StoreMonitor } from '../serving/health/store-monitor.ts'
import type { Settings } from '../settings/settings.ts'
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

/** The server in `--smtp`; undefined if none is set. */
export function mailerFor(
  { smtp, smtpPassword: password, outgoingAllow: allow }: Settings,
  publicUrl: string,
): Mailer | undefined {
  return smtp && openMailer({ smtp, password, targets: { allow, publicUrl } })
}
