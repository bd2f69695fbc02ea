import { once } from 'node:events'
import process from 'node:process'
import { run } from './cli/run.ts'

/* The process: arguments, streams, signals and the exit code. Nothing else touches it. */

const interruption = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (interruption.signal.aborted) process.exit(INTERRUPTED)
    interruption.abort(new DOMException(signal, 'AbortError'))
  })
}
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => process.exit(1))

const INTERRUPTED = 130
const { stdin, stdout, stderr, env } = process
const isPlain = (env.NO_COLOR ?? '') !== '' || env.TERM === 'dumb'

const outcome = await run(process.argv.slice(2), {
  out: text => stdout.write(text),
  err: text => stderr.write(text),
  hasColor: { out: stdout.isTTY && !isPlain, err: stderr.isTTY && !isPlain },
  isTerminal: stderr.isTTY && env.TERM !== 'dumb',
  ...(stdin.isTTY && stderr.isTTY && { ask }),
  columns: stderr.columns || 80,
  environment: env,
  folder: process.cwd(),
  signal: interruption.signal,
})
process.exitCode = outcome === 'interrupted' ? INTERRUPTED : outcome

async function ask(question: string): Promise<string> {
  const { createInterface } = await import('node:readline/promises')
  const terminal = createInterface({ input: stdin, output: stderr })
  // A terminal that is being asked gives Ctrl-C as a key; at its end (Ctrl-D) there is no answer.
  terminal.on('SIGINT', () => interruption.abort(new DOMException('SIGINT', 'AbortError')))
  const ended = once(terminal, 'close').then(() => '')
  try {
    return await Promise.race([terminal.question(question, { signal: interruption.signal }), ended])
  } finally {
    terminal.close()
  }
}
