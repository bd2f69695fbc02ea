import { writeSync } from 'node:fs'
import { errorCode } from '../base/error.ts'
import { currentTrace } from './current-trace.ts'
import { type LineWriter, openLineWriter } from './line-writer.ts'
import { LEVEL_NUMBERS, logLine } from './log-line.ts'

/** Structured lines: fields first, then what happened. Never a token or a secret. */
export type Log = Record<Level, (fields: object, message: string) => void>

/** A log that never holds up the process that writes it. */
export type ServiceLog = Log & Pick<LineWriter, 'dropped' | 'end'>

/** A log on stderr: JSON lines, or lines for people if `isPretty`. Each line is written before the caller goes on. */
export async function openLog(level: string, isPretty: boolean): Promise<Log> {
  const { write } = await written({ write: writeAtOnce }, isPretty)
  return logTo(write, level)
}

/** The same for a service: lines wait in memory while nobody reads them, and a line says if some were dropped. */
export async function openServiceLog(level: string, isPretty: boolean): Promise<ServiceLog> {
  const lines = openLineWriter(STDERR, dropped =>
    log.warn({ dropped }, 'log lines were dropped, because the log was not read'),
  )
  const { write } = await written(lines, isPretty)
  const log = logTo(write, level)
  return { ...log, dropped: lines.dropped, end: lines.end }
}

/** A log of lines for `write`, as JSON. */
function logTo(write: (line: string) => void, lowest: string): Log {
  const least = LEVELS.find(level => level === lowest)
  const method = (level: Level) => {
    if (least === undefined || LEVEL_NUMBERS[level] < LEVEL_NUMBERS[least]) return ignore
    return (fields: object, message: string) => write(logLine(level, { ...traceFields(), ...fields }, message))
  }
  return { error: method('error'), warn: method('warn'), info: method('info'), debug: method('debug') }
}

const LEVELS = ['error', 'warn', 'info', 'debug'] as const

type Level = (typeof LEVELS)[number]

function ignore(): void {}

const STDERR = 2

function writeAtOnce(line: string): void {
  const bytes = Buffer.from(line)
  for (let at = 0; at < bytes.length; )
    try {
      at += writeSync(STDERR, bytes, at)
    } catch (error) {
      if (errorCode(error) === 'EPIPE') return // Nobody reads any more.
      if (errorCode(error) !== 'EAGAIN') throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS)
    }
}

/** A pipe has room again when somebody reads. */
const RETRY_MS = 10

/** What every line says that is written for a request of a trace. */
function traceFields(): { traceId?: string } {
  const trace = currentTrace()
  return trace ? { traceId: trace.traceId } : {}
}

type Lines = Pick<LineWriter, 'write'>

async function written(lines: Lines, isPretty: boolean): Promise<Lines> {
  if (!isPretty) return lines
  const { prettyFactory } = await import('pino-pretty')
  const pretty = prettyFactory({ ignore: 'pid,hostname' })
  return { write: line => lines.write(pretty(line)) }
}
