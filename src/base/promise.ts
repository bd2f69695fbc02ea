/** A value, or a promise of it. A value that is in memory already is given without a turn of the event loop. */
export type MaybePromise<Value> = Value | Promise<Value>

/**
 * Calls `next` with a value, or with what a promise gives once it is fulfilled. This is the one place that tells the
 * two apart. (The name is not `then`, because a dynamic import takes a module that exports `then` for a promise.)
 */
export function andThen<Value, Next>(
  value: MaybePromise<Value>,
  next: (value: Value) => MaybePromise<Next>,
): MaybePromise<Next> {
  return value instanceof Promise ? value.then(next) : next(value)
}

/**
 * Runs the work at the first call, and returns its result to every caller. After a failure the next call tries again.
 */
export function once<Value>(work: () => Promise<Value>): () => Promise<Value> {
  let result: Promise<Value> | undefined
  return () => {
    result ??= work().catch(error => {
      result = undefined
      throw error
    })
    return result
  }
}

/** Waits for all promises, also if one is rejected, so that no work goes on unnoticed. Then it is `Promise.all`. */
export async function settleAll<const Promises extends readonly unknown[]>(
  promises: Promises,
): Promise<{ -readonly [Key in keyof Promises]: Awaited<Promises[Key]> }> {
  await Promise.allSettled(promises)
  return Promise.all(promises)
}

/** What comes first: the work, or what `late` gives after so many milliseconds. The work is not ended. */
export async function withTimeout<Value, Late>(
  milliseconds: number,
  work: MaybePromise<Value>,
  late: () => Late,
): Promise<Value | Late> {
  const { promise, resolve } = Promise.withResolvers<Late>()
  const timer = setTimeout(() => resolve(late()), milliseconds)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}

/** Runs tasks one after the other, in the order of the calls. A task that fails does not stop the next. */
export function serial(): <Value>(work: () => MaybePromise<Value>) => Promise<Value> {
  let last: Promise<unknown> = Promise.resolve()
  return work => {
    const next = last.then(work)
    last = next.then(ignore, ignore) // Drops the value, which would stay in memory until the next call.
    return next
  }
}

function ignore(): void {}
