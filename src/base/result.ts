/** The outcome of what may fail as expected: a value, or the problem that stands in its way. Faults are thrown. */
export type Result<Value, Problem> = Ok<Value> | Failed<Problem>

/** It worked. */
export type Ok<Value> = { readonly ok: true; readonly value: Value }

/** It did not, and `problem` says why. */
export type Failed<Problem> = { readonly ok: false; readonly problem: Problem }

export function ok<Value>(value: Value): Ok<Value> {
  return { ok: true, value }
}

export function failed<Problem>(problem: Problem): Failed<Problem> {
  return { ok: false, problem }
}
