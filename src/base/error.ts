/**
 * An error that whoever started the command can mend, as a full disk: it is told in words, without a stack. The code
 * names the cause, never changes, and is of lower-case words with underscores, unlike those of Node and the system.
 */
export class OperationalError extends Error {
  readonly code: string
  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** The code of an error of the system or of Node, as in `ENOENT`; empty if it has none. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/** What an error says, whatever was thrown. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
