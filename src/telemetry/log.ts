import { pino } from 'pino'

/** Structured lines: fields first, then what happened. Never a token or a secret. */
export type Log = Record<'error' | 'warn' | 'info' | 'debug', (fields: object, message: string) => void>

/** A log on stderr: JSON lines, or for people where `isPretty`. */
export async function openLog(level: string, isPretty: boolean): Promise<Log> {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime }
  if (!isPretty) return methods(pino(options, pino.destination({ fd: 2, sync: true })))
  const { PinoPretty } = await import('pino-pretty')
  return methods(pino(options, PinoPretty({ destination: 2, sync: true, ignore: 'pid,hostname' })))
}

function methods(logger: Log): Log {
  const { error, warn, info, debug } = logger
  return { error: error.bind(logger), warn: warn.bind(logger), info: info.bind(logger), debug: debug.bind(logger) }
}
