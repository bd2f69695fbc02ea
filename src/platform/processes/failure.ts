import { errorCode, errorMessage } from '../base/error.ts'
import { withReason } from '../base/reason.ts'
import { type ExitCause, ProcessExit } from './sandbox.ts'

/** The cause of a process failure: the task (`time`, `memory`), another version of the program, or something else. */
export type Cause = ExitCause | 'time' | 'replaced'

export type Failure = { task: string; author: string; cause: Cause }

/** Failed twice, at least once for a reason outside the task. `cause` is the `ProcessExit` or system error. */
export class ProcessFailed extends Error {
  explain(message: string): string {
    return withReason(message, this.cause instanceof ProcessExit ? this.cause.reason : errorMessage(this.cause ?? ''))
  }

  /** Whether an exit code, a signal or a system error says that the machine is short of memory. */
  mayLackMemory(): boolean {
    return this.cause instanceof ProcessExit ? this.cause.mayLackMemory : errorCode(this.cause) === 'ENOMEM'
  }
}

export class QueueFull extends Error {}

/** Whether the task itself is the cause: it exceeded a limit. */
export function isTaskFault(cause: Cause): cause is 'time' | 'memory' {
  return cause === 'time' || cause === 'memory'
}
