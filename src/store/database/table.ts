import { field, isObject, type WithoutUndefined, withoutUndefined } from '#platform/base/object.ts'
import type { MaybePromise } from '#platform/base/promise.ts'
import { type DamagedContent, StoreError } from '../store-error.ts'
import { type Readable, readable, readRow } from './damaged-row.ts'
import type { Database, Queries, Row, SqlValue } from './database.ts'

/** The rows of a query as records. In all calls, `rest` is the statement after its FROM clause. */
export type Rows<Stored> = {
  /** The SELECT list. */
  columns: string
  /** Throws `DamagedContent`, or a `StoreError` for rows of no single table, if a column has an invalid value. */
  read: (row: Row) => Stored
  /** The records of rows, except those of damaged rows. */
  readAll: (rows: readonly Row[]) => Readable<Stored>
  all: (queries: Queries, rest: string, ...values: SqlValue[]) => Promise<Stored[]>
  /** The same records, except those of damaged rows. */
  readable: (queries: Queries, rest: string, ...values: SqlValue[]) => Promise<Readable<Stored>>
  /** The first record, or its damage. */
  found: (queries: Queries, rest: string, ...values: SqlValue[]) => Promise<Stored | DamagedContent | undefined>
  /** The first record. Throws like `read`. */
  one: (queries: Queries, rest: string, ...values: SqlValue[]) => Promise<Stored | undefined>
  /** Visits the records of all rows in batches. Throws like `read`. */
  scan: (database: Database, rest: string, visit: (records: Stored[]) => MaybePromise<void>) => Promise<void>
}

/** A table: its rows as records, and the state of a record, which commands print with `--json`. */
export type Table<Stored, State> = Rows<Stored> & {
  /** Adds a record; `rest` may be an ON CONFLICT clause. Returns the number of added or changed rows. */
  add: (queries: Queries, record: Stored, rest?: string) => Promise<number>
  /** Sets these properties of all rows that match; undefined is null. Returns the number of changed rows. */
  set: (queries: Queries, changes: Partial<Stored>, where: string, ...values: SqlValue[]) => Promise<number>
  /** The printed properties of a record: times in ISO 8601, and projects by id. */
  stateOf: (record: Stored) => State
}

export type RecordOf<T extends { read: (row: Row) => unknown }> = ReturnType<T['read']>

export type StateOf<T extends { stateOf: (record: never) => unknown }> = ReturnType<T['stateOf']>

/** A property of records that are only read: its columns, and how their values become its value. */
export type Reading<Value> = {
  /** As in a SELECT list: `name`, `r.name` or `r.name AS published_name`. */
  columns: readonly string[]
  read: (row: Row) => Value
}

/** A property that can also be written; `values` has a value for each column. */
export type Property<Value> = Reading<Value> & { values: (value: Value) => readonly SqlValue[] }

/** A property that is printed, by default under its own name. An undefined state is left out. */
export type PrintedProperty<Value, State> = Property<Value> & { state: (value: Value) => State }

/** Describes a table by the properties of its records, in the order of the output of `--json`. */
export function defineTable<P extends Properties<never>>(name: string, properties: P): Table<Stored<P>, Printed<P>>
export function defineTable(name: string, properties: Properties<unknown>): Table<object, object> {
  const entries = Object.entries(properties)
  const { columns, read, values } = group(properties)
  const insertion = `INSERT INTO ${name} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`
  return {
    ...rowsOf('*', name, read, name),
    add: async (queries, record, rest = '') => queries.run(`${insertion} ${rest}`, ...values(record)),
    set: async (queries, changes, where, ...rest) => {
      const changed = entries.filter(([key]) => Object.hasOwn(changes, key))
      const places = changed.flatMap(([, property]) => property.columns).map(column => `${column} = ?`)
      const newValues = changed.flatMap(([key, property]) => property.values(field(changes, key)))
      return queries.run(`UPDATE ${name} SET ${places.join(', ')} ${where}`, ...newValues, ...rest)
    },
    stateOf: record =>
      withoutUndefined(
        Object.fromEntries(entries.map(([name, { key = name, state }]) => [key, state?.(field(record, name))])),
      ),
  }
}

/**
 * Describes the rows of a query that selects some columns, joins or counts, by the properties of its records. `from` is
 * its FROM clause. A damaged row counts as one of `table`; without it, reading the row throws a plain `StoreError`.
 */
