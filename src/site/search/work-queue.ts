import { serial } from '../../base/promise.ts'
import { nextTurn } from '../../base/steps.ts'

/** Runs work in a new turn of the event loop, so that other requests are answered in between; undefined if too many wait. */
export type WorkQueue = <Value>(work: () => Promise<Value>) => Promise<Value> | undefined

/** Opens a queue that runs one task after another. At most `maxWaiting` tasks are accepted, including the running one. */
export function openWorkQueue(maxWaiting: number): WorkQueue {
  let waiting = 0
  const inTurn = serial()
  return work => {
    if (waiting === maxWaiting) return undefined
    waiting++
    const begin = async () => {
      await nextTurn()
      return work()
    }
    return inTurn(begin).finally(() => waiting--)
  }
}
