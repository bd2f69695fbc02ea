/** Copies an object without its undefined fields. */
export function withoutUndefined<Fields extends object>(fields: Fields): WithoutUndefined<Fields>
export function withoutUndefined(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

type WithoutUndefined<Fields> = { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> }

/** Reads a field of a value of unknown shape; undefined if absent. */
export function field(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}

/** Makes a value on first use. `Intl` objects and Unicode character classes cost milliseconds at startup. */
export function lazy<Value extends object>(make: () => Value): () => Value {
  let made: Value | undefined
  return () => {
    made ??= make()
    return made
  }
}
