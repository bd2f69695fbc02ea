/** The part of JSON Schema (2020-12, the OpenAPI 3.1 dialect) that the replies need. */
export type Schema = {
  readonly $ref?: string
  readonly type?: 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean'
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema
  readonly propertyNames?: Schema
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly enum?: readonly string[]
  readonly format?: 'date-time' | 'uri'
  readonly contentMediaType?: string
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly examples?: readonly (string | number | boolean | Readonly<Record<string, number>>)[]
}

/** Schemas, keyed by the names that `$ref` uses. */
export type Schemas = Readonly<Record<string, Schema>>

/** The location of schemas in an OpenAPI document. */
export const SCHEMAS_PREFIX = '#/components/schemas/'

/** An object. `properties` must have exactly the fields of `Body`. */
export function object<Body>(
  description: string,
  properties: Readonly<Record<keyof Body & string, Schema>>,
  required: readonly (keyof Body & string)[],
): Schema {
  return { type: 'object', description, properties, ...(required.length > 0 && { required }) }
}

/** A reference to the schema of this name. */
export function ref(name: string): Schema {
  return { $ref: SCHEMAS_PREFIX + name }
}

/** A list whose items have the schema of this name. */
export function list(name: string, description: string): Schema {
  return { type: 'array', description, items: ref(name) }
}

/** A string; `maxLength` is in characters. */
export function text(description: string, example: string, maxLength?: number): Schema {
  return { type: 'string', description, ...(maxLength !== undefined && { maxLength }), examples: [example] }
}

export function number(description: string, example: number): Schema {
  return { type: 'number', description, examples: [example] }
}

/** A point in time. */
export function date(description: string, example: string): Schema {
  const form = 'ISO 8601, UTC, with milliseconds.'
  return { type: 'string', description: `${description} ${form}`, format: 'date-time', examples: [example] }
}

/** An absolute URI. */
export function uri(description: string, example: string): Schema {
  return { type: 'string', description, format: 'uri', examples: [example] }
}

/** `count` numbers separated by commas; `one` is the pattern of a number. */
export function numbers(description: string, count: number, one: string, example: string): Schema {
  const pattern = `^${Array.from({ length: count }, () => one).join(',')}$`
  return { type: 'string', description, pattern, examples: [example] }
}
