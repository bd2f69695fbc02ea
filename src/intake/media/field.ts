/** A field of a value from outside whose shape is not known; nothing where it has none. */
export function field(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}
