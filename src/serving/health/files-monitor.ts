import { joinRuns } from '#platform/base/promise.ts'
import type { Log } from '#platform/telemetry/log.ts'
import { openOutageLog } from '#platform/telemetry/outage-log.ts'
import type { Files } from '#store/files/files.ts'
import { explanationOf, FilesOutage } from '#store/store-error.ts'

export type FilesMonitor = {
  /** The same files. Requests for them fail at once during an outage. */
  files: Files
  isDown: () => boolean
  /** Checks whether the files are available; never throws. */
  check: () => Promise<void>
  /** Whether an error is an outage of these files. If so, calls `log`, unless the outage was logged already. */
  reportOutage: (error: unknown, log: () => void) => boolean
  stop: () => void
}

/** `urn` names the store that the files should belong to. */
type ProbeOptions = { urn: string; log: Log; ticks: () => number }

/**
 * Probes files on another machine, or returns undefined: reads their owner, and logs the start and end of each outage.
 * Files of another store count as unavailable.
 */
export function monitorFiles(files: Files, options: ProbeOptions): FilesMonitor | undefined {
  const { probe } = files
  if (!probe) return undefined
  const { check, outage } = openProbe(probe, options)
  const isDown = () => outage() !== undefined
  const open: Files['open'] = async (...wanted) => {
    if (isDown()) throw outage()
    return files.open(...wanted)
  }
  const timer = setInterval(check, CHECK_MS).unref()
  return {
    files: { ...files, open },
    isDown,
    check,
    reportOutage: (error, log) => {
      if (!(error instanceof FilesOutage)) return false
      if (isDown()) return true
      void check().then(() => {
        if (!isDown()) log()
      })
      return true
    },
    stop: () => clearInterval(timer),
  }
}

/** Opens the check of the owner. `outage` returns the error of the last check, if it failed. */
function openProbe(readOwner: NonNullable<Files['probe']>, { urn, log, ticks }: ProbeOptions) {
  const reporter = openOutageLog(
    error => log.error({ err: error }, `${UNREADABLE}${explanationOf(error)}`),
    () => log.info({}, 'the files can be read again'),
    ticks,
  ).reporter()
  let outage: unknown
  const assertOwner = async () => {
    const owner = await readOwner()
    if (owner !== undefined && owner !== urn) throw foreign(owner)
  }
  const check = joinRuns(() =>
    assertOwner().then(
      () => {
        outage = undefined
        reporter.worked()
      },
      error => {
        outage = error
        reporter.failed(error)
      },
    ),
  )
  return { check, outage: () => outage }
}

const CHECK_MS = 2000

const UNREADABLE = 'cannot read the files; the service keeps answering from memory: '

function foreign(owner: string): FilesOutage {
  return new FilesOutage(`the files belong to another store, ${owner}`, 'name the files that belong to this store')
}
