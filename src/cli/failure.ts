import { OperationalError } from '../base/error.ts'
import type { Result } from '../base/result.ts'
import type { FailureCode } from './failure-codes.ts'

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
