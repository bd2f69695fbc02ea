import { joinRuns } from '#platform/base/promise.ts'
import { attempt } from '#platform/base/result.ts'
import { type Log, onceAMinute } from '#platform/telemetry/log.ts'
import { type OutageReporter, openOutageLog } from '#platform/telemetry/outage-log.ts'
import type { Store } from '#store/store.ts'
import { explanationOf, isUnwritable, outageOf } from '#store/store-error.ts'

export type StoreMonitor = {
  reporter: () => OutageReporter
  /** A reporter for other work on the database, whose failures are logged separately if the database can be read. */
  reporterFor: (text: string) => OutageReporter
  state: () => StoreState
  /** Whether it also watches the disk of a data folder. */
  hasDisk: boolean
  /** Concurrent callers share one check. */
  check: () => Promise<StoreState>
  /** Whether an error is an outage of the store, not a fault. If so, it is logged, at most once a minute. */
  reportOutage: (error: unknown, requestId?: string) => boolean
  stop: () => void
}

/** `unreadableMs`: for how long the database cannot be read; undefined if it can be. */
type StoreState = { isMoved: boolean; unreadableMs: number | undefined; isUnwritable: boolean }

/** Checks a store every second (decisions/0150). Each outage is logged once when it begins and once when it ends. */
export function monitorStore({ database, isInPlace, probeDisk }: Store, log: Log, ticks: () => number): StoreMonitor {
  const unreadable = openReadLog(log, ticks)
  const place = monitorPlace(isInPlace, log, ticks)
  const disk = monitorDisk(probeDisk, log, ticks)
  const state = (): StoreState => ({
    isMoved: place.isMoved(),
    unreadableMs: unreadable.durationMs(),
    isUnwritable: disk.isUnwritable(),
  })
  const { worked, failed } = unreadable.reporter()
  const probe = async () => {
    place.check()
    await database.probe()
  }
  const check = joinRuns(() => probe().then(worked, failed).then(state))
  const isOut = () => unreadable.durationMs() !== undefined || place.isMovedNow()
  const timer = setInterval(check, CHECK_MS).unref()
  return {
    reporter: unreadable.reporter,
    ...openFailureLog(check, isOut, log, ticks),
    state,
    hasDisk: probeDisk !== undefined,
    check,
    stop: () => {
      clearInterval(timer)
      disk.stop()
    },
  }
}

/**
 * Logs failures of other work. Checks the store first: during an outage, which is logged already, they are not. `isOut`
 * says whether an outage is known.
 */
function openFailureLog(
  check: StoreMonitor['check'],
  isOut: () => boolean,
  log: Log,
  ticks: () => number,
): Pick<StoreMonitor, 'reporterFor' | 'reportOutage'> {
  const logFailure = logRarely(log, ticks)
  const ifHealthy = async (write: () => void) => {
    const { isMoved, unreadableMs } = await check()
    if (!isMoved && unreadableMs === undefined) write()
  }
  return {
    reporterFor: text => {
      const began = (error: unknown) => log.error({ err: error }, `${text}: ${explanationOf(error)}`)
      const { failed, worked } = openOutageLog(began, () => undefined, ticks).reporter()
      return { worked, failed: error => ifHealthy(() => failed(error)) }
    },
    reportOutage: (error, requestId) => {
      if (outageOf(error) === undefined && !isOut()) return false
      const fields = { err: error, ...(requestId !== undefined && { requestId }) }
      void ifHealthy(() => logFailure(fields, `a request failed: ${explanationOf(error)}`))
      return true
    },
  }
}

/** Logs once when the database cannot be read, and once when it can be again. */
function openReadLog(log: Log, ticks: () => number) {
  return openOutageLog(
    error => log.error({ err: error }, `${UNREADABLE}${explanationOf(error)}`),
    () => log.info({}, 'the database can be read again'),
    ticks,
  )
}

/** Logs an error at most once a minute per text, for example for each missing object. */
function logRarely(log: Log, ticks: () => number): Log['error'] {
  const logs = new Map<string, (fields: object) => void>()
  return (fields, text) => {
    if (!logs.has(text) && logs.size >= MAX_TEXTS) logs.clear()
    const writeRarely = logs.get(text) ?? onceAMinute((fields: object) => log.error(fields, text), ticks)
    logs.set(text, writeRarely)
    writeRarely(fields)
  }
}

const MAX_TEXTS = 1000

/** Logs once when a store is moved away, and once when it is back. */
function monitorPlace(isInPlace: Store['isInPlace'], log: Log, ticks: () => number) {
  const moved = openOutageLog(
    () => log.error({}, MOVED),
    () => log.info({}, 'the data folder is back in its place'),
    ticks,
  )
  const placeReporter = moved.reporter()
  const check = () => (isInPlace() ? placeReporter.worked() : placeReporter.failed(undefined))
  const isMoved = () => moved.durationMs() !== undefined
  const isMovedNow = () => {
    attempt(check) // The next check logs the reason of a failure.
    return isMoved()
  }
  return { check, isMoved, isMovedNow }
}

const CHECK_MS = 1000
const UNREADABLE = 'cannot read the database; the service keeps answering from memory: '
const MOVED =
  'the data folder, its database or its files were moved, removed or replaced: put them back, or restart the service to serve the new content'

type DiskMonitor = { isUnwritable: () => boolean; stop: () => void }

const NO_DISK: DiskMonitor = { isUnwritable: () => false, stop: () => undefined }

/** Writes to the disk of a data folder every five seconds. Logs each outage once when it begins and once when it ends. */
function monitorDisk(probeDisk: Store['probeDisk'], log: Log, ticks: () => number): DiskMonitor {
  if (!probeDisk) return NO_DISK
  const unwritable = openOutageLog(
    error => log.error({ err: error }, `${UNWRITABLE}${explanationOf(error)}`),
    () => log.info({}, 'the store can be written again'),
    ticks,
  )
  const { worked, failed } = unwritable.reporter()
  const probe = joinRuns(() =>
    probeDisk().then(worked, error => {
      // Other checks report a folder that was moved, or a lack of descriptors.
      if (isUnwritable(error)) failed(error)
    }),
  )
  const timer = setInterval(probe, PROBE_MS).unref()
  return { isUnwritable: () => unwritable.durationMs() !== undefined, stop: () => clearInterval(timer) }
}

const PROBE_MS = 5000
const UNWRITABLE = 'cannot write to the store; published content is still served: '
