/** The store cannot be used as it is: said to whoever started the command, without a stack. */
export class StoreError extends Error {
  readonly code = 'ERR_STORE'
}
