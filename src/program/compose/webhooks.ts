import type { Outbox } from '#delivery/events/outbox.ts'
import { type Deliver, secretOpener } from '#delivery/events/webhooks/attempt.ts'
import { webhookOutbox } from '#delivery/events/webhooks/sender.ts'
import { untrustedFetch } from '#platform/outgoing/outgoing-fetch.ts'
import { forbiddenHosts } from '#platform/outgoing/public-targets.ts'
import type { Settings } from '#platform/settings/settings.ts'
import type { StoreMonitor } from '#serving/health/store-monitor.ts'
import type { ServiceSource } from './shared.ts'

export function startWebhooks(source: ServiceSource, monitor: StoreMonitor): Outbox {
  const { settings, store, publicUrl, log, metrics } = source
  return webhookOutbox({
    database: store.database,
    clock: store.clock.now,
    deliver: delivererFor(settings, publicUrl),
    openSecret: secretOpener(settings.keySecret),
    log,
    metrics,
    reporter: () => monitor.reporterFor('the messages of webhooks cannot be read or recorded'),
  })
}

/** Whether a delivery would refuse this host of an address, without a look-up of its name. */
export function isForbiddenReceiver(settings: Settings, publicUrl: string, hostname: string): boolean {
  return forbiddenHosts({ allow: settings.outgoingAllow, publicUrl })(hostname)
}

/** Makes the requests of webhooks. Each attempt checks the address again. Receivers answer with a status only. */
export function delivererFor({ outgoingAllow }: Settings, publicUrl: string): Deliver {
  return untrustedFetch({ allow: outgoingAllow, publicUrl }, { maxMs: ATTEMPT_MS, ignoresBody: true })
}

const ATTEMPT_MS = 20_000
