import { SCHEMAS_PREFIX, type Schema, type Schemas } from './schema.ts'

/** A field of a reply, with its full name: `files[].metadata.family`. */
export type Field = { name: string; type: string; isRequired: boolean; schema: Schema }

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
