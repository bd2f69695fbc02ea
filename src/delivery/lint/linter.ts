import { failed, type Result } from '#platform/base/result.ts'
import { type Failure, ProcessFailed } from '#platform/processes/failure.ts'
import { type OpenPool, Pool } from '#platform/processes/pool.ts'
import { fifoQueue, type Queue, type Work } from '#platform/processes/queue.ts'
import type { Job, Outcome, TimeBudget } from '#platform/processes/worker.ts'
import { NO_BRAND } from './brand-of.ts'
import type { LintAnswer, LintMessage, LintTask } from './lint-file.ts'
import type { FileUse } from './use.ts'

/** Reads files in confined processes; closing it ends them. */
export type Linter = OpenPool & {
  /**
   * Reads a file. `sheetOf` gives the style sheet at a path in its folder; null if there is none.
   *
   * @throws {QueueFull} if the queue refuses the work
   */
  lint: (file: LintInput, work?: Work) => Promise<Result<LintAnswer, string>>
  /** The hash of the drawing of an SVG, or the ink of a picture of at most 32 MiB; undefined if it cannot be read. */
  facts: (file: Uint8Array, fact: 'drawing' | 'ink') => Promise<FileUse | undefined>
}

type LintInput = Omit<LintTask, 'sheets'> & {
  bytes: Uint8Array
  sheetOf?: (path: string) => Promise<string | null>
}

type LintedFile = LintTask & { bytes: Uint8Array }

type LinterOptions = {
  timeoutMs: number
  /** As in `ProcessOptions`. */
  lowerBy?: number
  failed?: ((failure: Failure) => void) | undefined
  /** Absent: first come, first served. */
  queue?: Queue<Job<LintedFile, LintAnswer>>
}

/** The most files that a linter reads at once; others wait. */
export const MAX_PROCESSES = 2

/** Opens a linter. A file and its sheets may take `timeoutMs`. */
export function openLinter(options: LinterOptions): Linter {
  const pool = openPool(options)
  const { timeoutMs } = options
  const explain = (outcome: Outcome<LintAnswer>) => {
    if (outcome.ok) return outcome
    return failed(outcome.problem === 'time' ? `takes longer than ${timeoutMs / 1000} s to read` : TOO_LARGE)
  }
  const read = (file: LintedFile, work: Work, budget: TimeBudget) =>
    pool.run(file, work, budget).then(explain, asUnreadable)
  /** Reads a file, and again with the sheets that it needed, until it needs no others. */
  const lint: Linter['lint'] = async ({ sheetOf, ...file }, work = OWN_WORK) => {
    // Each reading takes its time out of the same budget.
    const budget = { leftMs: timeoutMs }
    if (!sheetOf) return read(file, work, budget)
    const { sheets, add } = collectSheets(sheetOf)
    for (;;) {
      const answer = await read({ ...file, sheets }, work, budget)
      if (!answer.ok || answer.value.needs.length === 0) return answer
      await add(answer.value.needs)
    }
  }
  return {
    lint,
    facts: async (bytes, fact) => {
      if (bytes.length > MAX_PICTURE_BYTES) return undefined
      const answer = await lint({ path: '', kind: fact === 'ink' ? 'picture' : 'svg', brand: NO_BRAND, bytes })
      return answer.ok ? answer.value.files[0] : undefined
    },
    ...pool.open,
  }
}

export const MAX_PICTURE_BYTES = 32 << 20

function openPool({ timeoutMs, lowerBy, failed, queue = fifoQueue() }: LinterOptions): Pool<LintedFile, LintAnswer> {
  return new Pool<LintedFile, LintAnswer>({
    name: 'lint',
    program: new URL('./lint-process', import.meta.url),
    // 128 MB for PDFium, which unpacks fonts and contents without a limit.
    execArgv: ['--max-old-space-size=256', '--max-semi-space-size=4', '--wasm-max-mem-pages=2048'],
    lowerBy,
    timeoutMs,
    isTotalTime: true,
    saysReady: true,
    idleMs: 5000,
    maxProcesses: MAX_PROCESSES,
    maxTasksEach: 1,
    queue,
    failed,
    messages: messagesOf,
  })
}

/** The work that no user of the service asked for: that of commands, and drawings of files of the brand. */
const OWN_WORK: Work = { author: '', size: 0, hasShare: true }

/** Collects the sheets that a file needs, round by round. */
function collectSheets(sheetOf: (path: string) => Promise<string | null>) {
  const sheets = new Map<string, string | null>()
  let round = 0
  let length = 0
  const add = async (paths: readonly string[]) => {
    for (const path of paths) {
      const isAllowed = round < MAX_ROUNDS && sheets.size < MAX_SHEETS && length < MAX_SHEETS_LENGTH
      const text = isAllowed ? await sheetOf(path) : null
      sheets.set(path, text)
      length += text?.length ?? 0
    }
    round++
  }
  return { sheets, add }
}

/** One round finds one level of sheets that import others. Beyond these limits, the rest is null, as if it did not exist. */
const MAX_ROUNDS = 10
const MAX_SHEETS = 100
const MAX_SHEETS_LENGTH = 16 << 20

const TOO_LARGE = 'needs more memory to read than is allowed'

function asUnreadable(error: unknown): Result<never, string> {
  if (error instanceof ProcessFailed) return failed('cannot be read: the process that reads it ended twice')
  throw error
}

/** The messages for a file: its bytes in parts, and then the task, at which the process begins. */
function* messagesOf({ bytes, ...task }: LintedFile): Generator<LintMessage> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield { bytes: bytes.subarray(at, at + CHUNK_BYTES) }
  yield task
}

const CHUNK_BYTES = 1 << 20
