/** The store cannot be used as it is: said to whoever started the command, without a stack. */
export class StoreError extends Error {
  readonly code = 'ERR_STORE'
}

/** An error as it is, or, where a disk is full, in words: which one, and what to do. */
export function withWords(error: unknown, folder: string): unknown {
  if (!isDiskFull(error)) return error
  const message = `the disk of ${folder} is full, and what was under way is undone: make room and try again`
  return new StoreError(message, { cause: error })
}

function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if ('errcode' in error && (error.errcode === SQLITE_FULL || error.errcode === SQLITE_IOERR_SHMSIZE)) return true
  return 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
}

const SQLITE_FULL = 13
/** Even readers share a file of memory, which has to be made. */
const SQLITE_IOERR_SHMSIZE = 4874
