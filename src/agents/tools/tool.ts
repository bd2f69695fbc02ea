import { withoutUndefined } from '../../base/object.ts'
import { failed, ok, type Result } from '../../base/result.ts'
import type { Scope } from '../../contract/operations.ts'
import type { Reader } from './reader.ts'

/** A JSON Schema as it is published. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** The schema of the arguments of a tool: strings and whole numbers. */
type ArgumentsSchema = {
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

type TextArgument = 'query' | 'id' | 'project' | 'page' | 'kind' | 'type'

/** A read-only tool. Everything except its results is constant, so that content cannot change how a tool looks. */
export type Tool = {
  name: string
  title: string
  description: string
  scope: Scope
  input: ArgumentsSchema
  output: JsonSchema
  load: () => Promise<RunTool>
}

/** Returns the structured content, or a problem with the next step. */
type RunTool = (reader: Reader, args: Arguments) => Promise<Result<object, string>>

/** Checks the arguments of a call, and runs the tool. */
export async function callTool({ input, load }: Tool, reader: Reader, given: unknown): Promise<Result<object, string>> {
  const args = checkArguments(input, given)
  return args.ok ? (await load())(reader, args.value) : args
}

/** Checks arguments against the schema of a tool. The problem names the argument and the expected form. */
function checkArguments(schema: ArgumentsSchema, given: unknown): Result<Arguments, string> {
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
    return typeof value === 'number' ? value : undefined
  }
  return ok({
    query: text('query'),
    id: text('id'),
    project: text('project'),
    page: text('page'),
    kind: text('kind'),
    type: text('type'),
    ...withoutUndefined({ limit: number('limit'), offset: number('offset') }),
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
