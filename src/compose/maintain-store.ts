import { keepUndoingCopies } from '../publishing/abandoned-copies.ts'
import { leaseAddress } from '../serving/health/address-lease.ts'
import { watchClock } from '../serving/health/clock-watch.ts'
import type { StoreMonitor } from '../serving/health/store-monitor.ts'
import type { Store } from '../store/store.ts'
import type { Log } from '../telemetry/log.ts'

/**
 * Maintains a store while it is served: leases the service address there, undoes abandoned copies, and watches the
 * clock. Returns a function that ends maintenance.
 */
export async function maintainStore(
  store: Store,
  { url, monitor, log }: { url: string; monitor: StoreMonitor; log: Log },
): Promise<() => Promise<void>> {
  const stopUndoing = keepUndoingCopies(store, monitor.reporterFor('a copy that was left behind cannot be undone'))
  const stopClock = watchClock(store.clock, log)
  const reporter = monitor.reporterFor('the address of the service cannot be kept in the store')
  const endLease = await leaseAddress(store.database, { url, clock: store.clock.now, reporter })
  return async () => {
    stopClock()
    await stopUndoing()
    await endLease()
  }
}
