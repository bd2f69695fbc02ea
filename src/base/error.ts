/**
 * An error that the operator can fix, such as a full disk. It is printed without a stack. The code names the cause and
 * never changes. It is made of lower-case words with underscores, unlike the codes of Node and the system.
 */
export class OperationalError extends Error {
  readonly code: string
  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** The code of an error of the system or of Node, such as `ENOENT`; empty if it has none. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/** The message of a thrown value, which need not be an error. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
