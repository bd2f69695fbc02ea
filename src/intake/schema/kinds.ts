import { type FieldTable, keysOf } from '#brand/fields.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { type Fields, readOptional } from '../yaml/fields.ts'
import type { Reader } from '../yaml/reader.ts'
import { readReference, readReferences } from '../yaml/references.ts'
import { readDescription, readFlag, readName, readShortText } from '../yaml/scalars.ts'
import { type Schema, withDescription } from './schema.ts'
import { DESCRIPTION, FLAG, NAME, oneOrMore, SHORT_TEXT, STYLE_ID } from './values.ts'

/** The checks of a kind of value: the schema for editors, and the reader unless a value is read with others. */
type Kind = { readonly schema: Schema; readonly read?: Reader<unknown> }

/** The kinds of several tables. */
export const COMMON_KINDS = {
  'style id': { schema: STYLE_ID },
  name: { schema: NAME },
  line: { schema: NAME, read: readName },
  'short line': { schema: SHORT_TEXT, read: readShortText },
  description: { schema: DESCRIPTION, read: readDescription },
  flag: { schema: FLAG, read: readFlag },
  file: { schema: NAME, read: readReference },
  style: { schema: NAME, read: readReference },
  styles: { schema: oneOrMore(NAME), read: readReferences },
} as const

type KindsOf<Table extends FieldTable> = Readonly<Record<Table[keyof Table]['kind'], Kind>>

/** The schemas of the fields of a table, with their descriptions and examples. */
export function schemasOf<Table extends FieldTable>(table: Table, kinds: KindsOf<Table>): Record<keyof Table, Schema>
export function schemasOf(table: FieldTable, kinds: KindsOf<FieldTable>): Readonly<Record<string, Schema>> {
  return Object.fromEntries(
    Object.entries(table).map(([key, { kind, about, examples }]) => [
      key,
      withDescription(kinds[kind]?.schema ?? {}, about, ...examples),
    ]),
  )
}

/** Reads the fields of a table, except those of kinds without a reader. Omits invalid ones. */
export function readValues<Table extends FieldTable, Kinds extends KindsOf<Table>>(
  fields: Fields<string>,
  table: Table,
  kinds: Kinds,
): ReadValues<Table, Kinds>
export function readValues(fields: Fields<string>, table: FieldTable, kinds: KindsOf<FieldTable>): object {
  const values = keysOf(table).map(key => {
    const read = kinds[table[key]?.kind ?? '']?.read
    return [key, read && readOptional(fields, key, read)] as const
  })
  return withoutUndefined(Object.fromEntries(values))
}

/** The values of a table's fields, each optional; without fields whose kind has no reader. */
export type ReadValues<Table extends FieldTable, Kinds> = {
  [Key in keyof Table as Kinds[Table[Key]['kind'] & keyof Kinds] extends { read: Reader<unknown> }
    ? Key
    : never]?: Kinds[Table[Key]['kind'] & keyof Kinds] extends { read: Reader<infer Value> } ? Value : never
}
