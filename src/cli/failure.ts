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

/** Throws what a command was refused for; what it gave otherwise is left. */
export function unwrap<Value extends object>(outcome: Value | Refused): Value {
  if (isRefused(outcome)) throw new CommandFailure(outcome.refused.code, outcome.refused.message)
  return outcome
}

type Refused = { refused: { code: string; message: string } }

function isRefused(outcome: object | Refused): outcome is Refused {
  return 'refused' in outcome
}
