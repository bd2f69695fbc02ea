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

process.exitCode = await run(process.argv.slice(2), {
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

async function ask(question: string): Promise<string> {
  const { createInterface } = await import('node:readline/promises')
  const terminal = createInterface({ input: stdin, output: stderr })
  // A terminal that is being asked gives Ctrl-C as a key, and Ctrl-D as the end of the question.
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
