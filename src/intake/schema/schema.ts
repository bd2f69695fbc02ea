import type { Example } from '#brand/fields.ts'

/** The parts of JSON Schema (draft-07, which editors support best) that a brand folder needs. */
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
  /** The message that editors show instead of the pattern; a keyword of VS Code. */
  readonly patternErrorMessage?: string
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly maximum?: number
  readonly default?: string | number | boolean
  readonly examples?: readonly Example[]
}

type Type = 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null'

/** The keys that a mapping may have, with their schemas: the single list for reader and schema. */
export type KeyTable<Key extends string = string> = Readonly<Record<Key, Schema>>

/** Adds the description and examples that editors show. */
export function withDescription(schema: Schema, description: string, ...examples: Example[]): Schema {
  return { description, ...schema, ...(examples.length > 0 && { examples }) }
}

/** The schema of a mapping with only the keys of a table. */
export function mapping(table: KeyTable, required: readonly string[] = []): Schema {
  return { type: 'object', properties: table, additionalProperties: false, ...(required.length > 0 && { required }) }
}
