import codes from '#brand/failure-codes.json' with { type: 'json' }
import { OperationalError } from '#platform/base/error.ts'
import type { Result } from '#platform/base/result.ts'

/** The exit codes. `failed` also means that `check` has found an error. */
export const EXIT = { done: 0, failed: 1, misused: 2, interrupted: 130 } as const

export type FailureCode = keyof typeof codes

/** All causes of failure, keyed by the code that `--json` prints. docs/commands.md lists them. */
export const FAILURE_CODES: Readonly<Record<FailureCode, { meaning: string; fix: string; exitCode?: number }>> = codes

export function exitCodeOf(code: string): number {
  return (isFailureCode(code) ? FAILURE_CODES[code].exitCode : undefined) ?? EXIT.failed
}

export function isFailureCode(code: string): code is FailureCode {
  return Object.hasOwn(FAILURE_CODES, code)
}

/** An expected failure of a command. Its message is for the user, and no stack is shown. */
export class CommandFailure extends OperationalError {
  constructor(code: FailureCode, message: string) {
    super(code, message)
  }
}

/** The command line itself is wrong: an operand or option is missing, unknown or malformed. */
export class Misuse extends CommandFailure {
  constructor(message: string) {
    super('usage', message)
  }
}

/** The failure to find `what`; the command `list` shows what exists. */
export function unknownItem(code: FailureCode, what: string, list: string): CommandFailure {
  return new CommandFailure(code, `there is no ${what}: see \`housestyle ${list}\``)
}

export function unwrap<Value>(result: Result<Value, { code: string; message: string }>): Value {
  if (!result.ok) throw new OperationalError(result.problem.code, result.problem.message)
  return result.value
}

/** Whether an error only says that the user has interrupted the command. */
export function isInterruption(error: unknown, signal: AbortSignal): boolean {
  return signal.aborted && error instanceof Error && error.name === 'AbortError'
}

/**
 * The message of a system error, or of the one that caused an error: `cannot open /x: permission denied; allow it, …`.
 * Undefined if the user can do nothing about it. `knownPath` replaces the path.
 */
export function describeSystemError(error: unknown, knownPath?: string): string | undefined {
  if (!(error instanceof Error)) return undefined
  // Node's system errors have these fields: `EACCES`, `open` and the path.
  const { code = '', syscall = '', path = '' } = { ...fieldsOf(error), ...(knownPath && { path: knownPath }) }
  if (syscall === 'uv_cwd') return 'the working folder was removed: change to another one with cd, and try again'
  const why = REASONS[code]
  if (syscall === '' || why === undefined) return describeSystemError(error.cause, knownPath)
  // The system call of a process is `spawn git`.
  const verb = VERBS[syscall.split(' ')[0] ?? ''] ?? syscall
  return `cannot ${verb}${path === '' ? '' : ` ${path}`}: ${why}`
}

function fieldsOf(error: object): { code?: string; syscall?: string; path?: string } {
  return Object.fromEntries(Object.entries(error).filter(([, value]) => typeof value === 'string'))
}

const FORBIDDEN = 'permission denied; allow it, or name another place'
const FULL = 'its disk is full; free space and try again'

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

const VERBS: Readonly<Record<string, string>> = {
  spawn: 'start',
  copyfile: 'copy',
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
