/** What a server allows its clients. */
export type ConnectionLimits = {
  /** How many connections there may be. */
  connections: number
  /** How many one address may have. */
  perAddress: number
  /** Whose address may have any number. */
  isExempt: (address: string) => boolean
  /** How many file descriptors there may be. */
  descriptors: number
  /** How long a request may take to come while as many connections are open as there may be, in milliseconds. */
  fullRequestMs: number
  /**
   * How long a client may read nothing of a reply before it is dropped, in milliseconds. The system buffers megabytes
   * and asks for more only when a part has been read, so for minutes a slow reader may seem to read nothing.
   */
  stallMs: number
  /** How long replies may take once the server is stopped, in milliseconds. Most supervisors kill a process after 30 seconds. */
  drainMs: number
}

/** Those of a server whose operator sets none. */
export const DEFAULT_LIMITS: Omit<ConnectionLimits, 'descriptors'> = {
  connections: Number.POSITIVE_INFINITY,
  perAddress: Number.POSITIVE_INFINITY,
  isExempt: () => false,
  fullRequestMs: 10_000,
  stallMs: 300_000,
  drainMs: 25_000,
}
