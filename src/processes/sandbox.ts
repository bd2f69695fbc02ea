import { type ChildProcess, fork, type SerializationType } from 'node:child_process'
import { once } from 'node:events'
import { realpathSync } from 'node:fs'
import { constants, getPriority, setPriority } from 'node:os'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { endFirst } from './oom-score.ts'
import { assertUnchanged } from './program-code.ts'

/** The cause of an exit: the process could not be started, ran out of memory, or was killed from outside. */
export type ExitCause = 'not-run' | 'memory' | 'killed'

/** A child process, and the functions that it calls. */
export type SandboxedProcess = {
  child: ChildProcess
  listeners: {
    message?: (message: unknown) => void
    /** `error` is the system error if no process could be started. */
    exited?: (cause: ExitCause, error?: Error) => void
  }
}

/**
 * Starts a child process for untrusted input. It may only read the code of housestyle and its libraries. It receives
 * input as messages, and has an empty environment and no terminal. docs/security.md lists the limits of this sandbox.
 * The process ends when its parent ends, even if it is busy. A thread would not do: despite `resourceLimits`, V8 ends
 * the whole process if a thread allocates a large object while its heap is full.
 *
 * @throws {CodeReplaced} if the program is now another version
 */
export function startSandboxed(
  program: URL,
  { execArgv, serialization }: { execArgv: readonly string[]; serialization: SerializationType },
): SandboxedProcess {
  assertUnchanged(program)
  const child = fork(program, {
    env: {},
    execArgv: [...confinement(), '--import', PARENT_WATCH, ...execArgv],
    serialization,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  lowerPriority(child.pid)
  endFirst(child.pid)
  const started: SandboxedProcess = { child, listeners: {} }
  child.on('error', error => started.listeners.exited?.('not-run', error))
  child.on('exit', (code, signal) => started.listeners.exited?.(causeOf(code, signal)))
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
  return ['--permission', ...readable, '--allow-worker', '--no-experimental-sqlite']
}

let codeFolders: readonly string[] | undefined

/** `src` in development, `dist` when built. */
const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** The folders in which Node searches for the libraries of `ROOT`, nearest first. */
function nodeModulesFolders(): string[] {
  const folders: string[] = []
  for (let at = dirname(ROOT); ; at = dirname(at)) {
    folders.push(...realPath(join(at, 'node_modules')))
    if (dirname(at) === at) return folders
  }
}

function realPath(folder: string): [string] | [] {
  try {
    return [realpathSync(folder)]
  } catch {
    return []
  }
}

/**
 * Lowers the priority, so that cached replies come before the processing of untrusted input when CPU is scarce. On
 * Linux, new threads inherit the priority of the thread that starts them, so it is set before the process starts any. A
 * system that filters system calls may refuse this.
 */
function lowerPriority(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    setPriority(pid, Math.min(constants.priority.PRIORITY_LOW, getPriority() + 10))
  } catch {}
}

/** The same extension as this file: .ts in development, .js when built. */
const PARENT_WATCH = new URL(`./watched-process${extname(import.meta.url)}`, import.meta.url).href

/** Node exits with 1 if a program cannot be loaded. V8 aborts if memory is full or one of its limits is reached. */
function causeOf(code: number | null, signal: NodeJS.Signals | null): ExitCause {
  if (code === 1) return 'not-run'
  if (signal === null) return code !== null && code > 128 ? 'memory' : 'killed'
  return OWN_SIGNALS.has(signal) ? 'memory' : 'killed'
}

/** Signals that a process causes itself. */
const OWN_SIGNALS: ReadonlySet<string> = new Set(['SIGABRT', 'SIGSEGV', 'SIGBUS', 'SIGILL', 'SIGTRAP', 'SIGFPE'])

/** Sets whether a child process keeps its parent alive: a busy one should, an idle one should not. */
export function setKeepAlive(child: ChildProcess, keepsAlive: boolean): void {
  const change = keepsAlive ? 'ref' : 'unref'
  child[change]()
  child.channel?.[change]()
}

/** Kills a child process, and waits until it has exited. */
export async function kill(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.ref() // Otherwise the parent may exit while it waits.
  child.kill('SIGKILL')
  await exit
}
