import type { Progress } from '../../intake/reading.ts'
import { type Arguments, hasFlag } from '../command.ts'
import type { Io } from '../io.ts'
import { visible } from './text.ts'

/** A progress bar on a terminal that can redraw a line; prints nothing elsewhere. */
export function openProgress(io: Io): { show: (progress: Progress) => void; clear: () => void } {
  if (!io.isTerminal || io.environment.TERM === 'dumb') return { show: () => undefined, clear: () => undefined }
  let shownAt = 0
  let isShown = false
  return {
    show: ({ project, done, total }) => {
      const now = performance.now()
      if (now - shownAt < REDRAW_MS && done < total) return
      shownAt = now
      isShown = true
      io.err(
        `${CLEAR_LINE}${bar(done, total)} ${done}/${total} ${visible(project)}`.slice(
          0,
          io.columns + CLEAR_LINE.length - 1,
        ),
      )
    },
    clear: () => {
      if (isShown) io.err(CLEAR_LINE)
      isShown = false
    },
  }
}

/** Prints the reason for a wait; nothing with `--json`, because then stderr contains at most one JSON value. */
export function printWaiting(args: Arguments, io: Io): (message: string) => void {
  return message => {
    if (!hasFlag(args, 'json')) io.err(`${message}\n`)
  }
}

const REDRAW_MS = 50
/** Moves to the start of the line and clears it. */
const CLEAR_LINE = '\r\u001b[2K'
const WIDTH = 24

function bar(done: number, total: number): string {
  const filled = Math.round((done / Math.max(total, 1)) * WIDTH)
  return `[${'#'.repeat(filled)}${'-'.repeat(WIDTH - filled)}]`
}
