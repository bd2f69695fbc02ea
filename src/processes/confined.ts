import { type ChildProcess, fork, type SerializationType } from 'node:child_process'
import { once } from 'node:events'
import { extname } from 'node:path'

/** Why a process ended that was not asked to: it could not be run, V8 gave up, or someone else ended it. */
export type Ending = 'not-run' | 'memory' | 'killed'

/** What is heard of a process. */
export type Heard = {
  message: (message: unknown) => void
  ended: (why: Ending) => void
}

/**
 * Starts a process for work on what strangers wrote, which may read files and no more, and gets neither the environment
 * nor a terminal. It ends when this process has gone, however busy it is. (It is no thread: where a thread's heap is full and asks for a large piece, V8 ends the whole process,
 * whatever its `resourceLimits` say.)
 */
export function startConfined(
  program: URL,
  { execArgv, serialization }: { execArgv: readonly string[]; serialization: SerializationType },
  { message, ended }: Heard,
): ChildProcess {
  const child = fork(program, {
    env: {},
    execArgv: ['--permission', '--allow-fs-read=*', '--allow-worker', '--import', PARENT_WATCH, ...execArgv],
    serialization,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  child.on('error', () => ended('not-run'))
  child.on('exit', (code, signal) => ended(endingOf(code, signal)))
  child.on('message', message)
  return child
}

/** The same extension as this file: .ts in development, .js where it was built. */
const PARENT_WATCH = new URL(`./watched-process${extname(import.meta.url)}`, import.meta.url).href

/** Node ends with 1 where a program cannot be loaded; V8 aborts where memory is full, and where it meets its own limits. */
function endingOf(code: number | null, signal: NodeJS.Signals | null): Ending {
  if (code === 1) return 'not-run'
  if (signal === null) return code !== null && code > 128 ? 'memory' : 'killed'
  return OWN_SIGNALS.has(signal) ? 'memory' : 'killed'
}

/** Signals that a process gets for what it does itself. */
const OWN_SIGNALS: ReadonlySet<string> = new Set(['SIGABRT', 'SIGSEGV', 'SIGBUS', 'SIGILL', 'SIGTRAP', 'SIGFPE'])

/** Whether this process waits for one of its own: an idle one does not keep it alive. */
export function setWaitedFor(child: ChildProcess, isWaitedFor: boolean): void {
  const change = isWaitedFor ? 'ref' : 'unref'
  child[change]()
  child.channel?.[change]()
}

/** Ends a process, and waits until it has. */
export async function kill(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.ref() // Else this process may end while it waits.
  child.kill('SIGKILL')
  await exit
}
