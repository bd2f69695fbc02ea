import { outageOf } from '../store/outage.ts'
import type { Store } from '../store/store.ts'
import type { Log } from '../telemetry/log.ts'
import { type Look, tellOnce } from '../telemetry/tell-once.ts'

/** Whether a service answers, and what it says of that. */
type Readiness = { isReady: boolean; text: string }

/** Watches the store that a service answers from. */
export type StoreWatch = {
  /** A look of its own for each who reads the database again and again. */
  look: () => Look
  /** A look of something else that needs the database: told on its own, where the database can be read. */
  lookFrom: (text: string) => Look
  /** Looks at the store now, and tells what it is found to be without. */
  check: () => Promise<{ isMoved: boolean; unreadableMs: number | undefined }>
  /** Whether an error is an outage of the store, and no fault of the program: then it is told, with its request, if any. */
  tellOutage: (error: unknown, requestId?: string) => boolean
  end: () => void
}

/** Looks at a store every second, and tells once of each outage and of its end. */
export function watchStore({ database, isInPlace }: Store, log: Log, ticks: () => number): StoreWatch {
  const unreadable = tellOnce(
    error => log.error({ err: error }, `${UNREADABLE}${outageOf(error) ?? 'see the error'}`),
    () => log.info({}, 'the database can be read again'),
    ticks,
  )
  const moved = tellOnce(
    () => log.error({}, MOVED),
    () => log.info({}, 'the data folder is back in its place'),
    ticks,
  )
  const [reading, placing] = [unreadable.look(), moved.look()]
  const check: StoreWatch['check'] = async () => {
    try {
      if (isInPlace()) placing.worked()
      else placing.failed(undefined)
      await database.probe()
      reading.worked()
    } catch (error) {
      reading.failed(error)
    }
    return { isMoved: moved.lastsMs() !== undefined, unreadableMs: unreadable.lastsMs() }
  }
  const isWell = async () => {
    const { isMoved, unreadableMs } = await check()
    return !isMoved && unreadableMs === undefined
  }
  const timer = setInterval(check, CHECK_MS)
  timer.unref()
  return {
    look: unreadable.look,
    lookFrom: text => {
      const tell = (error: unknown) => log.error({ err: error }, `${text}: ${outageOf(error) ?? 'see the error'}`)
      const { failed, worked } = tellOnce(tell, () => undefined, ticks).look()
      return { worked, failed: error => void isWell().then(itIs => itIs && failed(error)) }
    },
    check,
    tellOutage: (error, requestId) => {
      const words = outageOf(error)
      const isAway = moved.lastsMs() !== undefined || unreadable.lastsMs() !== undefined
      if (words === undefined && !isAway) return false
      const fields = { err: error, ...(requestId !== undefined && { requestId }) }
      void isWell().then(itIs => itIs && log.error(fields, `a request failed: ${words ?? 'see the error'}`))
      return true
    },
    end: () => clearInterval(timer),
  }
}

const CHECK_MS = 1000
const UNREADABLE = 'the database cannot be read, and what is in memory goes on being served: '
const MOVED =
  'the data folder or its database was moved, removed or replaced: put it back, or restart the service to serve what is there now'

/** What a service needs that is ready. */
export type ReadinessParts = {
  watch: StoreWatch
  /** How long what is in memory is enough, in milliseconds. */
  graceMs: number
  /** Whether a limit that is to be shared is; undefined where it is not to be. */
  isLimitShared: () => boolean | undefined
}

/** Says whether a service can answer. */
export type ReadinessGate = {
  readiness: () => Promise<Readiness>
  /** From now on it says that the service ends. */
  drain: () => void
}

/** Says whether a service can answer, until it drains. */
export function openReadiness({ watch, graceMs, isLimitShared }: ReadinessParts): ReadinessGate {
  let isDraining = false
  return {
    readiness: async () => {
      const { isMoved, unreadableMs } = await watch.check()
      if (isDraining) return unavailable('the service is ending')
      if (isMoved) return unavailable('the data folder was moved or replaced')
      if (unreadableMs !== undefined && unreadableMs >= graceMs) return unavailable('database')
      const isLimited = isLimitShared() === false
      const without = [...(unreadableMs === undefined ? [] : ['database']), ...(isLimited ? ['limits'] : [])]
      return { isReady: true, text: without.length === 0 ? 'ready' : `degraded: ${without.join(', ')}` }
    },
    drain: () => {
      isDraining = true
    },
  }
}

function unavailable(why: string): Readiness {
  return { isReady: false, text: `unavailable: ${why}` }
}
