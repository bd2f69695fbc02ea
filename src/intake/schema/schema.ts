/** A JSON Schema (draft-07, which editors know best): the part of it that the files of a brand folder need. */
export type Schema = {
  readonly $schema?: string
  readonly title?: string
  readonly description?: string
  readonly type?: Type | readonly Type[]
  readonly enum?: readonly (string | boolean)[]
  readonly anyOf?: readonly Schema[]
  readonly not?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly propertyNames?: Schema
  readonly additionalProperties?: Schema | false
  readonly maxProperties?: number
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  /** What editors say instead of the pattern; a keyword of theirs. */
  readonly patternErrorMessage?: string
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly maximum?: number
  readonly default?: string | number | boolean
  readonly examples?: readonly Example[]
}

type Type = 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null'
type Example = string | number | boolean | readonly Example[] | { readonly [key: string]: Example }

/** The keys that a mapping may have, each with what it takes: the one list of them, for its reader and its schema. */
export type KeyTable<Key extends string = string> = Readonly<Record<Key, Schema>>

/** The keys of a table, in its order. */
export function keysOf<Key extends string>(table: KeyTable<Key>): Key[] {
  return Object.keys(table).filter((key): key is Key => Object.hasOwn(table, key))
}

/** A schema with what an editor shows beside it. */
export function withDescription(schema: Schema, description: string, ...examples: Example[]): Schema {
  return { description, ...schema, ...(examples.length > 0 && { examples }) }
}

/** A mapping with the keys of a table and no others. */
export function mapping(table: KeyTable, required: readonly string[] = []): Schema {
  return { type: 'object', properties: table, additionalProperties: false, ...(required.length > 0 && { required }) }
}
