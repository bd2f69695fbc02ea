import { setTimeout as sleep } from 'node:timers/promises'
import { within } from '../../base/promise.ts'
import type { ReadinessState } from '../../serving/health/readiness.ts'
import type { Log } from '../../telemetry/log.ts'
import type { MetricsReading } from '../../telemetry/metrics-reading.ts'
import type { Calls } from '../../threads/calls.ts'
import { startThread, type Thread } from './thread.ts'
import type { FirstWork, ThreadData, ThreadWork } from './thread-calls.ts'

/** The threads of a service that answer requests. */
export type Threads = {
  /** Resolves when all of them answer; rejects if one cannot. */
  start: () => Promise<void>
  catchUp: () => Promise<void>
  /** Whether all of them can answer. */
  readiness: () => Promise<ReadinessState>
  /** The metrics of those that run, and the counts of those that have ended. */
  readings: () => Promise<MetricsReading[]>
  /** How large the largest of their heaps is, in bytes. */
  largestHeap: () => number
  /** Has them answer what has come, and ends them. */
  stop: () => Promise<void>
}

type ThreadsOptions = {
  count: number
  dataFor: (thread: number) => ThreadData
  /** What is done for a thread, apart from what concerns all of them. */
  workFor: (calls: Calls<ThreadWork>) => Omit<FirstWork, 'started' | 'accepted' | 'closed'>
  /** Called when a thread has ended, before another has its number. */
  ended: (thread: number) => void
  /** Called when those that stop have accepted what waited. */
  allAccepted: () => void
  log: Log
}

/** Opens threads. Once all have started, another takes the place of each that ends. */
export function openThreads({ count, dataFor, workFor, log, ...options }: ThreadsOptions): Threads {
  const running = new Map<number, Thread>()
  const starting = new Map<number, Promise<void>>()
  const stopping = new AbortController()
  const barriers = { accepted: openBarrier(options.allAccepted), closed: openBarrier() }
  const [readings, largestHeap] = [openReadings(running), watchHeaps(running, stopping.signal)]
  let haveStarted = false
  const start = async (number: number) => {
    const beganMs = performance.now()
    const thread = startThread(dataFor(number), calls => ({
      ...workFor(calls),
      // One that cannot open its service stops alone.
      accepted: async () => stopping.signal.aborted && barriers.accepted.arrived(number),
      closed: async () => stopping.signal.aborted && barriers.closed.arrived(number),
    }))
    running.set(number, thread)
    void thread.ended.then(failure => {
      running.delete(number)
      readings.ended(number)
      options.ended(number)
      for (const { arrived } of Object.values(barriers)) void arrived(number)
      if (!haveStarted || stopping.signal.aborted) return
      log.error({ err: failure, thread: number }, ENDED)
      const restMs = performance.now() - beganMs < SOON_MS ? SOON_MS : 0
      starting.set(number, restart(number, restMs))
    })
    await thread.started
  }
  const restart = async (number: number, restMs: number) => {
    const isWanted = await sleep(restMs, true, { signal: stopping.signal }).catch(() => false)
    if (isWanted) await start(number).catch(() => undefined) // It has ended, which is told and leads here again.
  }
  return {
    start: async () => {
      await Promise.all(Array.from({ length: count }, (_, at) => start(at + 1)))
      haveStarted = true
    },
    catchUp: async () => void (await Promise.allSettled(running.values().map(({ calls }) => calls.call('catchUp')))),
    readiness: () => readinessOf(running),
    readings: readings.all,
    largestHeap,
    stop: async () => {
      stopping.abort()
      await Promise.all(starting.values())
      for (const { begin } of Object.values(barriers)) begin([...running.keys()])
      await Promise.all(running.values().map(thread => thread.stop()))
    },
  }
}

/** A thread that ends so soon after its start is not replaced at once. */
const SOON_MS = 1000

const ENDED = 'a thread of the service has ended, its connections are lost, and another takes its place'

/** A point that each of those that stop comes to before any of them goes on. One that has ended is not waited for. */
function openBarrier(passed: () => void = () => undefined) {
  const awaited = new Set<number>()
  const all = Promise.withResolvers<void>()
  let hasBegun = false
  const arrived = (thread: number) => {
    awaited.delete(thread)
    if (!hasBegun || awaited.size > 0) return all.promise
    hasBegun = false
    passed()
    all.resolve()
    return all.promise
  }
  return {
    begin: (threads: readonly number[]) => {
      for (const thread of threads) awaited.add(thread)
      hasBegun = true
      if (threads.length === 0) void arrived(0)
    },
    arrived,
  }
}

/** Keeps what threads counted that have ended, as far as it was read. */
function openReadings(running: ReadonlyMap<number, Thread>) {
  const latest = new Map<number, MetricsReading>()
  const kept: MetricsReading[] = []
  const read = async (number: number, { calls }: Thread) => {
    const reading = await within(PATIENCE_MS, calls.call('metrics'), () => undefined).catch(() => undefined)
    if (reading && running.has(number)) latest.set(number, reading)
  }
  return {
    all: async () => {
      await Promise.all(Array.from(running, ([number, thread]) => read(number, thread)))
      return [...kept, ...latest.values()]
    },
    ended: (number: number) => {
      const reading = latest.get(number)
      latest.delete(number)
      if (reading)
        void import('../../telemetry/metrics-registry.ts').then(async ({ countsOf }) => {
          kept.splice(0, kept.length, await countsOf([...kept, reading]))
        })
    },
  }
}

/** Asks threads four times a second how large their heaps are; gives the function that says how large the largest is. */
function watchHeaps(running: ReadonlyMap<number, Thread>, signal: AbortSignal): () => number {
  const known = new WeakMap<Thread, number>()
  const asked = new WeakSet<Thread>()
  const ask = async (thread: Thread) => {
    if (asked.has(thread)) return // A busy thread answers later.
    asked.add(thread)
    known.set(thread, await thread.heapBytes().catch(() => 0)) // It may have ended.
    asked.delete(thread)
  }
  const timer = setInterval(() => running.forEach(thread => void ask(thread)), 250)
  signal.addEventListener('abort', () => clearInterval(timer))
  return () => Math.max(0, ...running.values().map(thread => known.get(thread) ?? 0))
}

/** What all threads say together: they are ready if each of them is, and lack what one lacks. */
async function readinessOf(running: ReadonlyMap<number, Thread>): Promise<ReadinessState> {
  const ask = ({ calls }: Thread) => within(PATIENCE_MS, calls.call('readiness'), silent).catch(silent)
  const states = await Promise.all(running.values().map(ask))
  const order = (state: ReadinessState) => (state.isReady ? (state.text === 'ready' ? 2 : 1) : 0)
  const [worst] = states.sort((a, b) => order(a) - order(b))
  return worst ?? { isReady: false, text: 'unavailable: threads' }
}

const silent = (): ReadinessState => ({ isReady: true, text: 'degraded: threads' })

/** How long a thread has to answer, which may be busy. */
const PATIENCE_MS = 1000
