import { once } from 'node:events'
import { EXIT } from './failure-codes.ts'

/** The process, as a command sees it. */
export type Io = {
  /** Prints results. */
  out: (text: string) => void
  /** Prints a result that is not text; done when it can take more. */
  outBytes: (bytes: Uint8Array) => Promise<void>
  /** What is piped into the command; absent if nothing is. */
  input?: AsyncIterable<Uint8Array>
  /** Prints everything else. */
  err: (text: string) => void
  /** Whether each of the two may be coloured. */
  hasColor: { out: boolean; err: boolean }
  /** Whether stderr is a terminal, so that a person reads it. */
  isTerminal: boolean
  /** Whether stdout is a terminal, so that what is printed is laid out for a person. */
  isOutTerminal?: boolean
  /** Asks the person at the terminal. Absent if nobody is there. */
  ask?: (question: string) => Promise<string>
  columns: number
  environment: Readonly<Partial<Record<string, string>>>
  /** The version of Node, as in `26.10.0`. */
  nodeVersion: string
  /** How the person ran this program: `housestyle` (by default) or `npx housestyle`. */
  readonly program?: string
  /** The working folder, absolute. Reading it throws if it was removed. */
  readonly folder: string
  /** The user whose files a command may take as its own; absent on systems without numbers of users. */
  userId?: number
  /** Aborted by SIGINT or SIGTERM; the message of the reason is the name of the signal. */
  signal: AbortSignal
  /** Sends a signal to a process, or to a group of processes by its number below zero. Throws if none is left. */
  kill?: (id: number, signal: NodeJS.Signals) => void
  /** From now on the command goes on if nobody reads what it prints; otherwise that ends it. */
  outlastReaders?: () => void
}

/** Waits for the signal that ends a service. Gives the exit code: SIGTERM is the normal way to stop one. */
export async function untilInterrupted({ signal }: Io): Promise<number> {
  if (!signal.aborted) await once(signal, 'abort')
  return signal.reason instanceof Error && signal.reason.message === 'SIGINT' ? EXIT.interrupted : EXIT.done
}
