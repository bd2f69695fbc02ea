import { inspect, styleText } from 'node:util'

/** The severity of an event, as numbers that log tools know. */
export const LEVEL_NUMBERS = { debug: 20, info: 30, warn: 40, error: 50 } as const
export type Level = keyof typeof LEVEL_NUMBERS

/**
 * Makes a JSON log line: level and time, the fields, and the message. Errors include their causes. Fields that JSON
 * cannot represent, such as a circular object, become strings: logging must not fail.
 */
export function logLine(level: Level, fields: object, message: string): string {
  const [start, end] = [{ level: LEVEL_NUMBERS[level], time: new Date() }, { msg: message }]
  try {
    return `${JSON.stringify({ ...start, ...fields, ...end }, replaceErrors)}\n`
  } catch {
    return `${JSON.stringify({ ...start, fields: inspect(fields), ...end })}\n`
  }
}

function replaceErrors(_: string, value: unknown): unknown {
  return value instanceof Error ? errorFields(value) : value
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

/**
 * Own fields of simple types, such as the `code` of a system error. Library errors may carry large or circular objects.
 */
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

function valueText(value: unknown): string {
  const text = JSON.stringify(value, null, 2).replaceAll('\n', '\n    ')
  return text.replace(/^( *)"stack": (".*"),?$/gm, (_, indent: string, stack: string) => {
    const stackLines = `\n${JSON.parse(stack)}`.replaceAll('\n', `\n${indent}    `)
    return `${indent}"stack":${stackLines}`
  })
}
