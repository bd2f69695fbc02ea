import type { Files } from '../../store/files/files.ts'
import { outageOf } from '../../store/outage.ts'
import { FilesOutage } from '../../store/store-error.ts'
import type { Log } from '../../telemetry/log.ts'
import { openOutageLog } from '../../telemetry/outage-log.ts'
import { boundedOpen } from './bounded-open.ts'

/** Monitors files on another machine. */
export type FilesMonitor = {
  /** The same files. Waiting for them is bounded, and requests fail at once during an outage. */
  files: Files
  /** Whether an outage was noticed last. */
  isDown: () => boolean
  /** Checks whether the files are available; never throws. */
  check: () => Promise<void>
  /**
   * Whether the error of a failed request is an outage of these files. If so, calls `log`, unless the files are
   * unavailable, which is logged once.
   */
  reportOutage: (error: unknown, log: () => void) => boolean
  stop: () => void
}

/** `urn` names the store that the files should belong to. */
type FilesMonitorParts = { urn: string; log: Log; ticks: () => number }

/**
 * Monitors files by the results of requests and by a probe: each second during an outage, every ten seconds without
 * reads, and at once if a request fails or waits for long. Files of another store count as unavailable. Undefined if
 * the files are on this machine.
 */
export function monitorFiles(files: Files, parts: FilesMonitorParts): FilesMonitor | undefined {
  if (!files.probe) return undefined
  const { ticks } = parts
  const { outage, check } = openProbe(files.probe, parts)
  let answeredAt = ticks()
  const recordAnswer = () => {
    answeredAt = ticks()
  }
  const bounded = boundedOpen(files.open, { outage, check, recordAnswer })
  const timer = setInterval(() => {
    if (outage() === undefined && ticks() - answeredAt < IDLE_MS) return
    recordAnswer()
    void bounded.recheck()
  }, CHECK_MS)
  timer.unref()
  const isDown = () => outage() !== undefined
  return {
    files: { ...files, open: bounded.open },
    isDown,
    check,
    reportOutage: (error, log) => {
      if (!(error instanceof FilesOutage)) return false
      if (isDown()) return true
      void bounded.recheck().then(() => isDown() || log())
      return true
    },
    stop: () => clearInterval(timer),
  }
}

const CHECK_MS = 1000
/** Files are probed after this time without an answer to a request. */
const IDLE_MS = 10_000

/** Reads the owner of the files, once for all concurrent callers. Logs the start and end of each outage. */
function openProbe(probe: NonNullable<Files['probe']>, { urn, log, ticks }: FilesMonitorParts) {
  const away = openOutageLog(
    error => log.error({ err: error }, `${UNREADABLE}${outageOf(error) ?? 'see the error'}`),
    () => log.info({}, 'the files can be read again'),
    ticks,
  )
  const reporter = away.reporter()
  let outage: unknown
  const ask = async () => {
    try {
      const owner = await probe()
      if (owner !== undefined && owner !== urn) throw foreign(owner)
      outage = undefined
      reporter.worked()
    } catch (error) {
      outage = error
      reporter.failed(error)
    }
  }
  let asking: Promise<void> | undefined
  const check = () => {
    asking ??= ask().finally(() => {
      asking = undefined
    })
    return asking
  }
  return { outage: () => outage, check }
}

const UNREADABLE = 'cannot read the files; the service keeps answering from memory: '

function foreign(owner: string): FilesOutage {
  return new FilesOutage(`the files belong to another store, ${owner}`, 'name the files that belong to this store')
}
