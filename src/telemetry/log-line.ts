import { inspect } from 'node:util'

/** How bad what happened is, by the numbers that tools for logs know. */
export const LEVEL_NUMBERS = { debug: 20, info: 30, warn: 40, error: 50 } as const

/**
 * A line of a log in JSON: level and time, the fields, and what happened. Errors are told with what caused them. Fields that
 * JSON does not know, as an object that holds itself, are told as text: a log is no reason to fail.
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

/** As the `code` of an error of the system. Objects that libraries give their errors may be large, or hold themselves. */
function ownFields(error: Error): object {
  const own = Object.entries(error).filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
  return Object.fromEntries(own)
}
