import { errorMessage } from '#platform/base/error.ts'
import { field, isObject, parsedJson, type WithoutUndefined, withoutUndefined } from '#platform/base/object.ts'
import type { MaybePromise } from '#platform/base/promise.ts'
import { DamagedColumn, type DamagedRow } from '../store-error.ts'
import { type Readable, readable, readRow } from './damaged-row.ts'
import type { Database, Queries, Row, SqlValue } from './database.ts'

/** The rows of a query as records. In all calls, `rest` is the statement after its FROM clause. */
export type Rows<Stored> = {
  /** The SELECT list. */
  columns: string
  /** Throws `DamagedRow`, or a `StoreError` for rows of no single table, if a column has an invalid value. */
  read: (row: Row) => Stored
  /** The records of rows, and the damaged rows. */
  readAll: (queries: Queries, rows: readonly Row[]) => Readable<Stored>
  /** The records. Throws like `read`. */
  all: (queries: Queries, rest: string, ...values: SqlValue[]) => Promise<Stored[]>
  /** The same records for work about many guides, of which a damaged row, which is reported, ends only its own. */
  sound: (queries: Queries, rest: string, ...values: SqlValue[]) => Promise<Stored[]>
  /** The same records, and the damaged rows. */
  readable: (queries: Queries, rest: string, ...values: SqlValue[]) => Promise<Readable<Stored>>
  /** The first record or its damage, for work that ends an item even if it is damaged. */
  found: (queries: Queries, rest: string, ...values: SqlValue[]) => Promise<Stored | DamagedRow | undefined>
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

/** The condition that columns have these values, and the values to bind. An undefined value is any. */
export function matching(columns: Readonly<Record<string, SqlValue | undefined>>): [where: string, ...SqlValue[]] {
  const wanted = Object.entries(columns).filter((entry): entry is [string, SqlValue] => entry[1] !== undefined)
  const conditions = wanted.map(([column]) => `${column} = ?`)
  return [['TRUE', ...conditions].join(' AND '), ...wanted.map(([, value]) => value)]
}

/** The ways to read the rows of a query; `readFields` makes a record of a row. Without `table`, the rows are of none. */
function rowsOf<Stored>(columns: string, from: string, readFields: (row: Row) => Stored, table?: string): Rows<Stored> {
  const select = `SELECT ${columns} FROM ${from}`
  const read = (row: Row) => (table === undefined ? readFields(row) : readRow(table, row, readFields))
  const readAll = (queries: Queries, rows: readonly Row[]) => readable(queries, rows, read)
  const rowsFor = async (queries: Queries, rest: string, values: SqlValue[]) =>
    queries.all(`${select} ${rest}`, ...values)
  const readableFor = async (queries: Queries, rest: string, ...values: SqlValue[]) =>
    readAll(queries, await rowsFor(queries, rest, values))
  return {
    columns,
    read,
    readAll,
    all: async (queries, rest, ...values) => (await rowsFor(queries, rest, values)).map(read),
    sound: async (...query) => (await readableFor(...query)).records,
    readable: readableFor,
    found: async (...query) => {
      const { records, damaged } = await readableFor(...query)
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

/** The records of a query. */
type Selected<P extends Readings> = WithoutUndefined<{ [K in keyof P]: ReturnType<P[K]['read']> }>

/** The states of records: of the properties that have one, under their printed names. */
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

/** All properties together: their columns, and a record with the value of each. */
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

/** A string, by default any. */
export function text(column: string, expected = 'a string', isValid?: (value: string) => boolean) {
  const isText = (value: unknown): value is string => typeof value === 'string' && (isValid?.(value) ?? true)
  return property(column, expected, isText)
}

/** A secret, encrypted or in JSON. */
export function sealed(column: string) {
  const isSealed = (value: string) =>
    /^[\w-]+(?:\.[\w-]*){4}$/.test(value) || typeof field(parsedJson(value), 'secret') === 'string'
  return text(column, 'a secret', isSealed)
}

/** An e-mail address, as far as mail needs it: some text in one line. */
export function address(column: string) {
  return text(column, 'an address in one line', value => /^[^\p{Cc}]+$/u.test(value))
}

export function number(column: string): PrintedProperty<number, number> {
  return property(column, 'a number', value => typeof value === 'number')
}

/** A whole number within limits. */
export function whole(column: string, min = 0, max = Number.MAX_SAFE_INTEGER, expected = `a whole number from ${min}`) {
  const isWhole = (value: unknown): value is number => Number.isSafeInteger(value) && typeof value === 'number'
  return property(column, expected, (value): value is number => isWhole(value) && value >= min && value <= max)
}

export function bytes(column: string): PrintedProperty<Uint8Array, Uint8Array> {
  return property(column, 'bytes', value => value instanceof Uint8Array)
}

/** A property in one column. A value of another kind than `expected` happens only in a damaged store. */
function property<Value extends SqlValue>(
  column: string,
  expected: string,
  isValid: (value: unknown) => value is Value,
): PrintedProperty<Value, Value> {
  const name = fieldName(column)
  const read = ({ [name]: value }: Row) => (isValid(value) ? value : unexpected(name, value, expected))
  return { columns: [column], read, values: value => [value], state: value => value }
}

function unexpected(column: string, value: unknown, expected: string): never {
  const problem = `the column ${column} has ${describe(value)}, which is not ${expected}`
  throw new DamagedColumn(problem, { column })
}

/** The start of a value, which may be long, without secrets: only short words and numbers are shown. */
function describe(value: unknown): string {
  if (value === null || value === undefined) return 'nothing'
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && /^[\w.-]{0,30}$/.test(value) ? JSON.stringify(value) : 'a value'
}

/** The name of a column in a row: `name` for `r.name`, `published_name` for `r.name AS published_name`. */
function fieldName(column: string): string {
  return column.slice(column.search(/[^ .]+$/))
}

/** A property that is computed from another one when it is read. `parse` throws if its value is damaged. */
export function derive<Stored, Value>(
  { columns, read: readStored }: Reading<Stored>,
  parse: (value: Stored) => Value,
): Reading<Value> {
  const read = (row: Row) => {
    const value = readStored(row)
    try {
      return parse(value)
    } catch (cause) {
      throw new DamagedColumn(errorMessage(cause), { column: fieldName(columns[0] ?? ''), cause })
    }
  }
  return { columns, read }
}

/** A property whose value is stored in another form. `parse` throws if the stored value is damaged. */
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

/** One of these values. */
export function choice<const Value extends string>(column: string, ...values: readonly Value[]) {
  const isOne = (value: unknown): value is Value => values.some(each => each === value)
  return property(column, values.join(' or '), isOne)
}

/** A truth value, which the column keeps as 1 or 0. */
export function flag(column: string): PrintedProperty<boolean, boolean> {
  return convert(
    whole(column, 0, 1, '0 or 1'),
    value => value === 1,
    value => (value ? 1 : 0),
  )
}

/** A time, which the column keeps in milliseconds since 1970. */
export function date(column: string): PrintedProperty<Date, string> {
  const ms = whole(column, 0, MAX_DATE_MS, 'a date in milliseconds since 1970')
  const property = convert(
    ms,
    value => new Date(value),
    value => value.getTime(),
  )
  return { ...property, state: value => value.toISOString() }
}

/** The latest time that a `Date` can have, in milliseconds. */
export const MAX_DATE_MS = 8.64e15

/** A value of a certain form that the column keeps as JSON. */
export function json<Value>(
  column: string,
  form: string,
  isValid: (value: unknown) => boolean,
): PrintedProperty<Value, Value> {
  const stored = text(column)
  const name = fieldName(column)
  const read = (row: Row) => {
    const value = parseJson(stored.read(row))
    return isValid(value) ? value : unexpected(name, row[name], form)
  }
  return { ...stored, read, values: value => [JSON.stringify(value)], state: value => value }
}

/** A value that a column keeps as JSON; undefined if it is not JSON. */
function parseJson(stored: string) {
  try {
    return JSON.parse(stored)
  } catch {
    return undefined
  }
}

/** An object that the column keeps as JSON. */
export function jsonObject<Value extends object>(column: string): PrintedProperty<Value, Value> {
  return json(column, 'a JSON object', isObject)
}

/** A list of strings that the column keeps as JSON. */
export function strings(column: string): PrintedProperty<readonly string[], readonly string[]> {
  return json(column, 'a JSON list of strings', isStringList)
}

/** Whether a value is a list of strings. */
export function isStringList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(each => typeof each === 'string')
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
  const first = fieldName(columns[0] ?? '')
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
