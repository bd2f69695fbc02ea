import { type Job, type Outcome, Pool, type PoolOptions, type PoolUsage } from './pool.ts'
import { inTurns, type TurnLimits, type Work } from './queue.ts'

/** How a pool runs its tasks whose authors take turns. */
export type TurnsPoolOptions<Task, Answer> = Omit<PoolOptions<Task, Answer>, 'queue' | 'failed'> & {
  turns: TurnLimits
  /** The `kind` of the message that ends an answer. If it is absent, each message is an answer. */
  lastKind?: string
}

/** Runs tasks in child processes, of this thread or another; `Pool` says how. */
export type TaskPool<Task, Answer> = {
  run: (task: Task, work: Work, timeoutMs?: number) => Promise<Outcome<Answer>>
  usage: () => PoolUsage
  close: () => Promise<void>
}

/** Opens a pool. */
export type OpenPool = <Task, Answer>(options: TurnsPoolOptions<Task, Answer>) => TaskPool<Task, Answer>

/** Opens pools whose processes this thread starts. `failed` is called for each process that failed. */
export function poolsOfThisThread(failed: PoolOptions<unknown, unknown>['failed'] = () => undefined): OpenPool {
  return <Task, Answer>({ turns, ...options }: TurnsPoolOptions<Task, Answer>) =>
    new Pool<Task, Answer>({ ...options, queue: inTurns<Job<Task, Answer>>(turns), failed })
}
