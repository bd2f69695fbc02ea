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
