import { OperationalError } from '../base/error.ts'
import type { Result } from '../base/result.ts'
import type { FailureCode } from './failure-codes.ts'

/** An expected failure of a command. Its message is for the user, and no stack is shown. */
export class CommandFailure extends OperationalError {
  constructor(code: FailureCode, message: string) {
    super(code, message)
  }
}

/** The value of a result. If it is a problem, that is thrown as the failure of the command. */
export function unwrap<Value>(result: Result<Value, { code: string; message: string }>): Value {
  if (!result.ok) throw new OperationalError(result.problem.code, result.problem.message)
  return result.value
}
