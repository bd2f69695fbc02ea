import { SCHEMAS_AT, type Schema, type Schemas } from './schema.ts'

/** A field of a reply as tables show it: `files[].metadata.family`. */
export type Field = { name: string; type: string; isRequired: boolean; schema: Schema }

/** A value of a schema, made from the first example of each of its parts. */
export function exampleOf(schema: Schema, schemas: Schemas): unknown {
  const { examples, properties, items, anyOf } = resolve(schema, schemas)
  if (examples) return examples[0]
  if (properties) {
    return Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, exampleOf(part, schemas)]))
  }
  if (items) return [exampleOf(items, schemas)]
  return anyOf?.[0] && exampleOf(anyOf[0], schemas)
}

/** The fields of an object and of the objects in it, in order, each under its full name. */
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

/** The schema that a `$ref` leads to, or the schema itself. */
function resolve(schema: Schema, schemas: Schemas): Schema {
  if (schema.$ref === undefined) return schema
  const found = schemas[schema.$ref.slice(SCHEMAS_AT.length)]
  if (!found) throw new Error(`there is no schema ${schema.$ref}`)
  return found
}