export function defineRows<P extends Readings>(from: string, properties: P, table?: string): Rows<Selected<P>>
export function defineRows(from: string, properties: Readings, table?: string): Rows<object> {
  const { columns, read } = reading(properties)
  return rowsOf(columns.join(', '), from, read, table)
}

/** The strings in the only column of a query. Other values, which only a damaged store has, name nothing. */
export async function readTexts(queries: Queries, sql: string, ...values: SqlValue[]): Promise<string[]> {
  const rows = await queries.all(sql, ...values)
  return rows.flatMap(row => Object.values(row).filter(value => typeof value === 'string'))
}

function rowsOf<Stored>(columns: string, from: string, readFields: (row: Row) => Stored, table?: string): Rows<Stored> {
  const select = `SELECT ${columns} FROM ${from}`
  const read = (row: Row) => (table === undefined ? readFields(row) : readRow(table, row, readFields))
  const readAll = (rows: readonly Row[]) => readable(rows, read)
  const rowsFor = async (queries: Queries, rest: string, values: SqlValue[]) =>
    queries.all(`${select} ${rest}`, ...values)
  return {
    columns,
    read,
    readAll,
    all: async (queries, rest, ...values) => (await rowsFor(queries, rest, values)).map(read),
    readable: async (queries, rest, ...values) => readAll(await rowsFor(queries, rest, values)),
    found: async (queries, rest, ...values) => {
      const { records, damaged } = readAll(await rowsFor(queries, rest, values))
      return records[0] ?? damaged[0]
    },
    one: async (queries, rest, ...values) => {
      const row = await queries.get(`${select} ${rest}`, ...values)
      return row && read(row)
    },
    scan: (database, rest, visit) => database.scan(`${select} ${rest}`, rows => visit(rows.map(read))),
  }
}

type Readings = Readonly<Record<string, Reading<unknown>>>

type Properties<Value> = Readonly<
  Record<
    string,
    Reading<unknown> & {
      values: (value: Value) => readonly SqlValue[]
      state?: (value: Value) => unknown
      key?: string
    }
  >
>

/** The records of a table. A new one may have undefined properties. */
type Stored<P extends Readings> = {
  [K in keyof P as undefined extends ReturnType<P[K]['read']> ? never : K]: ReturnType<P[K]['read']>
} & { [K in keyof P as undefined extends ReturnType<P[K]['read']> ? K : never]?: ReturnType<P[K]['read']> }

type Selected<P extends Readings> = WithoutUndefined<{ [K in keyof P]: ReturnType<P[K]['read']> }>

type Printed<P extends Properties<never>> = {
  [K in keyof P as P[K] extends { state: unknown }
    ? P[K] extends { key: infer Key extends string }
      ? Key
      : K
    : never]: P[K] extends { state: (value: never) => infer State } ? State : never
}

/** Several properties as one object. Undefined ones are left out. */
export function group<P extends Properties<never>>(properties: P): Property<Selected<P>>
export function group(properties: Properties<unknown>): Property<object> {
  const entries = Object.entries(properties)
  return {
    ...reading(properties),
    values: record => entries.flatMap(([key, { values }]) => values(field(record, key))),
  }
}

function reading(properties: Readings): Reading<object> {
  const entries = Object.entries(properties)
  return {
    columns: entries.flatMap(([, { columns }]) => columns),
    read: row => {
      const record: Record<string, unknown> = {}
      for (const [key, { read }] of entries) {
        const value = read(row)
        if (value !== undefined) record[key] = value
      }
      return record
    },
  }
}

export function text(column: string): PrintedProperty<string, string> {
  return property(column, 'text', value => typeof value === 'string')
}

export function number(column: string): PrintedProperty<number, number> {
  return property(column, 'a number', value => typeof value === 'number')
}

export function bytes(column: string): PrintedProperty<Uint8Array, Uint8Array> {
  return property(column, 'bytes', value => value instanceof Uint8Array)
}

/** A value of another type happens only in a damaged store. */
function property<Value extends SqlValue>(
  column: string,
  wanted: string,
  isValid: (value: unknown) => value is Value,
): PrintedProperty<Value, Value> {
  const name = nameOf(column)
  const read = ({ [name]: value }: Row) => {
    if (isValid(value)) return value
    const problem = `the catalogue has ${value === null ? 'nothing' : typeof value} where column ${name} holds ${wanted}`
    throw new StoreError('store_damaged', `${problem}; see \`housestyle doctor\``)
  }
  return { columns: [column], read, values: value => [value], state: value => value }
}

