import type { Result } from '../base/result.ts'

/** A command is refused: said to whoever ran it, without a stack. */
export class CommandFailure extends Error {
  /** A stable name of the cause, as `--json` prints it. */
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** A command is used wrongly: exit code 2. */
export class UsageFailure extends CommandFailure {
  constructor(message: string) {
    super('usage', message)
  }
}

/** The value of a result; throws the problem if there is one. */
export function unwrap<Value>(result: Result<Value, { code: string; message: string }>): Value {
  if (!result.ok) throw new CommandFailure(result.problem.code, result.problem.message)
  return result.value
}
