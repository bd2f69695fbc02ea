/** Makes a value when it is first asked for. What `Intl` and classes of Unicode take is milliseconds of every start. */
export function lazily<Value extends object>(make: () => Value): () => Value {
  let made: Value | undefined
  return () => {
    made ??= make()
    return made
  }
}
