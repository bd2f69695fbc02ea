/**
 * Does work once for all who ask for the same key while it is under way. Whoever's signal aborts gets its reason at once;
 * the work itself is told to end if nobody waits for it any more.
 */
export function sharedWork<Value>(): SharedWork<Value> {
  const underWay = new Map<string, UnderWay<Value>>()
  return async (key, work, signal) => {
    signal?.throwIfAborted()
    const joined = underWay.get(key) ?? begin(underWay, key, work)
    joined.waiting++
    const { promise: left, reject } = Promise.withResolvers<never>()
    const leave = () => reject(signal?.reason)
    signal?.addEventListener('abort', leave, { once: true })
    try {
      return await Promise.race([joined.result, left])
    } finally {
      signal?.removeEventListener('abort', leave)
      joined.waiting--
      if (joined.waiting === 0) {
        if (underWay.get(key) === joined) underWay.delete(key)
        joined.ending.abort()
      }
    }
  }
}

type SharedWork<Value> = (
  key: string,
  work: (ending: AbortSignal) => Promise<Value>,
  signal?: AbortSignal,
) => Promise<Value>

type UnderWay<Value> = { result: Promise<Value>; ending: AbortController; waiting: number }

function begin<Value>(
  underWay: Map<string, UnderWay<Value>>,
  key: string,
  work: (ending: AbortSignal) => Promise<Value>,
): UnderWay<Value> {
  const ending = new AbortController()
  const result = work(ending.signal).finally(() => underWay.get(key) === begun && underWay.delete(key))
  const begun: UnderWay<Value> = { result, ending, waiting: 0 }
  underWay.set(key, begun)
  return begun
}
