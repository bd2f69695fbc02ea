import type { LimitMemory } from '../../access/limit/limit-shared.ts'
import type { SharingChange } from '../../access/limit/limit-with-fallback.ts'
import type { AddressMemory } from '../../http/connections/shared-address-counts.ts'
import type { PoolHost, TaskSource } from '../../processes/remote-pool.ts'
import type { ReadinessState } from '../../serving/health/readiness.ts'
import type { Settings } from '../../settings.ts'
import type { MetricsReading, MetricsText } from '../../telemetry/metrics-reading.ts'
import type { ServiceOptions } from '../running.ts'

/** What a thread is started with. */
export type ThreadData = {
  /** From 1 on; one that takes the place of another has its number. */
  thread: number
  /** Where one of them bounds all threads together, it is this thread's part of the bound. */
  settings: Settings
  build: ServiceOptions['build']
  environment: ServiceOptions['environment']
  /** The socket that all listen on. */
  descriptor: number
  /** How many file descriptors this thread may use for connections. */
  descriptors: number
  shared: SharedMemory
}

/** The memory that all threads see. */
export type SharedMemory = {
  rate: LimitMemory | undefined
  ratePublic: LimitMemory | undefined
  /** Undefined if one address may have any number of connections. */
  addresses: AddressMemory | undefined
  /** How many connections each thread has, or -1 if it does not run. */
  connections: SharedArrayBuffer
}

/** What a thread does for the first one, which has started it. */
export type ThreadWork = TaskSource & {
  catchUp: () => Promise<void>
  readiness: () => Promise<ReadinessState>
  metrics: () => Promise<MetricsReading>
  /** Answers what has come, and ends. */
  stop: () => Promise<void>
}

/** What the first thread does for each of the others. */
export type FirstWork = PoolHost & {
  /** It answers from now on. */
  started: () => void
  /** Writes a line of the log. */
  writeLine: (line: string) => void
  readiness: () => Promise<ReadinessState>
  metrics: () => Promise<MetricsText>
  limitChanged: (of: { thread: number; limit: string; change: SharingChange }) => void
  countFailure: (login: { client: string; address: string }) => number
  /** It has accepted what waited. Resolves when all that stop have, and the socket is theirs alone. */
  accepted: () => Promise<unknown>
  /** It listens no more. Resolves when none of those that stop does. */
  closed: () => Promise<unknown>
}
