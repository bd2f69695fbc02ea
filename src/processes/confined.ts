import { type ChildProcess, fork, type SerializationType } from 'node:child_process'
import { once } from 'node:events'

/** What is heard of a process. */
export type Heard = {
  message: (message: unknown) => void
  /** It could not be started, or its program could not be loaded. */
  notRun: (cause: Error) => void
  /** It ended for another reason: V8 aborts where memory is full. */
  ended: () => void
}

/**
 * Starts a process for work on what strangers wrote, which may read files and no more, and gets neither the environment
 * nor a terminal. (It is no thread: where a thread's heap is full and asks for a large piece, V8 ends the whole process,
 * whatever its `resourceLimits` say.)
 */
export function startConfined(
  program: URL,
  { execArgv, serialization }: { execArgv: readonly string[]; serialization: SerializationType },
  { message, notRun, ended }: Heard,
): ChildProcess {
  const child = fork(program, {
    env: {},
    execArgv: ['--permission', '--allow-fs-read=*', ...execArgv],
    serialization,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  child.on('error', notRun)
  // Node ends with 1 where a program cannot be loaded.
  child.on('exit', code => (code === 1 ? notRun(new Error('it ended with code 1')) : ended()))
  child.on('message', message)
  return child
}

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
