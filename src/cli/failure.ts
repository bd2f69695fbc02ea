import { OperationalError } from '../base/error.ts'
import type { Result } from '../base/result.ts'
import type { FailureCode } from './failure-codes.ts'

/** A command fails as expected: its message is for whoever ran it, and no stack is shown. */
export class CommandFailure extends OperationalError {
  constructor(code: FailureCode, message: string) {
    super(code, message)
  }
}

/** The value of a result; throws the problem if there is one. */
export function unwrap<Value>(result: Result<Value, { code: string; message: string }>): Value {
  if (!result.ok) throw new OperationalError(result.problem.code, result.problem.message)
  return result.value
}
