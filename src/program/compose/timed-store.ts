import type { MaybePromise } from '#platform/base/promise.ts'
import type { Metrics } from '#platform/telemetry/metrics.ts'
import { currentTrace, type Tracing } from '#platform/telemetry/trace-context.ts'
import type { Database } from '#store/database/database.ts'
import type { Files } from '#store/files/files.ts'
import type { Store } from '#store/store.ts'

/** The metrics that record times, a monotonic clock in milliseconds, and tracing if enabled. */
export type Timing = {
  metrics: Pick<Metrics, 'countEngine'>
  ticks: () => number
  tracing?: Pick<Tracing, 'beginEngine'> | undefined
}

type Engines = { database: 'sqlite' | 'postgres'; files: 'disk' | 's3' }

/** Wraps a store to record the time of its engines in metrics. */
export function timedStore(store: Store, engines: Engines, timing: Timing): Store {
  return {
    ...store,
    database: timedDatabase(store.database, timerOf(engines.database, timing)),
    files: timedFiles(store.files, timerOf(engines.files, timing)),
  }
}

type Timer = <Value>(operation: string, work: () => MaybePromise<Value>) => MaybePromise<Value>

/** Makes a timer that records the duration and outcome of work on an engine. */
export function timerOf(engine: string, { metrics, ticks, tracing }: Timing): Timer {
  return (operation, work) => {
    const beganMs = ticks()
    const trace = tracing && currentTrace()
    const span = trace && tracing.beginEngine(engine, operation, trace)
    const count = (isOk: boolean) => metrics.countEngine(engine, operation, isOk, ticks() - beganMs)
    const failed = (error: unknown): never => {
      count(false)
      span?.end({ error })
      throw error
    }
    const worked = <Value>(value: Value): Value => {
      count(true)
      span?.end()
      return value
    }
    try {
      const value = work()
      return value instanceof Promise ? value.then(worked, failed) : worked(value)
    } catch (error) {
      return failed(error)
    }
  }
}

function timedDatabase(database: Database, timer: Timer): Database {
  return {
    ...database,
    get: (...query) => timer('query', () => database.get(...query)),
    all: (...query) => timer('query', () => database.all(...query)),
    run: (...query) => timer('query', () => database.run(...query)),
    probe: () => timer('probe', () => database.probe()),
    transaction: async (...work) => timer('transaction', () => database.transaction(...work)),
  }
}

function timedFiles(files: Files, timer: Timer): Files {
  return { ...files, open: async (...args) => timer('open', () => files.open(...args)) }
}
