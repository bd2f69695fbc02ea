/** A value now, or a promise of it: what is in memory is answered without a turn of the event loop. */
export type MaybePromise<Value> = Value | Promise<Value>

/**
 * Goes on with a value, at once if it is there, else when its promise is fulfilled. This is the one place that tells
 * the two apart. (A module that exports `then` would itself be taken for a promise when it is imported dynamically.)
 */
export function andThen<Value, Next>(
  value: MaybePromise<Value>,
  next: (value: Value) => MaybePromise<Next>,
): MaybePromise<Next> {
  return value instanceof Promise ? value.then(next) : next(value)
}

/** Runs the work at the first call and gives everyone its result. A failure is not kept. */
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

/** All values. If one promise is rejected, the others are waited for too, so that no work goes on unseen. */
export async function settleAll<const Promises extends readonly unknown[]>(
  promises: Promises,
): Promise<{ -readonly [Key in keyof Promises]: Awaited<Promises[Key]> }> {
  await Promise.allSettled(promises)
  return Promise.all(promises)
}

/** Runs pieces of work one after the other, in the order of the calls; a failure holds up none of the others. */
export function serial(): <Value>(work: () => MaybePromise<Value>) => Promise<Value> {
  let last: Promise<unknown> = Promise.resolve()
  return work => {
    const next = last.then(work)
    last = next.then(ignore, ignore) // Without its value, which would stay in memory until the next call.
    return next
  }
}

function ignore(): void {}
