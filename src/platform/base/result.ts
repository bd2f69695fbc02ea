/** The result of a function that may fail: a value, or the problem. Unexpected faults are thrown. */
export type Result<Value, Problem> = Ok<Value> | Failed<Problem>

export type Ok<Value> = { readonly ok: true; readonly value: Value }

export type Failed<Problem> = { readonly ok: false; readonly problem: Problem }

export function ok<Value>(value: Value): Ok<Value> {
  return { ok: true, value }
}

export function failed<Problem>(problem: Problem): Failed<Problem> {
  return { ok: false, problem }
}

/** The result of work; undefined if it throws. Drops the error, which may quote a secret. */
export function attempt<Value>(work: () => Value): Value | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
