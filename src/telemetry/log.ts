import { pino } from 'pino'
import { currentTrace } from './current-trace.ts'
import { type LineWriter, openLineWriter } from './line-writer.ts'

/** Structured lines: fields first, then what happened. Never a token or a secret. */
export type Log = Record<'error' | 'warn' | 'info' | 'debug', (fields: object, message: string) => void>

/** A log that never holds up the process that writes it. */
export type ServiceLog = Log & Pick<LineWriter, 'dropped' | 'end'>

/** A log on stderr: JSON lines, or lines for people if `isPretty`. Each line is written before the caller goes on. */
export async function openLog(level: string, isPretty: boolean): Promise<Log> {
  const lines = pino.destination({ fd: STDERR, sync: true })
  return methods(pino(optionsFor(level), await written(lines, isPretty)))
}

/** The same for a service: lines wait in memory while nobody reads them, and a line says if some were dropped. */
export async function openServiceLog(level: string, isPretty: boolean): Promise<ServiceLog> {
  const lines = openLineWriter(STDERR, dropped =>
    log.warn({ dropped }, 'log lines were dropped, because the log was not read'),
  )
  const log = methods(pino(optionsFor(level), await written(lines, isPretty)))
  return { ...log, dropped: lines.dropped, end: lines.end }
}

const STDERR = 2

function optionsFor(level: string) {
  return { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, mixin: traceFields }
}

/** What every line says that is written for a request of a trace. */
function traceFields(): { traceId?: string } {
  const trace = currentTrace()
  return trace ? { traceId: trace.traceId } : {}
}

type Lines = { write: (line: string) => unknown }

async function written(lines: Lines, isPretty: boolean): Promise<Lines> {
  if (!isPretty) return lines
  const { prettyFactory } = await import('pino-pretty')
  const pretty = prettyFactory({ ignore: 'pid,hostname' })
  return { write: line => lines.write(pretty(line)) }
}

function methods(logger: Log): Log {
  const { error, warn, info, debug } = logger
  return { error: error.bind(logger), warn: warn.bind(logger), info: info.bind(logger), debug: debug.bind(logger) }
}
