import { field, isObject, parsedJson } from '#platform/base/object.ts'
import { reasonOf } from '#platform/base/reason.ts'
import { attempt } from '#platform/base/result.ts'

/** JSON with messages as the protocol library accepts them: see `withoutNullMembers`. Any other text is unchanged. */
export function lenientText(text: string): string {
  // Most messages have no null, and are not parsed.
  return text.includes('null') ? withChangedJson(text, withoutNullMembers) : text
}

/** The JSON of a reply with readable errors: see `withReadableErrors`. */
export function readableText(text: string): string {
  return text.includes('"error"') ? withChangedJson(text, withReadableErrors) : text
}

/** The JSON of a changed value; the text itself if it is not JSON. */
function withChangedJson(text: string, change: (value: unknown) => unknown): string {
  return attempt(() => JSON.stringify(change(JSON.parse(text)))) ?? text
}

/**
 * Removes the members that are null from the parameters of a message, or of a batch, at any depth: programs in Go, Java
 * and C# write absent members as null, which the protocol library refuses. An id and the entries of lists stay.
 */
function withoutNullMembers(message: unknown): unknown {
  for (const each of Array.isArray(message) ? message : [message]) {
    if (!isObject(each)) continue
    if (each.params === null) delete each.params
    // A stack instead of recursion, so that deep messages do not overflow the call stack.
    const unvisited = [each.params]
    for (let value = unvisited.pop(); value !== undefined; value = unvisited.pop()) {
      if (Array.isArray(value)) unvisited.push(...value)
      else if (isObject(value)) unvisited.push(...removeNullMembers(value))
    }
  }
  return message
}

/** Removes the null members of an object, and returns the values of the others. */
function removeNullMembers(object: Record<string, unknown>): unknown[] {
  for (const [name, value] of Object.entries(object)) if (value === null) delete object[name]
  return Object.values(object)
}

/**
 * Turns the validator's list of problems in an error reply into one line with the code for wrong parameters (JSON-RPC 2.0
 * §5.1). The library gives some of them the code of an internal error.
 */
function withReadableErrors(reply: unknown): unknown {
  for (const each of Array.isArray(reply) ? reply : [reply]) {
    const error = field(each, 'error')
    const message = field(error, 'message')
    const problems = typeof message === 'string' ? problemsIn(message) : undefined
    if (isObject(error) && problems) Object.assign(error, { code: INVALID_PARAMS, message: problems, data: undefined })
  }
  return reply
}

const INVALID_PARAMS = -32602

/**
 * The first problems of a validator's dump, each with the path of its member, such as `params.name: expected string` of
 * `[{"path": ["params", "name"], "message": "Invalid input: expected string"}]`; undefined for any other message.
 */
function problemsIn(message: string): string | undefined {
  const start = message.search(/\[\s*\{/)
  if (start === -1) return undefined
  const issues = parsedJson(message.slice(start))
  if (!Array.isArray(issues)) return undefined
  const lines = issues.slice(0, MAX_PROBLEMS).map(issue => `${pathOf(issue)}: ${messageOf(issue)}`)
  return `Invalid parameters: ${lines.join('; ')}`
}

const MAX_PROBLEMS = 3

function pathOf(issue: unknown): string {
  const path = field(issue, 'path')
  return Array.isArray(path) && path.length > 0 ? reasonOf(path.map(String).join('.')) : 'the message'
}

function messageOf(issue: unknown): string {
  return reasonOf(String(field(issue, 'message') ?? 'invalid').replace(/^Invalid input: /, ''))
}
