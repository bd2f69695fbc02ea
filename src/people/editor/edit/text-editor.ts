import { ProcessFailed, QueueFull } from '#platform/processes/failure.ts'
import { isAnswer, type OpenPool, Pool } from '#platform/processes/pool.ts'
import { childMegabytes } from '#platform/processes/process-slots.ts'
import { fairQueue } from '#platform/processes/queue.ts'
import type { PoolLimits } from '#platform/processes/worker.ts'
import type { EditAnswer, EditTask, EditTasks } from './edit-process.ts'

/** Opens, changes and merges the files that people edit in child processes, so that no text delays other requests. */
export type TextEditor = OpenPool & {
  /**
   * Does a task for a person, whose tasks wait for each other. Undefined if it takes too much time or memory, or if too
   * many of this person wait.
   */
  run: <Name extends keyof EditTasks>(
    name: Name,
    input: EditTask<Name>['input'],
    person?: string,
  ) => Promise<ReturnType<EditTasks[Name]> | undefined>
}

export function openTextEditor({ timeoutMs = 10_000, failed }: PoolLimits = {}): TextEditor {
  const pool = new Pool<EditTask<keyof EditTasks>, EditAnswer>({
    name: 'edit',
    program: new URL('./edit-process', import.meta.url),
    execArgv: [`--max-old-space-size=${childMegabytes(512)}`, '--max-semi-space-size=4'],
    lowerBy: 5, // A person waits for it.
    timeoutMs,
    isTotalTime: true,
    idleMs: 300_000,
    maxProcesses: 3,
    scaleUpAfterMs: 250,
    maxTasksEach: 1,
    queue: fairQueue({ maxRunning: 1, maxWaiting: MAX_WAITING }),
    failed,
    messages: task => [task],
  })
  return {
    run: async <Name extends keyof EditTasks>(name: Name, input: EditTask<Name>['input'], person = '') => {
      const outcome = await pool.run({ name, input }, { author: person, size: 1 }).catch(asTooMuch)
      const answer = outcome?.ok ? outcome.value : undefined
      return answer?.ok && isAnswer<ReturnType<EditTasks[Name]>>(answer.value) ? answer.value : undefined
    },
    ...pool.open,
  }
}

/** The most tasks of a person that wait. */
const MAX_WAITING = 10

/** Returns undefined for a task that was refused or did not end; throws any other error again. */
function asTooMuch(error: unknown): undefined {
  if (!(error instanceof QueueFull || error instanceof ProcessFailed)) throw error
}
