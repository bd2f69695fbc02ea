import type { MaybePromise } from '../base/promise.ts'
import type { Cache } from './cache.ts'
import { memoryOf } from './memory.ts'

/** A cached result of a search in the store; `value` is undefined if nothing was found. */
export type Found<Value> = { value: Value | undefined }

/** Reads a value from memory or from the store. The cache also keeps that there is none. */
export function lookUp<Value>(
  cached: Cache<Found<Value>>,
  key: string,
  read: () => Promise<Value | undefined>,
): MaybePromise<Value | undefined> {
  const entry = cached.get(key)
  if (entry) return entry.value
  const made = cached.make(key, async () => {
    const value = { value: await read() }
    return { value, bytes: memoryOf(value) }
  })
  return made.then(entry => entry?.value)
}
