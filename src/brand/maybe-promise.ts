/** A value now, or a promise of it: what is at hand is answered without a turn of the event loop. */
export type MaybePromise<Value> = Value | Promise<Value>
