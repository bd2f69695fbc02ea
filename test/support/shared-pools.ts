import { ok } from '../../src/base/result.ts'
import { type FairPoolOptions, type OpenPool, openPools } from '../../src/processes/open-pool.ts'
import type { PoolOptions } from '../../src/processes/pool.ts'

/** A task of any pool. `receive` keeps the answer, and returns whether it is complete. */
type SharedTask = {
  messages: () => ReturnType<PoolOptions<never, never>['messages']>
  receive: () => (message: unknown) => true | undefined
}

const openShared = (options: Omit<FairPoolOptions<SharedTask, true>, 'messages' | 'receive'>) =>
  openPools()<SharedTask, true>({
    ...options,
    messages: task => task.messages(),
    receive: task => task.receive(),
  })

/** The pools of this process, keyed by the name of their task. */
const pools = new Map<string, ReturnType<typeof openShared>>()

/**
 * Opens pools that all services of a test process share, because starting a process takes longer than most tests. The
 * processes end with the test process.
 */
export const openSharedPool: OpenPool = <Task, Answer>(options: FairPoolOptions<Task, Answer>) => {
  const pool = pools.get(options.name) ?? openShared(options)
  pools.set(options.name, pool)
  return {
    run: async (task: Task, work, timeoutMs = options.timeoutMs) => {
      let answer: Answer | undefined
      const receive = () => {
        const next = options.receive(task)
        return (message: unknown) => {
          answer = next(message)
          return answer === undefined ? undefined : true
        }
      }
      const outcome = await pool.run({ messages: () => options.messages(task), receive }, work, timeoutMs)
      if (!outcome.ok) return outcome
      if (answer === undefined) throw new Error('a pool gave no answer')
      return ok(answer)
    },
    usage: () => pool.usage(),
    close: async () => undefined,
  }
}
