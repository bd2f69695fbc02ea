import { closeSync, openSync } from 'node:fs'

/** The store cannot be used as it is: said to whoever started the command, without a stack. */
export class StoreError extends Error {
  readonly code = 'ERR_STORE'
}

/**
 * An error as it is, or, where a disk is full or too many files are open, in words: what is the case, and what to do.
 */
export function withWords(error: unknown, folder: string): unknown {
  const message = isDiskFull(error)
    ? `the disk of ${folder} is full, and what was under way is undone: make room and try again`
    : hasTooManyOpen(error)
      ? `cannot use the store in ${folder}: no more files may be open at a time; raise that limit, as with ulimit -n 1024, and try again`
      : undefined
  return message === undefined ? error : new StoreError(message, { cause: error })
}

function hasTooManyOpen(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if ('code' in error && (error.code === 'EMFILE' || error.code === 'ENFILE')) return true
  // SQLite does not say why it cannot open a file; it opens some more at a time.
  return 'errcode' in error && error.errcode === SQLITE_CANTOPEN && !canOpen(4)
}

function canOpen(more: number): boolean {
  const opened: number[] = []
  try {
    while (opened.length < more) opened.push(openSync(import.meta.filename, 'r'))
    return true
  } catch {
    return false
  } finally {
    for (const descriptor of opened) closeSync(descriptor)
  }
}

const SQLITE_CANTOPEN = 14

function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if ('errcode' in error && (error.errcode === SQLITE_FULL || error.errcode === SQLITE_IOERR_SHMSIZE)) return true
  return 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
}

const SQLITE_FULL = 13
/** Even readers share a file of memory, which has to be made. */
const SQLITE_IOERR_SHMSIZE = 4874
