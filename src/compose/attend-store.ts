import { keepUndoingCopies } from '../publishing/abandoned-copies.ts'
import { leaseAddress } from '../serving/health/address-lease.ts'
import { watchClock } from '../serving/health/clock-watch.ts'
import type { StoreMonitor } from '../serving/health/store-monitor.ts'
import type { Store } from '../store/store.ts'
import type { Log } from '../telemetry/log.ts'

/**
 * What a process does for a store that it serves, however many of its threads do: it keeps its address there, undoes copies
 * that were left behind, and watches the clock. Gives the function that ends it.
 */
export async function attendStore(
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
