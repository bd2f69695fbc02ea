import { pino } from 'pino'
import { currentTrace } from './current-trace.ts'
import { type LineWriter, openLineWriter } from './line-writer.ts'

/** Structured lines: fields first, then what happened. Never a token or a secret. */
export type Log = Record<'error' | 'warn' | 'info' | 'debug', (fields: object, message: string) => void>

/** A log of what another thread tells. */
export const SILENT: Log = { error: ignore, warn: ignore, info: ignore, debug: ignore }

function ignore(): void {}

/** A log that never holds up the process that writes it. `write` takes lines of other threads, as JSON. */
export type ServiceLog = Log & Pick<LineWriter, 'dropped' | 'end' | 'write'>

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
  const { write } = await written(lines, isPretty)
  const log = methods(pino(optionsFor(level), { write }))
  return { ...log, dropped: lines.dropped, end: lines.end, write }
}

/** A log whose lines another thread writes. */
export function openThreadLog(level: string, write: (line: string) => void): Log {
  return methods(pino(optionsFor(level), { write }))
}

/** Writes lines of other threads to a log. One that has no `write` of its own is told what they say. */
export function writerOf(log: Log & Partial<Pick<ServiceLog, 'write'>>): (line: string) => void {
  return (
    log.write ??
    (line => {
      const { level, time: _, msg, ...fields } = JSON.parse(line)
      const method = pino.levels.labels[level]
      if (method === 'error' || method === 'warn' || method === 'info' || method === 'debug') log[method](fields, msg)
    })
  )
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

type Lines = Pick<LineWriter, 'write'>

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
