import type { Progress } from '../../intake/reading.ts'
import { type Arguments, hasFlag, type Io } from '../command.ts'
import { visible } from './text.ts'

/** Runs work with a progress bar on a terminal that can redraw a line; elsewhere, `show` prints nothing. */
export async function withProgress<Value>(
  io: Io,
  work: (show: (progress: Progress) => void) => Promise<Value>,
): Promise<Value> {
  if (!io.isTerminal || io.environment.TERM === 'dumb') return work(() => undefined)
  let shownAt = 0
  const show = ({ project, done, total }: Progress) => {
    const now = performance.now()
    if (now - shownAt < REDRAW_MS && done < total) return
    shownAt = now
    const line = `${CLEAR_LINE}${bar(done, total)} ${done}/${total} ${visible(project)}`
    io.err(line.slice(0, io.columns + CLEAR_LINE.length - 1))
  }
  try {
    return await work(show)
  } finally {
    if (shownAt > 0) io.err(CLEAR_LINE)
  }
}

type StoreWork = Pick<Io, 'signal'> & {
  waiting: (message: string) => void
  progress: (done: number, total: number) => void
}

/** Runs long work on a store, with options that print waits and show the progress in a unit, such as `files`. */
export function withStoreWork<Value>(
  args: Arguments,
  io: Io,
  unit: string,
  work: (options: StoreWork) => Promise<Value>,
): Promise<Value> {
  return withProgress(io, show => {
    const progress = (done: number, total: number) => show({ project: unit, done, total })
    return work({ signal: io.signal, waiting: printWaiting(args, io), progress })
  })
}

/** Prints the reason for a wait; nothing with `--json`, because then stderr contains at most one JSON value. */
export function printWaiting(args: Arguments, io: Io): (message: string) => void {
  return message => {
    if (!hasFlag(args, 'json')) io.err(`${message}\n`)
  }
}

const REDRAW_MS = 50
const CLEAR_LINE = '\r\u001b[2K'
const WIDTH = 24

function bar(done: number, total: number): string {
  const filled = Math.round((done / Math.max(total, 1)) * WIDTH)
  return `[${'#'.repeat(filled)}${'-'.repeat(WIDTH - filled)}]`
}
