import { outageOf } from '../../store/outage.ts'
import type { Store } from '../../store/store.ts'
import { isUnwritable } from '../../store/store-error.ts'
import type { Log } from '../../telemetry/log.ts'
import { openOutageLog } from '../../telemetry/outage-log.ts'

/** Knows whether the disk of a data folder is full or read-only. */
export type DiskMonitor = { isUnwritable: () => boolean; stop: () => void }

/** Writes to the disk of a data folder every five seconds. Logs each outage once when it begins and once when it ends. */
export function monitorDisk(probeDisk: Store['probeDisk'], log: Log, ticks: () => number): DiskMonitor {
  const unwritable = openOutageLog(
    error => log.error({ err: error }, `${UNWRITABLE}${outageOf(error) ?? 'see the error'}`),
    () => log.info({}, 'the store can be written again'),
    ticks,
  )
  const reporter = unwritable.reporter()
  let isProbing = false
  const probe = async () => {
    if (isProbing) return
    isProbing = true
    try {
      await probeDisk?.()
      reporter.worked()
    } catch (error) {
      // Other checks report a folder that was moved, or a lack of descriptors.
      if (isUnwritable(error)) reporter.failed(error)
    }
    isProbing = false
  }
  const timer = probeDisk && setInterval(probe, PROBE_MS)
  timer?.unref()
  return { isUnwritable: () => unwritable.durationMs() !== undefined, stop: () => clearInterval(timer) }
}

const PROBE_MS = 5000
const UNWRITABLE = 'cannot write to the store; published content is still served: '
