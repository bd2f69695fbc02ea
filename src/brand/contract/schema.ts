import { keysOf } from '../fields.ts'

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
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly examples?: readonly (string | number | boolean | Readonly<Record<string, number>>)[]
}

/** Schemas, keyed by the names that `$ref` uses. */
export type Schemas = Readonly<Record<string, Schema>>

/** The location of schemas in an OpenAPI document. */
const SCHEMAS_PREFIX = '#/components/schemas/'

/** An object. `properties` must have exactly the fields of `Body`, all of them required unless some are named. */
export function object<Body>(
  description: string,
  properties: Readonly<Record<keyof Body & string, Schema>>,
  required: readonly (keyof Body & string)[] = keysOf(properties),
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

/** A string, with more rules if there are some; `maxLength` is in characters. */
export function text(
  description: string,
  example: string,
  rules: Pick<Schema, 'enum' | 'format' | 'pattern' | 'maxLength'> = {},
): Schema {
  return { type: 'string', description, ...rules, examples: [example] }
}

export function number(description: string, example: number): Schema {
  return { type: 'number', description, examples: [example] }
}

/** A point in time. */
export function date(description: string, example: string): Schema {
  return text(`${description} ISO 8601, UTC, with milliseconds.`, example, { format: 'date-time' })
}

/** An absolute URI. */
export function uri(description: string, example: string): Schema {
  return text(description, example, { format: 'uri' })
}

/** `count` numbers separated by commas; `one` is the pattern of a number. */
export function numbers(description: string, count: number, one: string, example: string): Schema {
  return text(description, example, { pattern: `^${Array.from({ length: count }, () => one).join(',')}$` })
}

/** A field of a reply, with its full name: `files[].metadata.family`. */
type Field = { name: string; type: string; isRequired: boolean; schema: Schema }

/** Formats an example for readers, with only the first entry of each list and the beginning of long strings. */
export function shortExample(example: unknown): string {
  const shorten = (_: string, value: unknown) => {
    if (typeof value === 'string' && value.length > SHOWN_CHARACTERS) return `${value.slice(0, SHOWN_CHARACTERS)}…`
    return Array.isArray(value) ? value.slice(0, SHOWN_ENTRIES) : value
  }
  return JSON.stringify(example, shorten, 2)
}

const SHOWN_ENTRIES = 1
const SHOWN_CHARACTERS = 320

/** Lists the fields of an object and of its nested objects, in order. */
export function fieldsOf(schema: Schema, schemas: Schemas, prefix = ''): Field[] {
  const { properties = {}, required = [] } = resolve(schema, schemas)
  return Object.entries(properties).flatMap(([name, part]) => {
    const field = {
      name: prefix + name,
      type: typeOf(part, schemas),
      isRequired: required.includes(name),
      schema: part,
    }
    const inner = part.items ? `${field.name}[].` : `${field.name}.`
    const below = part.anyOf ?? [part.items ?? part]
    return [field, ...below.flatMap(each => fieldsOf(each, schemas, inner))]
  })
}

function typeOf(schema: Schema, schemas: Schemas): string {
  const { type, format, items } = resolve(schema, schemas)
  if (items) return `list of ${typeOf(items, schemas)}s`
  return format ?? type ?? 'object'
}

/** Returns the schema that a `$ref` names, or the schema itself. */
function resolve(schema: Schema, schemas: Schemas): Schema {
  if (schema.$ref === undefined) return schema
  const target = schemas[schema.$ref.slice(SCHEMAS_PREFIX.length)]
  if (!target) throw new Error(`there is no schema ${schema.$ref}`)
  return target
}
