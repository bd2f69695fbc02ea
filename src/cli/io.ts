import { once } from 'node:events'
import { EXIT } from './failure.ts'

/** The streams, terminal and environment of the process, as commands use them. */
export type Io = {
  /** Prints results. */
  out: (text: string) => void
  /** Prints a binary result. Resolves when more can be written. */
  outBytes: (bytes: Uint8Array) => Promise<void>
  /** Standard input, if it is available. */
  input?: AsyncIterable<Uint8Array>
  /** Prints everything else. */
  err: (text: string) => void
  /** Whether stdout and stderr may be coloured. */
  hasColor: { out: boolean; err: boolean }
  /** Whether stderr is a terminal. */
  isTerminal: boolean
  /** Whether stdout is a terminal, for which results get a layout for people. */
  isOutTerminal?: boolean
  /** Asks the user a question. Absent if there is no terminal. */
  ask?: (question: string) => Promise<string>
  columns: number
  environment: Readonly<Partial<Record<string, string>>>
  /** The version of Node, such as `26.10.0`. */
  nodeVersion: string
  /** The start of the user's command line: `housestyle` (by default) or `npx housestyle`. */
  readonly program?: string
  /** The working folder, absolute. Reading it throws if it was removed. */
  readonly folder: string
  /** The id of the user whose files a command trusts; absent on systems without numeric user ids. */
  userId?: number
  /** Aborted by SIGINT or SIGTERM. The message of the abort reason is the name of the signal. */
  signal: AbortSignal
  /** Sends a signal to a process, or to a process group if the id is negative. Throws if none exists. */
  kill?: (id: number, signal: NodeJS.Signals) => void
  /**
   * Keeps the command running even if its output is no longer read, which otherwise ends it. `isLogging` tells whether
   * a write of its log is in progress, which can delay an exit.
   */
  outlastReaders?: (isLogging: () => boolean) => void
}

/** Waits for the signal that ends a service. Returns the exit code, because SIGTERM is the normal way to stop a service. */
export async function untilInterrupted({ signal }: Io): Promise<number> {
  if (!signal.aborted) await once(signal, 'abort')
  return signal.reason instanceof Error && signal.reason.message === 'SIGINT' ? EXIT.interrupted : EXIT.done
}
