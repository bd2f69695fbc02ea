/** The store cannot be used as it is: said to whoever started the command, without a stack. */
export class StoreError extends Error {
  readonly code = 'ERR_STORE'
}

/** Whether something failed for want of room on a disk. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if ('errcode' in error && error.errcode === SQLITE_FULL) return true
  return 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
}

const SQLITE_FULL = 13
