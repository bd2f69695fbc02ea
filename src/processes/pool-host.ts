import type { Calls } from '../threads/calls.ts'
import { type Failure, type Job, Pool, type PoolUsage, ProcessFailed, TooMuchWaiting } from './pool.ts'
import { inTurns } from './queue.ts'
import type { PoolDescription, PoolHost, RemoteOutcome, TaskSource } from './remote-pool.ts'

/** Pools that run tasks of other threads. */
export type HostedPools = {
  /** What is done for one of these threads. */
  hostFor: (source: Calls<TaskSource>) => PoolHost
  usages: () => PoolUsage[]
  close: () => Promise<void>
}

/** Opens pools for other threads, each when the first of them has a task for it. `failed` is called for each process that failed. */
export function hostPools(failed: (failure: Failure) => void): HostedPools {
  const pools = new Map<string, Pool<TaskOfThread, true>>()
  return {
    hostFor: source => ({
      openPool: pool => {
        if (!pools.has(pool.name)) pools.set(pool.name, poolFor(pool, failed))
      },
      runTask: async ({ pool, task, work, timeoutMs }) => {
        const hosted = pools.get(pool)
        if (!hosted) throw new Error(`there is no pool ${pool}`)
        return outcomeOf(hosted.run({ source, task }, work, timeoutMs))
      },
    }),
    usages: () => Array.from(pools.values(), pool => pool.usage()),
    close: async () => void (await Promise.all(Array.from(pools.values(), pool => pool.close()))),
  }
}

type TaskOfThread = { source: Calls<TaskSource>; task: number }

function poolFor(
  { turns, lastKind, program, ...options }: PoolDescription,
  failed: (failure: Failure) => void,
): Pool<TaskOfThread, true> {
  return new Pool({
    ...options,
    program: new URL(program),
    failed,
    queue: inTurns<Job<TaskOfThread, true>>(turns),
    messages: messagesOf,
    receive: ({ source, task }) => {
      source.tell('beginTask', task)
      return message => {
        source.tell('takeAnswer', { task, message })
        return lastKind === undefined || kindOf(message) === lastKind ? true : undefined
      }
    },
  })
}

async function outcomeOf(run: ReturnType<Pool<TaskOfThread, true>['run']>): Promise<RemoteOutcome> {
  try {
    return { kind: 'outcome', outcome: await run }
  } catch (error) {
    if (error instanceof TooMuchWaiting) return { kind: 'full' }
    if (error instanceof ProcessFailed) return { kind: 'failed', message: error.message }
    throw error
  }
}

/** The number of the latest reading: no two have the same, whatever they are of. */
let readings = 0

/** One message is asked for at a time, when the one before has been sent. */
async function* messagesOf({ source, task }: TaskOfThread): AsyncGenerator<object> {
  const reading = ++readings
  source.tell('openMessages', { task, reading })
  try {
    for (;;) {
      const next = await source.call('nextMessage', reading)
      if (!next) return
      yield next.message
    }
  } finally {
    source.tell('closeMessages', reading)
  }
}

function kindOf(message: unknown): unknown {
  return message instanceof Object ? Reflect.get(message, 'kind') : undefined
}
