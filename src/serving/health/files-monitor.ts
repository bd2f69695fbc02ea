import type { Files } from '../../store/files/files.ts'
import { outageOf } from '../../store/outage.ts'
import { FilesOutage } from '../../store/store-error.ts'
import type { Log } from '../../telemetry/log.ts'
import { openOutageLog } from '../../telemetry/outage-log.ts'
import { boundedOpen } from './bounded-open.ts'

/** Watches files that are on another machine. */
export type FilesMonitor = {
  /** The same files. What waits for them is bounded, and refused at once while they are away. */
  files: Files
  /** Whether they are away, as was last noticed. */
  isAway: () => boolean
  /** Looks whether they are there; never throws. */
  check: () => Promise<void>
  /**
   * Whether an error that a request failed with is an outage of these files. If so, `log` is called, unless they are away,
   * which is logged once.
   */
  reportOutage: (error: unknown, log: () => void) => boolean
  stop: () => void
}

/** The URN of the store that the files should be of. */
type FilesMonitorParts = { urn: string; log: Log; ticks: () => number }

/**
 * Watches files by what requests find, and by a probe: each second while they are away, every ten if nobody reads, and at
 * once if a request fails or waits for long. Files that say that they are of another store count as away. Undefined if
 * the files are on this machine.
 */
export function monitorFiles(files: Files, parts: FilesMonitorParts): FilesMonitor | undefined {
  if (!files.probe) return undefined
  const { ticks } = parts
  const { outage, check } = openProbe(files.probe, parts)
  let heardAt = ticks()
  const heard = () => {
    heardAt = ticks()
  }
  const bounded = boundedOpen(files.open, { outage, check, heard })
  const timer = setInterval(() => {
    if (outage() === undefined && ticks() - heardAt < IDLE_MS) return
    heard()
    void bounded.recheck()
  }, CHECK_MS)
  timer.unref()
  const isAway = () => outage() !== undefined
  return {
    files: { ...files, open: bounded.open },
    isAway,
    check,
    reportOutage: (error, log) => {
      if (!(error instanceof FilesOutage)) return false
      if (isAway()) return true
      void bounded.recheck().then(() => isAway() || log())
      return true
    },
    stop: () => clearInterval(timer),
  }
}

const CHECK_MS = 1000
/** After so long without a word of them, files are asked whether they are there. */
const IDLE_MS = 10_000

/** Asks the files whose they are, once for all who want to know, and logs when they go away and come back. */
function openProbe(probe: NonNullable<Files['probe']>, { urn, log, ticks }: FilesMonitorParts) {
  const away = openOutageLog(
    error => log.error({ err: error }, `${AWAY}${outageOf(error) ?? 'see the error'}`),
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

const AWAY = 'the files cannot be read, and what is in memory goes on being served: '

function foreign(owner: string): FilesOutage {
  return new FilesOutage(`the files are of another store, ${owner}`, 'name the files that belong to this store')
}
