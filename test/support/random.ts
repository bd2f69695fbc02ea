import { env } from 'node:process'
import fc from 'fast-check'
import type { MaybePromise } from '#platform/base/promise.ts'

/*
 * Tests take random values from here. In `npm test` the seed is fixed, so that a test passes or fails for everyone.
 * `npm run test:soak` draws a new seed and tries many more values.
 */

/** The seed of every random value, an unsigned 32-bit integer. */
export const SEED = positiveInteger('TEST_SEED', 1)

const RUNS_FACTOR = positiveInteger('TEST_RUNS_FACTOR', 1)

/** Scales the number of runs in `npm test`, or their time limit, to this run. */
export function scale(count: number): number {
  return count * RUNS_FACTOR
}

/** The usual number of values, for which a property takes a few milliseconds. */
const RUNS = 40

fc.configureGlobal({ seed: SEED, numRuns: scale(RUNS) })

/** fast-check with the seed of this run. */
export { fc }

/** Asserts a property of 40 random values. */
export function forAll<Values extends [unknown, ...unknown[]]>(
  ...[arbitraries, property]: Property<Values>
): Promise<void> {
  return forAllIn(RUNS, arbitraries, property)
}

/** Asserts a property of so many random values. */
export function forAllIn<Values extends [unknown, ...unknown[]]>(
  runs: number,
  ...[arbitraries, property]: Property<Values>
): Promise<void> {
  const values = fc.asyncProperty<Values>(...arbitraries, async (...given) => void (await property(...given)))
  return fc.assert(values, { numRuns: scale(runs) })
}

type Property<Values extends unknown[]> = [
  arbitraries: { [At in keyof Values]: fc.Arbitrary<Values[At]> },
  property: (...values: Values) => MaybePromise<unknown>,
]

/** Any character but a surrogate. The unit `binary` of fast-check has the same ones, but builds a list of them for 3 s. */
export const codePoint = fc
  .integer({ min: 0, max: 0x10ffff })
  .filter(code => code < 0xd800 || code > 0xdfff)
  .map(
    code => String.fromCodePoint(code),
    text => (typeof text === 'string' && [...text].length === 1 ? (text.codePointAt(0) ?? -1) : -1),
  )

/** Numbers from 0 to 1, drawn from a seed (a linear congruential generator, as in Numerical Recipes). */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

function positiveInteger(name: string, byDefault: number): number {
  const value = Number(env[name] ?? byDefault)
  if (Number.isInteger(value) && value > 0 && value < 2 ** 32) return value
  throw new Error(`cannot run with ${name}=${env[name]}: write an integer from 1 to ${2 ** 32 - 1}`)
}

/** Text that could end a string, comment or block of a style sheet, or the element around it. */
export const CSS_PIECES = Array.from('"\'\\\n\r\f\0\u2028\u202e a0{}():;#$@*/').concat(
  '#{ @import /* */ **/ // <!-- </style> url( var( body'.split(' '),
)
