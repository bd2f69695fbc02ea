import { serial } from '../../base/promise.ts'
import { nextTurn } from '../../base/steps.ts'

/** Runs a piece of work in a turn of its own, so that others are answered in between; undefined where too many wait. */
export type WorkQueue = <Value>(work: () => Promise<Value>) => Promise<Value> | undefined

/** Lines up pieces of work, one after the other, of which at most so many wait. */
export function openWorkQueue(mostWaiting: number): WorkQueue {
  let waiting = 0
  const inTurn = serial()
  return work => {
    if (waiting === mostWaiting) return undefined
    waiting++
    const begin = async () => {
      await nextTurn()
      return work()
    }
    return inTurn(begin).finally(() => waiting--)
  }
}
