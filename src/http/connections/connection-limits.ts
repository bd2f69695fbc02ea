import type { ConnectionCaps } from './connection-caps.ts'
import type { RequestTimeouts } from './request-timeouts.ts'

/** The limits of a server for its clients. */
export type ConnectionLimits = ConnectionCaps &
  RequestTimeouts & {
    /**
     * The time after which a client that reads nothing of a reply is dropped, in milliseconds. The system buffers
     * megabytes and requests more only when a part has been read, so a slow reader may appear idle for minutes.
     */
    stallMs: number
    /**
     * The time for replies after the server is stopped, in milliseconds. Most supervisors kill a process after 30 s.
     */
    drainMs: number
  }

/** The default limits. */
export const DEFAULT_LIMITS: ConnectionLimits = {
  connections: Number.POSITIVE_INFINITY,
  perAddress: Number.POSITIVE_INFINITY,
  isExempt: () => false,
  headMs: 30_000,
  requestMs: 60_000,
  stallMs: 300_000,
  drainMs: 25_000,
}
