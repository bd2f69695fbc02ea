import { writeSync } from 'node:fs'
import { errorCode } from '../base/error.ts'
import { type LineWriter, openLineWriter } from './line-writer.ts'
import { LEVEL_NUMBERS, type Level, logLine, readableLine } from './log-line.ts'
import { currentTrace } from './trace-context.ts'

/** A structured log: fields first, then the message. It never contains a token or a secret. */
export type Log = Record<Level, (fields: object, message: string) => void>

/** A log that never blocks the process. */
export type ServiceLog = Log & Pick<LineWriter, 'dropped' | 'end'>

/**
 * Opens a log on stderr: JSON lines, or readable lines if `isPretty`. Writes each line before returning to the caller.
 */
export function openLog(level: string, isPretty: boolean): Log {
  return logTo(writeAtOnce, level, isPretty)
}

/** Opens the log of a service: unread lines are buffered in memory, and a line reports dropped ones. */
export function openServiceLog(level: string, isPretty: boolean): ServiceLog {
  const lines = openLineWriter(STDERR, dropped =>
    log.warn({ dropped }, 'log lines were dropped because the log was not read'),
  )
  const log = logTo(lines.write, level, isPretty)
  return { ...log, dropped: lines.dropped, end: lines.end }
}

function logTo(write: (line: string) => void, lowest: string, isPretty: boolean): Log {
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

function writeAtOnce(line: string): void {
  const bytes = Buffer.from(line)
  for (let at = 0; at < bytes.length; )
    try {
      at += writeSync(STDERR, bytes, at)
    } catch (error) {
      if (errorCode(error) === 'EPIPE') return // The reader is gone.
      if (errorCode(error) !== 'EAGAIN') throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS)
    }
}

/** The time until a pipe may have space again. */
const RETRY_MS = 10

function traceFields(): { traceId?: string } {
  const trace = currentTrace()
  return trace ? { traceId: trace.traceId } : {}
}
