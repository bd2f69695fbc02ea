import { field } from '../../base/object.ts'
import type { DamagedContent } from '../store-error.ts'
import { type Readable, readable, readRow } from './damaged-row.ts'
import { nullable, numberOf, type Queries, type Row, type SqlValue, textOf } from './database.ts'
import { assertSound } from './row-checks.ts'

/** A table: its rows as records, and the state of a record, which commands print with `--json`. */
export type Table<Stored, State> = {
  name: string
  /** Throws `DamagedContent` if a column has an invalid value. */
  read: (row: Row) => Stored
  /** The records of `SELECT *` from this table with the rest of the statement. */
  all: (queries: Queries, rest: string, ...values: SqlValue[]) => Promise<Stored[]>
  /** The same records, except those of damaged rows. */
  readable: (queries: Queries, rest: string, ...values: SqlValue[]) => Promise<Readable<Stored>>
  /** The only one of these records, or its damage. */
  found: (queries: Queries, rest: string, ...values: SqlValue[]) => Promise<Stored | DamagedContent | undefined>
  /** The only one of these records. Throws `DamagedContent`. */
  one: (queries: Queries, rest: string, ...values: SqlValue[]) => Promise<Stored | undefined>
  add: (queries: Queries, record: Stored) => Promise<void>
  /** The printed properties of a record: times in ISO 8601, and projects by id. */
  stateOf: (record: Stored) => State
}

export type RecordOf<T extends { read: (row: Row) => unknown }> = ReturnType<T['read']>

export type StateOf<T extends { stateOf: (record: never) => unknown }> = ReturnType<T['stateOf']>

/** A property of records: its columns, and how their values become its value and back. */
export type Property<Value> = {
  columns: readonly string[]
  read: (row: Row) => Value
  /** A value for each column. */
  values: (value: Value) => readonly SqlValue[]
}

/** A property that is printed, by default under its own name. An undefined state is left out. */
export type PrintedProperty<Value, State> = Property<Value> & { state: (value: Value) => State }

/** Describes a table by the properties of its records, in the order of the output of `--json`. */
export function defineTable<P extends Properties<never>>(name: string, properties: P): Table<Stored<P>, Printed<P>>
export function defineTable(name: string, properties: Properties<unknown>): Table<object, object> {
  const entries = Object.entries(properties)
  const columns = entries.flatMap(([, property]) => property.columns)
  const insertion = `INSERT INTO ${name} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`
  const readFields = (row: Row) => fieldsOf(entries.map(([key, property]) => [key, property.read(row)]))
  const read = (row: Row) => readRow(name, row, readFields)
  const found: Table<object, object>['found'] = async (queries, rest, ...values) => {
    const { records, damaged } = readable(name, await rows(queries, rest, values), readFields)
    return records[0] ?? damaged[0]
  }
  const rows = async (queries: Queries, rest: string, values: SqlValue[]) =>
    queries.all(`SELECT * FROM ${name} ${rest}`, ...values)
  return {
    name,
    read,
    found,
    all: async (queries, rest, ...values) => (await rows(queries, rest, values)).map(read),
    readable: async (queries, rest, ...values) => readable(name, await rows(queries, rest, values), readFields),
    one: async (queries, rest, ...values) => {
      const row = await queries.get(`SELECT * FROM ${name} ${rest}`, ...values)
      return row && read(row)
    },
    add: async (queries, record) => {
      await queries.run(insertion, ...entries.flatMap(([key, { values }]) => values(field(record, key))))
    },
    stateOf: record => fieldsOf(entries.map(([name, { key = name, state }]) => [key, state?.(field(record, name))])),
  }
}

function fieldsOf(fields: [name: string, value: unknown][]): object {
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined))
}

type Properties<Value> = Readonly<
  Record<
    string,
    {
      columns: readonly string[]
      read: (row: Row) => unknown
      values: (value: Value) => readonly SqlValue[]
      state?: (value: Value) => unknown
      key?: string
    }
  >
>

type Stored<P extends Properties<never>> = {
  [K in keyof P as undefined extends ReturnType<P[K]['read']> ? never : K]: ReturnType<P[K]['read']>
} & { [K in keyof P as undefined extends ReturnType<P[K]['read']> ? K : never]?: ReturnType<P[K]['read']> }