/** The name of a column in a row. */
function nameOf(column: string): string {
  return column.slice(column.search(/[^ .]+$/))
}

/** A property that is computed from another one when it is read. `parse` throws if its value is damaged. */
export function derive<Stored, Value>(
  { columns, read }: Reading<Stored>,
  parse: (value: Stored) => Value,
): Reading<Value> {
  return { columns, read: row => parse(read(row)) }
}

function convert<Stored, Value>(
  property: Property<Stored>,
  parse: (value: Stored) => Value,
  format: (value: Value) => Stored,
): PrintedProperty<Value, Value> {
  const values = (value: Value) => property.values(format(value))
  return { ...derive(property, parse), values, state: value => value }
}

/** A string of a certain form. `parse` throws if it has another. */
export function textAs<Value extends string>(
  column: string,
  parse: (value: string) => Value,
): PrintedProperty<Value, Value> {
  return convert(text(column), parse, value => value)
}

/** One of these values. Any other, which only a damaged row has, is read as the first. */
export function choice<const Value extends string>(
  column: string,
  first: Value,
  ...others: readonly Value[]
): PrintedProperty<Value, Value> {
  return textAs(column, value => others.find(other => other === value) ?? first)
}

/** A truth value, which the column keeps as 1 or 0. */
export function flag(column: string): PrintedProperty<boolean, boolean> {
  return convert(
    number(column),
    value => value === 1,
    value => (value ? 1 : 0),
  )
}

/** A time, which the column keeps in milliseconds since 1970. */
export function date(column: string): PrintedProperty<Date, string> {
  const parse = (ms: number) => {
    const time = new Date(ms)
    if (Number.isNaN(time.getTime())) throw new Error(`the column ${nameOf(column)} has no valid date`)
    return time
  }
  return { ...convert(number(column), parse, value => value.getTime()), state: value => value.toISOString() }
}

/** A value that the column keeps as JSON. */
export function json<Value>(column: string): PrintedProperty<Value, Value> {
  return jsonOf(column, 'JSON', () => true)
}

/** An object that the column keeps as JSON. */
export function jsonObject<Value extends object>(column: string): PrintedProperty<Value, Value> {
  return jsonOf(column, 'a JSON object', isObject)
}

/** A list of strings that the column keeps as JSON. */
export function strings(column: string): PrintedProperty<readonly string[], readonly string[]> {
  const isList = (value: unknown) => Array.isArray(value) && value.every(each => typeof each === 'string')
  return jsonOf(column, 'a list of strings', isList)
}

function jsonOf<Value>(
  column: string,
  form: string,
  isValid: (value: unknown) => boolean,
): PrintedProperty<Value, Value> {
  const parse = (stored: string) => {
    const value = parseJson(stored, nameOf(column))
    if (isValid(value)) return value
    throw new Error(`the column ${nameOf(column)} is not ${form}`)
  }
  return convert(text(column), parse, value => JSON.stringify(value))
}

function parseJson(stored: string, column: string) {
  try {
    return JSON.parse(stored)
  } catch (cause) {
    throw new Error(`the column ${column} is not JSON`, { cause })
  }
}

/** A property that may be absent, with null in its columns; the first one decides. Its state is left out then. */
export function optional<Value, State>(
  property: PrintedProperty<Value, State>,
): PrintedProperty<Value | undefined, State | undefined>
export function optional<Value>(property: Property<Value>): Property<Value | undefined>
export function optional<Value, State>({
  columns,
  read,
  values,
  state,
}: Property<Value> & { state?: (value: Value) => State }) {
  const first = nameOf(columns[0] ?? '')
  return {
    columns,
    read: (row: Row) => (row[first] === null ? undefined : read(row)),
    values: (value: Value | undefined) => (value === undefined ? columns.map(() => null) : values(value)),
    ...(state && { state: (value: Value | undefined) => (value === undefined ? undefined : state(value)) }),
  }
}

/** A property that may be absent, with null in its columns. Its state is null then. */
export function orNull<Value, State>(
  property: PrintedProperty<Value, State>,
): PrintedProperty<Value | undefined, State | null> {
  const { state, ...others } = optional(property)
  return { ...others, state: value => state(value) ?? null }
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
