import { once } from 'node:events'
import { EXIT } from './failure-codes.ts'

/** What a command gets from the process that runs it. */
export type Io = {
  /** Results. */
  out: (text: string) => void
  /** Everything else. */
  err: (text: string) => void
  /** Whether results, and everything else, may be coloured. */
  hasColor: { out: boolean; err: boolean }
  /** Whether a person watches what is not a result. */
  isTerminal: boolean
  /** Asks the person at the terminal; absent if there is none. */
  ask?: (question: string) => Promise<string>
  columns: number
  environment: Readonly<Partial<Record<string, string>>>
  /** The working folder, absolute. */
  folder: string
  /** Aborted when the person or the system wants the command to end: with `SIGINT` or `SIGTERM` as the message. */
  signal: AbortSignal
}

/** Waits for the signal that ends a command which runs on. Gives its exit code: SIGTERM is how a service is stopped. */
export async function untilInterrupted({ signal }: Io): Promise<number> {
  if (!signal.aborted) await once(signal, 'abort')
  return signal.reason instanceof Error && signal.reason.message === 'SIGINT' ? EXIT.interrupted : EXIT.done
}
