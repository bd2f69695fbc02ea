import { failed, ok, type Result } from '../../base/result.ts'
import type { Scope } from '../../contract/operations.ts'
import type { Reader } from './reader.ts'

/** A JSON Schema as it is published. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** The schema of the arguments of a tool: strings and whole numbers. */
export type ArgumentsSchema = {
  type: 'object'
  properties: Record<string, ArgumentSchema>
  required: readonly string[]
  additionalProperties: false
}

type ArgumentSchema =
  | { type: 'string'; description: string; enum?: string[]; minLength?: number; maxLength: number }
  | { type: 'integer'; description: string; minimum: number; maximum: number }

/** The arguments of a call; an absent string is empty. */
export type Arguments = Readonly<Record<TextArgument, string> & { limit?: number; offset?: number }>

const TEXT_ARGUMENTS = ['query', 'id', 'project', 'page', 'kind', 'type'] as const
type TextArgument = (typeof TEXT_ARGUMENTS)[number]

/** A read-only tool. Everything except `run` is constant, so that content cannot change how a tool looks. */
export type Tool = {
  name: string
  title: string
  description: string
  scope: Scope
  input: ArgumentsSchema
  output: JsonSchema
  /** Returns the structured content, or a problem with the next step. */
  run: (reader: Reader, args: Arguments) => Promise<Result<object, string>>
}

/** Checks arguments against the schema of a tool. The problem names the argument and the expected form. */
export function checkArguments(schema: ArgumentsSchema, given: unknown): Result<Arguments, string> {
  const { properties, required } = schema
  const names = Object.keys(properties).join(', ') || 'no arguments'
  if (given !== undefined && !isFields(given)) return failed(`The arguments must be an object with ${names}.`)
  const values = new Map(Object.entries(given ?? {}).filter(([, value]) => value !== undefined && value !== null))
  const missing = required.find(name => !values.has(name))
  if (missing !== undefined) return failed(`The argument ${missing} is missing. This tool takes: ${names}.`)
  for (const [name, value] of values) {
    const expected = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (!expected) return failed(`${JSON.stringify(name.slice(0, 100))} is no argument. This tool takes: ${names}.`)
    const problem = problemOf(expected, value)
    if (problem !== undefined) return failed(`The argument ${name} must be ${problem}.`)
  }
  const text = (name: TextArgument) => {
    const value = values.get(name)
    return typeof value === 'string' ? value.trim() : ''
  }
  const number = (name: 'limit' | 'offset') => {
    const value = values.get(name)
    return typeof value === 'number' ? { [name]: value } : {}
  }
  const [query, id, project, page, kind, type] = TEXT_ARGUMENTS.map(text)
  return ok({
    query: query ?? '',
    id: id ?? '',
    project: project ?? '',
    page: page ?? '',
    kind: kind ?? '',
    type: type ?? '',
    ...number('limit'),
    ...number('offset'),
  })
}

function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The expected form, if a value does not have it. */
function problemOf(schema: ArgumentSchema, value: unknown): string | undefined {
  if (schema.type === 'integer') {
    const { minimum, maximum } = schema
    const isValid = typeof value === 'number' && Number.isInteger(value) && value >= minimum && value <= maximum
    return isValid ? undefined : `a whole number from ${minimum} to ${maximum}`
  }
  const { enum: choices, minLength = 0, maxLength } = schema
  if (choices && !choices.some(choice => choice === value)) return `one of ${choices.join(', ')}`
  const isValid = typeof value === 'string' && value.length <= maxLength && value.trim().length >= minLength
  return isValid ? undefined : `a string of ${minLength} to ${maxLength} characters`
}
