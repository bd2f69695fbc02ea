import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { realpathSync } from 'node:fs'
import { Socket } from 'node:net'
import { constants, getPriority, setPriority } from 'node:os'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { CODE, MODULE_EXTENSION } from '../base/own-files.ts'
import { reasonOf, withReason } from '../base/reason.ts'
import { attempt } from '../base/result.ts'
import { endFirst } from './oom-score.ts'
import { assertUnchanged } from './program-code.ts'

/** The cause of an exit: the process could not run, ran out of memory, or was killed from outside. */
export type ExitCause = 'not-run' | 'memory' | 'killed'

/**
 * The exit of a child process. Its message gives the exit code or signal and the error that the process printed; its
 * cause has the end of its output, which is untrusted.
 */
export class ProcessExit extends Error {
  /** The error that the process printed; empty if it printed none. */
  readonly reason: string
  /** Whether the exit code or signal means that memory was short. */
  readonly mayLackMemory: boolean
  constructor(code: number | null, signal: string | undefined, printed: string) {
    const reason = reasonOf(withoutStack(printed))
    super(withReason(`it ended with ${signal ?? `exit code ${code}`}`, reason), {
      cause: printed.trim() === '' ? undefined : new Error(printed.trim()),
    })
    this.reason = reason
    this.mayLackMemory = MEMORY_SIGNALS.has(signal)
  }
}

/** Node and V8 print the stack, properties of the error and the version after the message. */
function withoutStack(printed: string): string {
  // Up to the first line that begins with `    at ` or `----- Native stack trace`.
  const message = printed.split(/^ {4}at |^-+ Native stack trace/m, 1).join('')
  return message.trim() === '' ? printed : message
}

export type SandboxedProcess = {
  child: ChildProcess
  /** The processor time that the process had used when it last told it, at most a second ago if it runs. */
  usedMs: number
  listeners: {
    message?: (message: unknown) => void
    /** `error` is the system error if no process could be started, otherwise the `ProcessExit`. */
    exited?: (cause: ExitCause, error?: Error) => void
  }
}

/**
 * Options for Node, how far to lower the priority (decisions/0160), an open file that the process may read, as
 * descriptor 4, and the memory at which it ends: by default more than any permitted picture, font or document needs.
 */
export type ProcessOptions = {
  execArgv: readonly string[]
  lowerBy?: number | undefined
  file?: number | undefined
  maxMegabytes?: number
}

/** How often a process reports its processor time. */
export const REPORT_MS = 1000

/**
 * Starts a child process for untrusted input. It may only read the code of housestyle and its libraries. It receives
 * input as messages, and has an empty environment and no terminal. docs/security.md lists the limits of this sandbox.
 * The process ends when its parent ends, even if it is busy. A thread would not do: despite `resourceLimits`, V8 ends
 * the whole process if a thread allocates a large object while its heap is full (decisions/0485).
 *
 * @throws {CodeReplaced} if the program is now another version
 */
export function startSandboxed(program: URL, options: ProcessOptions): SandboxedProcess {
  const { execArgv, lowerBy = 10, file, maxMegabytes = 2048 } = options
  assertUnchanged(program)
  const child = fork(program, [`${maxMegabytes}`, `${REPORT_MS}`], {
    env: {},
    execArgv: [...confinement(), '--import', PARENT_WATCH, ...execArgv],
    serialization: 'advanced',
    stdio: ['ignore', 'pipe', 'pipe', 'ipc', ...(file === undefined ? [] : [file])],
  })
  lowerPriority(child.pid, lowerBy)
  endFirst(child.pid)
  const started: SandboxedProcess = { child, usedMs: 0, listeners: {} }
  child.stdout?.setEncoding('utf8').on('data', lines => {
    const usedMs = Number(lines.trimEnd().split('\n').at(-1))
    // Not if a library printed something else there.
    if (usedMs > started.usedMs) started.usedMs = usedMs
  })
  child.on('error', error => started.listeners.exited?.('not-run', error))
  const printed = endOf(child.stderr)
  // Not at `exit`: the process may have printed more than was read until then.
  child.on('close', (code, killedBy) => {
    const signal = killedBy ?? signalOf(code)
    started.listeners.exited?.(causeOf(code, signal), new ProcessExit(code, signal, printed()))
  })
  child.on('message', message => started.listeners.message?.(message))
  return started
}

