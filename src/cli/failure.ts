import { OperationalError } from '../base/error.ts'
import type { Result } from '../base/result.ts'
import codes from './failure-codes.json' with { type: 'json' }

/** The exit codes. `failed` also means that `check` has found an error. */
export const EXIT = { done: 0, failed: 1, misused: 2, interrupted: 130 } as const

export type FailureCode = keyof typeof codes

/**
 * All causes of failure, keyed by the code that `--json` prints. docs/errors.md is generated from this table. An error
 * with one of these codes is expected, and its message is for the user. The exit code is 1 unless a cause has another.
 */
export const FAILURE_CODES: Readonly<Record<FailureCode, { meaning: string; fix: string; exitCode?: number }>> = codes

/** The exit code of a command that fails with this code. */
export function exitCodeOf(code: string): number {
  return (isFailureCode(code) ? FAILURE_CODES[code].exitCode : undefined) ?? EXIT.failed
}

export function isFailureCode(code: string): code is FailureCode {
  return Object.hasOwn(FAILURE_CODES, code)
}

/** An expected failure of a command. Its message is for the user, and no stack is shown. */
export class CommandFailure extends OperationalError {
  constructor(code: FailureCode, message: string) {
    super(code, message)
  }
}

/** Returns the value of a result, or throws its problem as the command's failure. */
export function unwrap<Value>(result: Result<Value, { code: string; message: string }>): Value {
  if (!result.ok) throw new OperationalError(result.problem.code, result.problem.message)
  return result.value
}
