import { type Job, type Outcome, Pool, type PoolOptions, type PoolUsage } from './pool.ts'
import { type FairQueueLimits, fairQueue, type Work } from './queue.ts'

/** Options of a pool whose authors take turns. */
export type FairPoolOptions<Task, Answer> = Omit<PoolOptions<Task, Answer>, 'queue' | 'failed'> & {
  turns: FairQueueLimits
}

/** Runs tasks in child processes; see `Pool`. */
type TaskPool<Task, Answer> = {
  run: (task: Task, work: Work, timeoutMs?: number) => Promise<Outcome<Answer>>
  usage: () => PoolUsage
  close: () => Promise<void>
}

/** Opens a pool. */
export type OpenPool = <Task, Answer>(options: FairPoolOptions<Task, Answer>) => TaskPool<Task, Answer>

/** Returns a function that opens pools. `failed` is called for each process failure. */
export function openPools(failed: PoolOptions<unknown, unknown>['failed'] = () => undefined): OpenPool {
  return <Task, Answer>({ turns, ...options }: FairPoolOptions<Task, Answer>) =>
    new Pool<Task, Answer>({ ...options, queue: fairQueue<Job<Task, Answer>>(turns), failed })
}
