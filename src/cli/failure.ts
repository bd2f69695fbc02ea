/** A command fails as expected: its message is for whoever ran it, and no stack is shown. */
export class CommandFailure extends Error {
  /** A code of `FAILURE_CODES`, as `--json` prints it. */
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
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
