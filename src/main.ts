import { userInfo } from 'node:os'
import process from 'node:process'
import { isatty } from 'node:tty'
import { format } from 'node:util'
import { errorCode } from '#platform/base/error.ts'
import { attempt } from '#platform/base/result.ts'
import { hasColors } from '#program/cli/output/text.ts'
import { programName, run } from '#program/cli/run.ts'

/* Handles the process: arguments, streams, signals and the exit code. No other file uses it. */

const interruption = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (interruption.signal.aborted) end(signal)
    interruption.abort(new DOMException(signal, 'AbortError'))
  })
}
let isLogging: (() => boolean) | undefined
for (const stream of [process.stdout, process.stderr])
  stream.on('error', error => {
    if (isLogging) return
    // The reader is gone: this is how `| head` ends a command.
    if (errorCode(error) !== 'EPIPE') process.stderr.write(`housestyle: cannot write the result: ${error.message}\n`)
    process.exit(1)
  })

const INTERRUPTED = 130
const MAX_LINGER_MS = 1000
const STDIN = 0
const { stdout, stderr, env } = process

process.exitCode = await run(process.argv.slice(2), {
  out: text => stdout.write(text),
  outBytes: bytes => new Promise(resolve => stdout.write(bytes, () => resolve())),
  /** A getter, because Node creates the stream on first use. */
  get input() {
    return process.stdin
  },
  err: text => stderr.write(text),
  hasColor: { out: hasColors(stdout.isTTY, env), err: hasColors(stderr.isTTY, env) },
  isOutTerminal: stdout.isTTY,
  isTerminal: stderr.isTTY,
  ...(isatty(STDIN) && stderr.isTTY && { ask }),
  columns: stderr.columns || 80,
  environment: env,
  nodeVersion: process.versions.node,
  get program() {
    return programName(process.argv[1], { folder: process.cwd, environment: env })
  },
  get folder() {
    return process.cwd()
  },
  get user() {
    // The system may not know the user, for example in a container.
    return attempt(() => userInfo().username) ?? env.USER
  },
  ...(process.geteuid && { userId: process.geteuid() }),
  signal: interruption.signal,
  kill: (id, signal) => void process.kill(id, signal),
  outlastReaders: isWriting => {
    isLogging = isWriting
  },
  logConsole: log => {
    for (const method of ['debug', 'error', 'info', 'log', 'trace', 'warn'] as const)
      console[method] = (...values: unknown[]) => log({}, format(...values))
    process.removeAllListeners('warning').on('warning', err => log({ err }, err.message))
  },
})

const { endIdle } = await import('#platform/processes/idle.ts')
await endIdle()

// At this point, a service can only be held up by a log write without a reader. An unreferenced timer still runs then.
if (isLogging) setTimeout(end, MAX_LINGER_MS, process.exitCode === INTERRUPTED ? 'SIGINT' : 'SIGTERM').unref()

/** Ends at once. `exit` waits for a log write without a reader; the default action of a signal does not. */
function end(signal: NodeJS.Signals): void {
  if (isLogging?.()) {
    process.removeAllListeners(signal)
    process.kill(process.pid, signal) // Ignored in the first process of a container.
  }
  process.exit(process.exitCode ?? INTERRUPTED)
}

async function ask(question: string): Promise<string> {
  const { createInterface } = await import('node:readline/promises')
  const terminal = createInterface({ input: process.stdin, output: stderr })
  // While readline waits for an answer, Ctrl-C is a key and not a signal, and Ctrl-D closes the interface.
  terminal.on('SIGINT', () => interruption.abort(new DOMException('SIGINT', 'AbortError')))
  try {
    return await terminal.question(question, { signal: interruption.signal })
  } catch (error) {
    if (interruption.signal.aborted) throw error
    stderr.write('\n')
    return ''
  } finally {
    terminal.close()
  }
}