/**
 * The options that confine a process. Node's permissions do not cover `node:sqlite`, which could open the store, so it
 * is disabled. `PARENT_WATCH` drops the permission for threads once it has started its own thread.
 */
function confinement(): readonly string[] {
  codeFolders ??= [ROOT, ...nodeModulesFolders()]
  const readable = codeFolders.map(folder => `--allow-fs-read=${join(folder, '/')}`)
  return ['--permission', ...readable, '--allow-worker', '--no-experimental-sqlite', '--no-warnings']
}

let codeFolders: readonly string[] | undefined

const ROOT = fileURLToPath(CODE)

/** The folders in which Node searches for libraries, nearest first, also the targets of links. */
function nodeModulesFolders(): string[] {
  const folders: string[] = []
  for (let at = dirname(ROOT); ; at = dirname(at)) {
    const folder = join(at, 'node_modules')
    folders.push(...new Set(attempt(() => [folder, realpathSync(folder)])))
    if (dirname(at) === at) return folders
  }
}

/**
 * Lowers the priority, so that cached replies come before the processing of untrusted input when CPU is scarce. On
 * Linux, new threads inherit the priority of the thread that starts them, so it is set before the process starts any,
 * unless a busy machine is slower. A system that filters system calls may refuse this.
 */
function lowerPriority(pid: number | undefined, by: number): void {
  if (pid === undefined) return
  attempt(() => setPriority(pid, Math.min(constants.priority.PRIORITY_LOW, getPriority() + by)))
}

const PARENT_WATCH = new URL(`./watched-process${MODULE_EXTENSION}`, import.meta.url).href

/** Returns a function that gives the end of what a process prints: untrusted input may cause endless output. */
function endOf(stream: Readable | null): () => string {
  let end = ''
  stream?.setEncoding('utf8').on('data', text => {
    end = `${end}${text}`.slice(-MAX_PRINTED)
  })
  return () => end
}

/** Enough for a stack and the message above it. */
const MAX_PRINTED = 8192

/** An exit code above 128 stands for a signal. */
function signalOf(code: number | null): string | undefined {
  return Object.entries(constants.signals).find(([, number]) => number + 128 === code)?.[0]
}

/**
 * V8 aborts if memory is full or one of its limits is reached. Node exits with a code, such as 1, if a program cannot be
 * loaded or throws. Code 0 means that its channel was closed.
 */
function causeOf(code: number | null, signal: string | undefined): ExitCause {
  if (signal === undefined) return code === 0 ? 'killed' : 'not-run'
  return OWN_SIGNALS.has(signal) ? 'memory' : 'killed'
}

/** The signals with which a process ends itself, or which its own memory accesses cause. */
const OWN_SIGNALS: ReadonlySet<string> = new Set(['SIGABRT', 'SIGSEGV', 'SIGBUS', 'SIGILL', 'SIGTRAP', 'SIGFPE'])
/** The system sends SIGKILL if it needs memory. */
const MEMORY_SIGNALS: ReadonlySet<string | undefined> = new Set([...OWN_SIGNALS, 'SIGKILL'])

/** Sets whether a child process keeps its parent alive: a busy one should, an idle one should not. */
export function setKeepAlive(child: ChildProcess, keepsAlive: boolean): void {
  const change = keepsAlive ? 'ref' : 'unref'
  child[change]()
  child.channel?.[change]()
  for (const stream of [child.stdout, child.stderr]) if (stream instanceof Socket) stream[change]()
}

/** Kills a process, and returns once it has exited. */
export async function kill(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.ref() // Otherwise the parent may exit while it waits.
  child.kill('SIGKILL')
  await exit
}
