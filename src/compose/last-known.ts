/** Reads a value on each call; while the store is unavailable, returns the last one. */
export function lastKnown<Value>(
  read: () => Promise<Value>,
  isOutage: (error: unknown) => boolean,
): () => Promise<Value> {
  let last: { value: Value } | undefined
  return async () => {
    try {
      last = { value: await read() }
    } catch (error) {
      if (!last || !isOutage(error)) throw error
    }
    return last.value
  }
}
