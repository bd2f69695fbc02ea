/**
 * A message for an error of the system: what was attempted, what went wrong and what to do. Undefined if the person who
 * runs the command can do nothing about it.
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

/** The properties that Node adds to errors of the system, if they are texts. */
function fieldsOf(error: object): { code?: string; syscall?: string; path?: string } {
  return Object.fromEntries(Object.entries(error).filter(([, value]) => typeof value === 'string'))
}

const FORBIDDEN = 'this user may not; allow it, or name another place'
const FULL = 'its disk is full; make room and try again'

/** What went wrong and what to do, by the code of the error. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: FORBIDDEN,
  EPERM: FORBIDDEN,
  EROFS: 'it is on a disk that is read-only; name another place, or allow writing there',
  ENOSPC: FULL,
  EDQUOT: FULL,
  EMFILE: 'this process may not have more files open; raise its limit, as with ulimit -n 1024, and try again',
  ENFILE: 'the system has too many files open; end what is not needed, or raise its limit, and try again',
  EAGAIN: 'the system starts no more processes; end what is not needed, or raise its limit, and try again',
  EIO: 'its disk fails; see that it is well and connected, and try again',
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
  stat: 'look at',
  lstat: 'look at',
  realpath: 'look at',
  fsync: 'write to the disk',
  unlink: 'remove',
  rmdir: 'remove',
}
