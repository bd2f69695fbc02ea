import { randomUUID } from 'node:crypto'
import { serial } from '#platform/base/promise.ts'
import type { OutageReporter } from '#platform/telemetry/outage-log.ts'
import { putLease, removeLease } from '#store/catalogue/services.ts'
import type { Database } from '#store/database/database.ts'

/** Leases the address of a running service for ten seconds at a time. Returns the function that ends it. */
export async function leaseAddress(
  database: Database,
  { url, clock, reporter }: { url: string; clock: () => number; reporter: OutageReporter },
): Promise<() => Promise<void>> {
  const id = randomUUID()
  const startedAt = clock()
  const inTurn = serial()
  let pendingWrites = 0
  const write = (change: () => Promise<void>) => {
    pendingWrites++
    return inTurn(() => change().then(reporter.worked, reporter.failed)).finally(() => pendingWrites--)
  }
  const renew = () => {
    const now = clock()
    const lease = { id, url, startedAt, expiresAt: now + LEASE_MS }
    return database.transaction(queries => putLease(queries, lease, now), { durable: false })
  }
  await write(renew)
  const renewIfIdle = () => {
    if (pendingWrites === 0) void write(renew)
  }
  const timer = setInterval(renewIfIdle, RENEWAL_MS).unref()
  return async () => {
    clearInterval(timer)
    await write(() => database.transaction(queries => removeLease(queries, id)))
  }
}

const LEASE_MS = 10_000
const RENEWAL_MS = 3000
