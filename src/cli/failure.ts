import type { Result } from '../base/result.ts'

/** A command fails as expected: its message is for whoever ran it, and no stack is shown. */
export class CommandFailure extends Error {
  /** A code of `FAILURE_CODES`, as `--json` prints it. */
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** The value of a result; throws the problem if there is one. */
export function unwrap<Value>(result: Result<Value, { code: string; message: string }>): Value {
  if (!result.ok) throw new CommandFailure(result.problem.code, result.problem.message)
  return result.value
}
