import { nextTurn } from '../../brand/steps.ts'

/** Runs a piece of work in a turn of its own, so that others are answered in between; undefined where too many wait. */
export type Turns = <Value>(work: () => Promise<Value>) => Promise<Value> | undefined

/** Lines up pieces of work, one after the other, of which at most so many wait. */
export function takeTurns(mostWaiting: number): Turns {
  let waiting = 0
  let last: Promise<unknown> = Promise.resolve()
  return work => {
    if (waiting === mostWaiting) return undefined
    waiting++
    const mine = last
      .then(() => nextTurn())
      .then(work)
      .finally(() => waiting--)
    last = mine.catch(() => undefined)
    return mine
  }
}