type Printed<P extends Properties<never>> = {
  [K in keyof P as P[K] extends { state: unknown }
    ? P[K] extends { key: infer Key extends string }
      ? Key
      : K
    : never]: P[K] extends { state: (value: never) => infer State } ? State : never
}

export function text(column: string): PrintedProperty<string, string> {
  return { columns: [column], read: row => textOf(row, column), values: value => [value], state: value => value }
}

export function number(column: string): PrintedProperty<number, number> {
  return { columns: [column], read: row => numberOf(row, column), values: value => [value], state: value => value }
}

/** A truth value, which the column keeps as 1 or 0. */
export function flag(column: string): PrintedProperty<boolean, boolean> {
  return {
    columns: [column],
    read: row => numberOf(row, column) === 1,
    values: value => [value ? 1 : 0],
    state: value => value,
  }
}

/** A time, which the column keeps in milliseconds since 1970. */
export function date(column: string): PrintedProperty<Date, string> {
  return {
    columns: [column],
    read: row => dateOf(row, column),
    values: value => [value.getTime()],
    state: value => value.toISOString(),
  }
}

/** The time in a column, in milliseconds since 1970. */
export function dateOf(row: Row, column: string): Date {
  const time = new Date(numberOf(row, column))
  if (Number.isNaN(time.getTime())) throw new Error(`the column ${column} has no valid date`)
  return time
}

/** Parses the JSON in a column. */
export function jsonOf(row: Row, column: string) {
  const json = textOf(row, column)
  try {
    return JSON.parse(json)
  } catch (cause) {
    throw new Error(`the column ${column} is not JSON`, { cause })
  }
}

/** Parses the JSON object in a column. */
export function objectOf(row: Row, column: string) {
  const value = jsonOf(row, column)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw new Error(`the column ${column} is not a JSON object`)
}

/** The list of strings that a column keeps as JSON. */
export function stringsOf(row: Row, column: string): readonly string[] {
  const list: unknown = jsonOf(row, column)
  if (Array.isArray(list) && list.every(each => typeof each === 'string')) return list
  throw new Error(`the column ${column} is not a list of strings`)
}

/** A list of strings that the column keeps as JSON. */
export function strings(column: string): PrintedProperty<readonly string[], readonly string[]> {
  return { ...json<readonly string[]>(column), read: row => stringsOf(row, column) }
}

/** A value that the column keeps as JSON. */
export function json<Value>(column: string): PrintedProperty<Value, Value> {
  return {
    columns: [column],
    read: row => jsonOf(row, column),
    values: value => [JSON.stringify(value)],
    state: value => value,
  }
}

/** A property that may be absent, with null in its columns. Its state is left out then. */
export function optional<Value, State>(
  property: PrintedProperty<Value, State>,
): PrintedProperty<Value | undefined, State | undefined> {
  const { columns, read, values, state } = property
  const [column = ''] = columns
  return {
    columns,
    read: row => nullable(row, column, read),
    values: value => (value === undefined ? columns.map(() => null) : values(value)),
    state: value => (value === undefined ? undefined : state(value)),
  }
}

/** A property that may be absent, with null in its columns. Its state is null then. */
export function orNull<Value, State>(
  property: PrintedProperty<Value, State>,
): PrintedProperty<Value | undefined, State | null> {
  const { state, ...others } = optional(property)
  return { ...others, state: value => state(value) ?? null }
}

/** A property that also must pass the checks of rows. */
export function withChecks<Value, State>(
  table: string,
  { columns, read, ...others }: PrintedProperty<Value, State>,
): PrintedProperty<Value, State> {
  const readChecked = (row: Row) => {
    assertSound(table, Object.fromEntries(columns.map(column => [column, row[column]])))
    return read(row)
  }
  return { ...others, columns, read: readChecked }
}

/** A property that is not printed. */
export function unprinted<Value>({ columns, read, values }: Property<Value>): Property<Value> {
  return { columns, read, values }
}

/** A property that is printed under another name. */
export function printedAs<const Key extends string, Value, State>(
  key: Key,
  property: PrintedProperty<Value, State>,
): PrintedProperty<Value, State> & { key: Key } {
  return { ...property, key }
}
