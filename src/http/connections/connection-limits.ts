import type { ConnectionCaps } from './connection-caps.ts'
import type { RequestTimeouts } from './request-timeouts.ts'

/** What a server allows its clients. */
export type ConnectionLimits = ConnectionCaps &
  RequestTimeouts & {
    /**
     * How long a client may read nothing of a reply before it is dropped, in milliseconds. The system buffers megabytes
     * and asks for more only when a part has been read, so for minutes a slow reader may seem to read nothing.
     */
    stallMs: number
    /** How long replies may take once the server is stopped, in milliseconds. Most supervisors kill a process after 30 s. */
    drainMs: number
  }

/** The limits unless the operator sets others. */
export const DEFAULT_LIMITS: ConnectionLimits = {
  connections: Number.POSITIVE_INFINITY,
  perAddress: Number.POSITIVE_INFINITY,
  isExempt: () => false,
  headMs: 30_000,
  requestMs: 60_000,
  stallMs: 300_000,
  drainMs: 25_000,
}
