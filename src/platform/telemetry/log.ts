import { write } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { inspect, promisify, styleText } from 'node:util'
import { errorCode } from '../base/error.ts'
import { currentTrace } from './trace-context.ts'

/** A structured log: fields first, then the message. It never contains a token or a secret. */
export type Log = Record<Level, (fields: object, message: string) => void>

/** A log that never blocks the process (decisions/0445). */
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
  // Undefined for `silent`, which is the level of no line.
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

/** The severity of an event, as numbers that log tools know. */
const LEVEL_NUMBERS = { debug: 20, info: 30, warn: 40, error: 50 } as const
type Level = keyof typeof LEVEL_NUMBERS

/** Makes a JSON line. Errors include their causes. Fields that JSON cannot represent become strings. */
export function logLine(level: Level, fields: object, message: string): string {
  // The fields are between these, as log tools show them.
  const start = { level: LEVEL_NUMBERS[level], time: new Date() }
  const end = { msg: message }
  try {
    const replaceErrors = (_: string, value: unknown) => (value instanceof Error ? errorFields(value) : value)
    return `${JSON.stringify({ ...start, ...fields, ...end }, replaceErrors)}\n`
  } catch {
    return `${JSON.stringify({ ...start, fields: inspect(fields), ...end })}\n`
  }
}

function errorFields(error: Error): object {
  const errors = [error]
  for (let { cause } = error; cause instanceof Error && !errors.includes(cause); cause = cause.cause) errors.push(cause)
  return {
    type: error.constructor.name,
    message: errors.map(each => each.message).join(': '),
    stack: errors.map(each => each.stack).join('\ncaused by: '),
    ...(error instanceof AggregateError && { aggregateErrors: error.errors }),
    ...ownFields(error),
  }
}

/** Own fields of simple types, such as `code`. Errors of libraries may have large or circular objects. */
function ownFields(error: Error): object {
  const own = Object.entries(error).filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
  return Object.fromEntries(own)
}

const COLORS = { debug: 'blue', info: 'green', warn: 'yellow', error: 'red' } as const

/** Makes a readable line: local time, level and message, then one line for each field, with `err` and its stack last. */
export function readableLine(level: Level, fields: object, message: string): string {
  const { level: _, time, msg, err, ...others }: Line = JSON.parse(logLine(level, fields, message))
  const clock = new Date(time).toTimeString().slice(0, 8) + time.slice(-5, -1)
  const lines = Object.entries(others).map(([key, value]) => `    ${styleText('magenta', key)}: ${valueText(value)}\n`)
  if (err !== undefined) lines.push(`    err: ${valueText(err)}\n`)
  return `[${clock}] ${styleText(COLORS[level], level.toUpperCase())}: ${styleText('cyan', msg)}\n${lines.join('')}`
}

type Line = { level: number; time: string; msg: string; err?: unknown }

/** A value as indented JSON. A stack, which JSON has on one line, gets its own lines. */
function valueText(value: unknown): string {
  const text = JSON.stringify(value, null, 2).replaceAll('\n', '\n    ')
  return text.replace(/^( *)"stack": (".*"),?$/gm, (_, indent: string, stack: string) => {
    const stackLines = `\n${JSON.parse(stack)}`.replaceAll('\n', `\n${indent}    `)
    return `${indent}"stack":${stackLines}`
  })
}

type LineWriter = {
  write: (line: string) => void
  dropped: () => number
  isWriting: () => boolean
  /**
   * Writes the remaining lines while someone reads them, for at most a second. A write in progress can still delay the
   * end of the process, for example to a datagram socket: only the system can end it.
   */
  end: () => Promise<void>
}

/**
 * Writes lines to a file, pipe or terminal. Buffers up to a mebibyte of unread lines in memory. Drops and counts
 * further lines, and lines that cannot be written because the reader is gone or the disk is full. Calls `resumed` with
 * the number of dropped lines after all others are written.
 */
function openLineWriter(descriptor: number, resumed: (dropped: number) => void): LineWriter {
  const ending = new AbortController()
  const waiting: string[] = []
  /** The bytes of the waiting lines, including lines that are being written. */
  let waitingBytes = 0
  /** The lines that were dropped, in total and since the last report. */
  let dropped = 0
  let unreported = 0
  let writing: Promise<void> | undefined
  const drop = (lines: number) => {
    dropped += lines
    unreported += lines
  }
  const writeAll = async () => {
    let isWritten = true
    let start = NOTHING
    while (waiting.length > 0) {
      const lines = waiting.splice(0, LINES_AT_ONCE)
      const bytes = Buffer.from(lines.join(''))
      const { hasBegun, hasEnded } = await writeBytes(descriptor, Buffer.concat([start, bytes]), ending.signal)
      waitingBytes -= bytes.length
      if (!hasEnded) drop(lines.length)
      isWritten = hasEnded
      start = hasBegun && !hasEnded ? NEW_LINE : NOTHING // Ends a partial line before the next one.
    }
    writing = undefined
    if (unreported === 0 || !isWritten) return
    const lines = unreported
    unreported = 0
    resumed(lines)
  }
  return {
    write: line => {
      const bytes = Buffer.byteLength(line)
      if (waitingBytes + bytes > MAX_WAITING_BYTES) return drop(1)
      waiting.push(line)
      waitingBytes += bytes
      writing ??= writeAll()
    },
    dropped: () => dropped,
    isWriting: () => writing !== undefined,
    end: async () => {
      await Promise.race([writing, sleep(MAX_END_MS, undefined, { ref: false })])
      ending.abort()
    },
  }
}

const NOTHING = Buffer.alloc(0)
const NEW_LINE = Buffer.from('\n')
const LINES_AT_ONCE = 64
const MAX_WAITING_BYTES = 1 << 20
const MAX_END_MS = 1000
const RETRY_MS = 100

/** Writes all bytes: while the buffer of a pipe is full, tries again. Gives up at another error, or when `ending` aborts. */
async function writeBytes(descriptor: number, bytes: Uint8Array, ending: AbortSignal) {
  let at = 0
  while (at < bytes.length && !ending.aborted)
    try {
      at += (await writePart(descriptor, bytes, at)).bytesWritten
    } catch (error) {
      if (errorCode(error) !== 'EAGAIN') break
      await sleep(RETRY_MS, undefined, { signal: ending }).catch(() => undefined)
    }
  return { hasBegun: at > 0, hasEnded: at === bytes.length }
}

const writePart = promisify(write)
