import type { StyleId } from './ids.ts'

/**
 * A key of a YAML file: the kind of its value, the group of readers that get it, and its text for editors.
 *
 * - `API`: replies of the API, the website, exports, agents and `diff`
 * - `print`: the same except the API, whose fields are fixed
 * - `website`: the website, exports, agents and `diff`
 * - `tools`: only commands; not in snapshots
 */
export type Field<Kind extends string = string> = {
  kind: Kind
  group: 'API' | 'print' | 'website' | 'tools'
  about: string
  examples: readonly Example[]
}

/**
 * The key under `$extensions` of a design token (Design Tokens Format 2025.10 §5.2.3) for values that the format cannot
 * express: a style's authored values, named as in `Color` and `TypeStyle`.
 */
export const TOKEN_EXTENSION = 'housestyle'

export type Example = string | number | boolean | readonly Example[] | { readonly [key: string]: Example }

/** The fields of a thing, in the order of its snapshot entries. The order affects snapshot hashes. */
export type FieldTable = Readonly<Record<string, Field>>

/** The values in snapshots of the kinds that several tables have. */
export type CommonValues = {
  'style id': StyleId
  name: string
  line: string
  'short line': string
  description: string
  flag: boolean
  file: string
  style: StyleId
  styles: readonly StyleId[]
}

/** The type of the things that a table describes, from the value of each kind. */
export type FieldsOf<
  Table extends Readonly<Record<string, Field<keyof Values & string>>>,
  Values,
  Required extends keyof Table,
> = { [Key in Required]: Values[Table[Key]['kind']] } & {
  [Key in Exclude<keyof Table, Required>]?: Values[Table[Key]['kind']]
}

/** Makes the fields of a group. */
export function fieldIn<const Group extends Field['group']>(group: Group) {
  return <const Kind extends string>(kind: Kind, about: string, ...examples: Example[]) =>
    ({ kind, group, about, examples }) as const
}

/** The keys of a table, in its order. */
export function keysOf<Key extends string>(table: Readonly<Record<Key, unknown>>): Key[] {
  return Object.keys(table).filter((key): key is Key => Object.hasOwn(table, key))
}

export function keysIn<Table extends FieldTable, Group extends Field['group']>(
  table: Table,
  group: Group,
): KeysIn<Table, Group>[] {
  return keysOf(table).filter((key): key is KeysIn<Table, Group> => table[key]?.group === group)
}

export type KeysIn<Table extends FieldTable, Group extends Field['group']> = {
  [Key in keyof Table & string]: Table[Key]['group'] extends Group ? Key : never
}[keyof Table & string]
