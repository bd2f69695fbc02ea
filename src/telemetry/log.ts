import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'

/** Structured lines: fields first, then what happened. Never a token or a secret. */
export type Log = Record<'error' | 'warn' | 'info' | 'debug', (fields: object, message: string) => void>

/** A log that never holds up the process that writes it. */
export type ServiceLog = Log & {
  /** How many lines were dropped since the process began, because nobody read them. */
  dropped: () => number
  /** Writes what is left, as long as somebody reads it. */
  end: () => Promise<void>
}

/** A log on stderr: JSON lines, or for people where `isPretty`. Each line is written before the caller goes on. */
export async function openLog(level: string, isPretty: boolean): Promise<Log> {
  const lines = pino.destination({ fd: STDERR, sync: true })
  return methods(pino(optionsFor(level), await written(lines, isPretty)))
}

/**
 * The same for a service: lines wait in memory while nobody reads them. If more than a mebibyte waits, further ones are
 * dropped and counted, and a line says how many once all others are read.
 */
export async function openServiceLog(level: string, isPretty: boolean): Promise<ServiceLog> {
  let [dropped, unreported, isGivenUp] = [0, 0, false]
  const mayWait = patience()
  const lines = pino.destination({
    fd: STDERR,
    sync: false,
    maxLength: MAX_WAITING,
    retryEAGAIN: () => !isGivenUp && mayWait(),
  })
  const log = methods(pino(optionsFor(level), await written(lines, isPretty)))
  lines.on('error', () => undefined) // Nobody would read it.
  lines.on('drop', () => {
    dropped++
    unreported++
  })
  lines.on('drain', () => {
    if (unreported === 0) return
    const fields = { dropped: unreported }
    unreported = 0
    log.warn(fields, 'log lines were dropped, because the log was not read')
  })
  const end = async () => {
    const closed = once(lines, 'close').catch(() => undefined) // Nor is there where the disk is full.
    lines.end()
    await Promise.race([closed, sleep(MAX_END_MS, undefined, { ref: false })])
    isGivenUp = true
    lines.destroy()
  }
  return { ...log, dropped: () => dropped, end }
}

const STDERR = 2
const MAX_WAITING = 1 << 20
const MAX_END_MS = 1000

function optionsFor(level: string) {
  return { level, base: null, timestamp: pino.stdTimeFunctions.isoTime }
}

type Lines = { write: (line: string) => unknown }

async function written(lines: Lines, isPretty: boolean): Promise<Lines> {
  if (!isPretty) return lines
  const { prettyFactory } = await import('pino-pretty')
  const pretty = prettyFactory({ ignore: 'pid,hostname' })
  return { write: line => lines.write(pretty(line)) }
}

/**
 * Whether to retry a write that nobody has read, as happens ten times a second. While the event loop turns, always. A
 * process that exits writes without the event loop, and must not wait for ever.
 */
function patience(): () => boolean {
  let tries = 0
  return () => {
    if (tries === 0) setImmediate(() => (tries = 0)).unref()
    tries++
    return tries <= 10
  }
}

function methods(logger: Log): Log {
  const { error, warn, info, debug } = logger
  return { error: error.bind(logger), warn: warn.bind(logger), info: info.bind(logger), debug: debug.bind(logger) }
}
