import { attempt } from './result.ts'

/** Copies an object without its undefined fields. */
export function withoutUndefined<Fields extends object>(fields: Fields): WithoutUndefined<Fields>
export function withoutUndefined(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

/** Copies the fields with these keys, in this order, except undefined ones. */
export function pick<Thing extends object, Key extends keyof Thing>(
  thing: Thing,
  keys: readonly Key[],
): Pick<Thing, Key>
export function pick(thing: object, keys: readonly PropertyKey[]): object {
  return withoutUndefined(Object.fromEntries(keys.map(key => [key, Reflect.get(thing, key)])))
}

export type WithoutUndefined<Fields> = {
  [Key in keyof Fields as undefined extends Fields[Key] ? never : Key]: Fields[Key]
} & { [Key in keyof Fields as undefined extends Fields[Key] ? Key : never]?: Exclude<Fields[Key], undefined> }

/** A list or an object with fields; undefined for an empty one. */
export function unlessEmpty<Value extends object>(value: Value | undefined): Value | undefined {
  return value && Object.keys(value).length > 0 ? value : undefined
}

/** Reads a field of a value of unknown shape; undefined if absent. */
export function field(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}

/** Whether a value of unknown shape is an object, and not a list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Parses JSON; undefined for any other text. */
export function parsedJson(text: string): unknown {
  return attempt(() => JSON.parse(text))
}

/** Makes a value on first use. `Intl` objects and Unicode character classes cost milliseconds at startup. */
export function lazy<Value extends object | string>(make: () => Value): () => Value {
  let made: Value | undefined
  return () => {
    made ??= make()
    return made
  }
}

/**
 * Makes a value once for each object, and keeps it as long as the object. The first call determines the other
 * arguments. A promise that fails is made again.
 */
export function perObject<Key extends object, Rest extends unknown[], Value extends object>(
  make: (key: Key, ...rest: Rest) => Value,
): (key: Key, ...rest: Rest) => Value {
  const values = new WeakMap<Key, Value>()
  return (key, ...rest) => {
    const before = values.get(key)
    if (before) return before
    const value = make(key, ...rest)
    values.set(key, value)
    if (value instanceof Promise) value.catch(() => values.delete(key))
    return value
  }
}

/** The values that a map has for these keys, in their order; of lists, what is in them. */
export function valuesAt<Key, Value>(map: ReadonlyMap<Key, Value | readonly Value[]>, keys: readonly Key[]): Value[] {
  return keys.flatMap(key => map.get(key) ?? [])
}

/** Adds to the count of a key, and forgets a count of 0. Returns the new count. */
export function addTo(counts: Map<string, number>, key: string, change: number): number {
  const count = (counts.get(key) ?? 0) + change
  if (count > 0) counts.set(key, count)
  else counts.delete(key)
  return count
}

/** The items of a list from outside; none of another value. */
export function listIn<Value>(value: Value): ListIn<Value>
export function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

type ListIn<Value> = unknown extends Value ? unknown[] : Extract<Value, readonly unknown[]>
