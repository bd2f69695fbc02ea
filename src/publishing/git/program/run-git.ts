import { type ChildProcess, spawn } from 'node:child_process'
import { addAbortListener, once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { readAll } from '#platform/base/bytes.ts'
import { errorCode } from '#platform/base/error.ts'
import { attempt, failed, ok, type Result } from '#platform/base/result.ts'
import { endFirst } from '#platform/processes/oom-score.ts'
import type { GitFailure, GitProblem } from './git-problem.ts'

export type GitRunner = {
  environment: Readonly<Record<string, string>>
  folder: string
  /** Sends a signal to a process group, whose id is negative. Throws if none exists. */
  kill: (id: number, signal: NodeJS.Signals) => void
  signal: AbortSignal
  /** The time for a command without its own limit. */
  maxMs?: number
}

export type GitLimits = {
  /** A program other than git, such as the shell for ssh. */
  program?: 'git' | 'sh'
  /** The input of the command; empty if absent. */
  input?: string | Uint8Array | undefined
  maxMs?: number
  maxBytes?: number
  /** Checked four times a second; a problem ends the command. */
  watch?: () => GitProblem | undefined
}

export type GitStreams = { input: Writable; output: Readable }

/** Runs a command of git, and returns its output, of which `maxBytes` are allowed (1 MiB). Throws as `streamGit`. */
export async function runGit(
  runner: GitRunner,
  args: readonly string[],
  { input: bytes, maxBytes = 1 << 20, ...limits }: GitLimits = {},
): Promise<Result<string, GitFailure>> {
  return streamGit(runner, args, limits, async ({ input, output }) => {
    input.end(bytes)
    const problem = { code: 'git_damaged', message: `git ${args[0]} printed too much` } as const
    return (await readAll(output, maxBytes, () => new StoppedGit(problem))).toString()
  })
}

/** Ends a command, with this problem as its result. */
export class StoppedGit extends Error {
  readonly problem: GitProblem
  constructor(problem: GitProblem) {
    super(problem.message)
    this.problem = problem
  }
}

/**
 * Runs a command while work uses its streams; the work must read the output to its end. The process and its child
 * processes are killed at a limit, at an abort, and if the work throws; they have ended when this returns.
 *
 * @throws the reason of an abort, and what the work throws, unless it is a `StoppedGit` or the command failed
 */
export async function streamGit<Value>(
  { environment, folder, kill, signal, maxMs: usualMs = QUICK_MS }: GitRunner,
  args: readonly string[],
  { program = 'git', maxMs = usualMs, watch = () => undefined }: Omit<GitLimits, 'maxBytes' | 'input'>,
  work: (streams: GitStreams) => Promise<Value>,
): Promise<Result<Value, GitFailure>> {
  signal.throwIfAborted()
  // In its own process group, so that ssh and the helpers of git end with it.
  const child = spawn(program, args, { cwd: folder, env: environment, detached: true, stdio: 'pipe' })
  endFirst(child.pid)
  const exited = exitOf(child)
  const stop = () => endGroup(child, kill)
  using limits = openLimits(maxMs, watch, stop)
  using _ = addAbortListener(signal, stop)
  const stderr = readErrors(child.stderr)
  const [outcome] = await Promise.allSettled([work({ input: child.stdin, output: child.stdout })])
  const hasFailed = outcome.status === 'rejected'
  // Work that lacks the rest of an ended output fails because the command did.
  const isEndedByWork = hasFailed && !child.stdout.readableEnded
  if (isEndedByWork) {
    stop()
    child.stdout.destroy() // The process does not count as ended while it has output to read.
  }
  const exit = await exited
  // The first reason counts: an abort, a limit, the work, the command, and then an error of the work.
  signal.throwIfAborted()
  const failure = limits.failure() ?? workFailure(outcome) ?? (await exitFailure(exit, isEndedByWork, stderr))
  if (failure) return failed(failure)
  if (hasFailed) throw outcome.reason
  return ok(outcome.value)
}

/** Stops a command that takes too long, or in which `watch` finds a problem. */
function openLimits(maxMs: number, watch: () => GitProblem | undefined, stop: () => void) {
  let failure: GitFailure | undefined
  const stopWith = (reason: GitFailure) => {
    failure ??= reason
    stop()
  }
  const check = () => {
    const problem = watch()
    if (problem) stopWith({ kind: 'stopped', problem })
  }
  const timer = setTimeout(() => stopWith({ kind: 'slow', stderr: '' }), maxMs)
  const watching = setInterval(check, WATCH_MS)
  return {
    failure: () => failure,
    [Symbol.dispose]: () => {
      clearTimeout(timer)
      clearInterval(watching)
    },
  }
}

/** The failure of a command that its own work has stopped. */
function workFailure(outcome: PromiseSettledResult<unknown>): GitFailure | undefined {
  const isStop = outcome.status === 'rejected' && outcome.reason instanceof StoppedGit
  return isStop ? { kind: 'stopped', problem: outcome.reason.problem } : undefined
}

/** The failure of the process itself. One that its work has ended was killed on purpose. */
async function exitFailure(
  { code, isMissing, isKilled }: Exit,
  isEndedByWork: boolean,
  stderr: Promise<string>,
): Promise<GitFailure | undefined> {
  if (isMissing) return { kind: 'missing', stderr: '' }
  if (isKilled) return isEndedByWork ? undefined : { kind: 'killed', stderr: '' }
  return code === 0 ? undefined : { kind: 'failed', stderr: await stderr }
}

/** The time for a command without a limit. */
const QUICK_MS = 60_000
const WATCH_MS = 250

type Exit = { code: number | null; isMissing: boolean; isKilled: boolean }

async function exitOf(child: ChildProcess): Promise<Exit> {
  // The command may end before it has read its whole input.
  child.stdin?.on('error', () => undefined)
  try {
    const [code, signal] = await once(child, 'close')
    return { code, isMissing: false, isKilled: signal !== null }
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
    return { code: null, isMissing: true, isKilled: false }
  }
}

/** Kills the process with all processes that it has started. */
function endGroup({ pid }: ChildProcess, kill: GitRunner['kill']): void {
  if (pid === undefined) return
  attempt(() => kill(-pid, 'SIGKILL')) // All processes may have ended.
}

/** Keeps the end of the errors, which has the cause. */
async function readErrors(stream: Readable): Promise<string> {
  let text = ''
  for await (const chunk of stream) text = `${text}${chunk}`.slice(-MAX_ERRORS)
  return text
}

const MAX_ERRORS = 32 << 10
