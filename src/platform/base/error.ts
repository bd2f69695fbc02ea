/**
 * An error that the operator can fix, such as a full disk, printed without a stack. The code names the cause and never
 * changes. It consists of lower-case words with underscores, unlike Node and system codes.
 */
export class OperationalError extends Error {
  readonly code: string
  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** Returns the code of a system or Node error, such as `ENOENT`; empty if it has none. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/** The message of a thrown value of any type; only its code if no address of a host accepts a connection. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message || errorCode(error) : String(error)
}
