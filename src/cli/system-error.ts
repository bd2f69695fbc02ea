/**
 * A message for a system error: the attempt, the problem and the fix. Undefined if the user can do nothing about it.
 *
 * @param knownPath replaces the path in the error
 */
export function describeSystemError(error: unknown, knownPath?: string): string | undefined {
  if (!(error instanceof Error)) return undefined
  const {
    code,
    syscall,
    path = '',
  } = { code: '', syscall: '', ...fieldsOf(error), ...(knownPath && { path: knownPath }) }
  if (syscall === 'uv_cwd') return 'the working folder was removed: change to another one with cd, and try again'
  const why = REASONS[code]
  if (syscall === '' || why === undefined) return describeSystemError(error.cause, knownPath)
  const what = VERBS[syscall.split(' ')[0] ?? ''] ?? syscall
  return `cannot ${what}${path === '' ? '' : ` ${path}`}: ${why}`
}

/** The string properties that Node adds to system errors. */
function fieldsOf(error: object): { code?: string; syscall?: string; path?: string } {
  return Object.fromEntries(Object.entries(error).filter(([, value]) => typeof value === 'string'))
}

const FORBIDDEN = 'permission denied; allow it, or name another place'
const FULL = 'its disk is full; free space and try again'

/** The problem and the fix, keyed by error code. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: FORBIDDEN,
  EPERM: FORBIDDEN,
  EROFS: 'the disk is read-only; name another place, or make it writable',
  ENOSPC: FULL,
  EDQUOT: FULL,
  EMFILE: 'this process has too many open files; raise its limit, for example with ulimit -n 1024, and try again',
  ENFILE: 'the system has too many open files; close programs that you do not need or raise the limit, and try again',
  EAGAIN:
    'the system cannot start more processes; close programs that you do not need or raise the limit, and try again',
  EIO: 'its disk fails; check its condition and connection, and try again',
  ENOTDIR: 'a part of that path is a file; name another place',
  ENAMETOOLONG: 'that path is too long; name a shorter one',
}

/** The verb for each system call. */
const VERBS: Readonly<Record<string, string>> = {
  spawn: 'start',
  mkdir: 'make the folder',
  mkdtemp: 'make the folder',
  scandir: 'list',
  opendir: 'list',
  stat: 'access',
  lstat: 'access',
  realpath: 'access',
  fsync: 'write to the disk',
  unlink: 'remove',
  rmdir: 'remove',
}
