import { type LineWriter, openLineWriter } from './line-writer.ts'
import { LEVEL_NUMBERS, type Level, logLine, readableLine } from './log-line.ts'
import { currentTrace } from './trace-context.ts'

/** A structured log: fields first, then the message. It never contains a token or a secret. */
export type Log = Record<Level, (fields: object, message: string) => void>

/** A log that never blocks the process. */
export type ServiceLog = Log & Omit<LineWriter, 'write'>

/** Opens the log of a service: unread lines are buffered in memory, and a line reports dropped ones. */
export function openServiceLog(level: string, isPretty: boolean): ServiceLog {
  const lines = openLineWriter(STDERR, dropped =>
    log.warn({ dropped }, 'log lines were dropped because the log was not read'),
  )
  const log = openLog(lines.write, level, isPretty)
  const { write: _, ...state } = lines
  return { ...log, ...state }
}

/** Opens a log that writes lines above a level: JSON, or readable lines if `isPretty`. */
export function openLog(write: (line: string) => void, lowest: string, isPretty: boolean): Log {
  const least = LEVELS.find(level => level === lowest)
  const format = isPretty ? readableLine : logLine
  const method = (level: Level) => {
    if (least === undefined || LEVEL_NUMBERS[level] < LEVEL_NUMBERS[least]) return ignore
    return (fields: object, message: string) => write(format(level, { ...traceFields(), ...fields }, message))
  }
  return { error: method('error'), warn: method('warn'), info: method('info'), debug: method('debug') }
}

const LEVELS = ['error', 'warn', 'info', 'debug'] as const

function ignore(): void {}

const STDERR = 2

function traceFields(): { traceId?: string } {
  const trace = currentTrace()
  return trace ? { traceId: trace.traceId } : {}
}

/** Limits a function to one call per minute, for example to log a line. The first call runs at once. */
export function onceAMinute<Args extends readonly unknown[]>(
  act: (...args: Args) => void,
  now: () => number = () => performance.now(),
): (...args: Args) => void {
  let doneAt = Number.NEGATIVE_INFINITY
  return (...args) => {
    const nowMs = now()
    if (nowMs - doneAt < MINUTE_MS) return
    doneAt = nowMs
    act(...args)
  }
}

const MINUTE_MS = 60_000
