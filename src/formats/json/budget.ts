import { isObject, type Json } from './json.ts'

/** The work that the readers of a source may still do together: a short text can expand to more than fits into memory. */
export type Budget = { left: number }

/** A budget for values: a multiple of their size, and half a second more to expand them. */
export function budgetFor(values: readonly Json[]): Budget {
  return { left: 5_000_000 + 200 * sizeOf(values) }
}

/** Takes work from a budget, about 0.1 µs each; returns whether it was left. */
export function spend(budget: Budget, work: number): boolean {
  budget.left -= work
  return budget.left >= 0
}

/** The sum of the depths of all values inside. */
function sizeOf(value: Json, depth = 1): number {
  const inner = Array.isArray(value) ? value : isObject(value) ? [...value.values()] : []
  return inner.reduce((sum: number, each: Json) => sum + sizeOf(each, depth + 1), depth)
}
