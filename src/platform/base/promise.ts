/** A value, or a promise of it. A value in memory is returned without waiting for the event loop. */
export type MaybePromise<Value> = Value | Promise<Value>

/**
 * Calls `next` with a value, or with the value of a fulfilled promise. Only this function distinguishes the two. (The
 * name is not `then`, because a dynamic import treats a module that exports `then` as a promise.)
 */
export function andThen<Value, Next>(
  value: MaybePromise<Value>,
  next: (value: Value) => MaybePromise<Next>,
): MaybePromise<Next> {
  return value instanceof Promise ? value.then(next) : next(value)
}

/** The first value that `find` returns for one of the items, which are tried in turn. */
export function firstOf<Item, Value>(
  items: readonly Item[],
  find: (item: Item) => MaybePromise<Value | undefined>,
): MaybePromise<Value | undefined> {
  const [first, ...others] = items
  return first === undefined ? undefined : andThen(find(first), value => value ?? firstOf(others, find))
}

/** Runs the work on the first call, and returns its result to every caller. After a failure, the next call retries. */
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

/** Makes a function whose concurrent callers join one run of the work. */
export function joinRuns<Value>(work: () => Promise<Value>): () => Promise<Value> {
  let running: Promise<Value> | undefined
  return () => {
    running ??= work().finally(() => {
      running = undefined
    })
    return running
  }
}

/** Waits until all promises settle, so that no work continues unnoticed; then works like `Promise.all`. */
export async function settleAll<const Promises extends readonly unknown[]>(
  promises: Promises,
): Promise<{ -readonly [Key in keyof Promises]: Awaited<Promises[Key]> }> {
  await Promise.allSettled(promises)
  return Promise.all(promises)
}

/** Works on items, `count` at a time. After an error, it begins no more, and throws the error once all running work has ended. */
export async function forEachOf<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  count: number,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  let isFailing = false
  // All workers take their next item from this one iterator.
  const remaining = (async function* () {
    for await (const item of items) {
      if (isFailing) return
      yield item
    }
  })()
  const run = async () => {
    for await (const item of remaining)
      await work(item).catch((error: unknown) => {
        isFailing = true
        throw error
      })
  }
  await settleAll(Array.from({ length: count }, run))
}

/** Returns the result of the work, or of `late` after this many milliseconds. It does not stop the work. */
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

/** Runs tasks one at a time, in the order of the calls. A failed task does not stop the next. */
export function serial(): <Value>(work: () => MaybePromise<Value>) => Promise<Value> {
  let last: Promise<unknown> = Promise.resolve()
  return work => {
    const next = last.then(work)
    last = next.then(ignore, ignore) // Drops the value, which would otherwise stay in memory until the next call.
    return next
  }
}

function ignore(): void {}
