/**
 * Runs work once for all concurrent callers with the same key. A caller whose signal aborts gets the reason at once.
 * The work itself is aborted when no caller is waiting any more.
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
