import type { Calls } from '../threads/calls.ts'
import type { OpenPool, TaskPool, TurnsPoolOptions } from './open-pool.ts'
import { type Outcome, ProcessFailed, TooMuchWaiting } from './pool.ts'
import type { Work } from './queue.ts'

/* Pools whose processes another thread has, for all threads together (`pool-host.ts`). */

/** What the thread that has the processes does for one that has tasks. Each task has a number. */
export type PoolHost = {
  openPool: (pool: PoolDescription) => void
  runTask: (run: RemoteRun) => Promise<RemoteOutcome>
}

/** What a thread that has tasks does for the one that has the processes. */
export type TaskSource = {
  /** A process begins the task, perhaps again: what an earlier one has answered no longer counts. */
  beginTask: (task: number) => void
  /** Messages of the task are read from the first on, under a number of their own. */
  openMessages: (of: { task: number; reading: number }) => void
  /** The next one; undefined if there is none. */
  nextMessage: (reading: number) => Promise<{ message: object } | undefined>
  closeMessages: (reading: number) => Promise<void>
  /** What the process has answered. */
  takeAnswer: (answer: { task: number; message: unknown }) => void
}

/** A pool without the functions in its options. */
export type PoolDescription = Omit<TurnsPoolOptions<unknown, unknown>, 'program' | 'messages' | 'receive'> & {
  program: string
}

type RemoteRun = { pool: string; task: number; work: Work; timeoutMs: number }

/** How a run ended, without its answer. */
export type RemoteOutcome =
  | { kind: 'outcome'; outcome: Outcome<true> }
  | { kind: 'full' }
  | { kind: 'failed'; message: string }

/** The pools of this thread, and what the other thread asks of it. */
export function remotePools(host: Calls<PoolHost>): { openPool: OpenPool; source: TaskSource } {
  const running = new Map<number, RemoteTask<unknown>>()
  let latest = 0
  const openPool: OpenPool = <Task, Answer>(options: TurnsPoolOptions<Task, Answer>): TaskPool<Task, Answer> => {
    const { program, messages: _, receive: __, ...rest } = options
    host.tell('openPool', { ...rest, program: program.href })
    return {
      run: async (task, { author, size }, timeoutMs = options.timeoutMs) => {
        const [number, remote] = [++latest, remoteTask(options, task)]
        running.set(number, remote)
        try {
          const ended = await host.call('runTask', { pool: rest.name, task: number, work: { author, size }, timeoutMs })
          return outcomeOf(ended, rest.name, remote.answer())
        } catch (error) {
          throw remote.failure() ?? error
        } finally {
          running.delete(number)
        }
      },
      usage: () => ({ task: rest.name, busy: 0, idle: 0, waiting: 0 }), // The other thread shows its processes.
      close: () => Promise.resolve(),
    }
  }
  return { openPool, source: sourceOf(running) }
}

/** A task of this thread that the other runs. */
type RemoteTask<Answer> = {
  begin: () => void
  messages: () => AsyncGenerator<object>
  take: (message: unknown) => void
  /** The answer, once all of it was taken. */
  answer: () => Answer | undefined
  /** Why its messages could not be read. */
  failure: () => unknown
}

function remoteTask<Task, Answer>(
  { messages, receive }: Pick<TurnsPoolOptions<Task, Answer>, 'messages' | 'receive'>,
  task: Task,
): RemoteTask<Answer> {
  let take: (message: unknown) => Answer | undefined = () => undefined
  let [answer, failure]: [Answer | undefined, unknown] = [undefined, undefined]
  return {
    begin: () => {
      take = receive(task)
    },
    messages: async function* () {
      try {
        yield* messages(task)
      } catch (error) {
        failure = error
        throw error
      }
    },
    take: message => {
      answer = take(message)
    },
    answer: () => answer,
    failure: () => failure,
  }
}

function outcomeOf<Answer>(ended: RemoteOutcome, pool: string, answer: Answer | undefined): Outcome<Answer> {
  if (ended.kind === 'full') throw new TooMuchWaiting()
  if (ended.kind === 'failed') throw new ProcessFailed(ended.message)
  if (!ended.outcome.ok) return ended.outcome
  if (answer === undefined) throw new Error(`the process for ${pool} ended its answer before it was whole`)
  return { ok: true, value: answer }
}

function sourceOf(running: ReadonlyMap<number, RemoteTask<unknown>>): TaskSource {
  const readings = new Map<number, AsyncGenerator<object>>()
  return {
    beginTask: task => running.get(task)?.begin(),
    openMessages: ({ task, reading }) => {
      const of = running.get(task)
      if (of) readings.set(reading, of.messages())
    },
    nextMessage: async reading => {
      const next = await readings.get(reading)?.next()
      return next === undefined || next.done ? undefined : { message: next.value }
    },
    closeMessages: async reading => {
      await readings.get(reading)?.return(undefined)
      readings.delete(reading)
    },
    takeAnswer: ({ task, message }) => running.get(task)?.take(message),
  }
}
