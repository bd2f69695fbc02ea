import { inspect } from 'node:util'

/** The severity of an event, as numbers that log tools know. */
export const LEVEL_NUMBERS = { debug: 20, info: 30, warn: 40, error: 50 } as const

/**
 * Makes a JSON log line: level and time, the fields, and the message. Errors include their causes. Fields that JSON
 * cannot represent, such as a circular object, become strings: logging must not fail.
 */
export function logLine(level: keyof typeof LEVEL_NUMBERS, fields: object, message: string): string {
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
