import type { FontFacts } from '#formats/font/font-facts.ts'
import { MAX_FONT_BYTES } from '#formats/font/font-problem.ts'
import type { Subset } from '#formats/font/subset-font.ts'
import { andThen, type MaybePromise } from '#platform/base/promise.ts'
import type { Cache } from '#platform/caches/cache.ts'
import type { Caches } from '#platform/caches/caches.ts'
import { memoryOf } from '#platform/caches/memory.ts'
import { type OpenPool, Pool } from '#platform/processes/pool.ts'
import { fairQueue } from '#platform/processes/queue.ts'
import type { PoolLimits, TimeBudget } from '#platform/processes/worker.ts'
import { type BrandFile, fontMetadata } from '../file.ts'
import type { FontAnswer, FontPiece } from './font-process.ts'

/** Reads the facts of fonts and makes subsets in child processes; closing it ends them. */
export type FontReader = OpenPool & {
  /**
   * The facts of a font; undefined if the font is unreadable, for example damaged.
   *
   * @throws {QueueFull} if too many fonts of this workspace are waiting
   * @throws {ProcessFailed} if the cause is not the font
   */
  facts: (workspace: string, file: BrandFile) => MaybePromise<FontFacts | undefined>
  /** A subset of a font as WOFF2, made once while it is cached; undefined if the font has none. Throws like `facts`. */
  subset: (workspace: string, file: BrandFile, subset: Subset) => MaybePromise<Uint8Array | undefined>
}

/** Opens the bytes of a file. A chunk is valid until the next one is requested. */
type Open = (workspace: string, file: BrandFile) => Promise<AsyncIterable<Uint8Array>>

/** Opens a reader. It reads a font when its facts are first needed, and caches them under its family and the hash of its bytes. */
export function openFontReader(
  open: Open,
  caches: Caches,
  { timeoutMs = 15_000, failed }: PoolLimits = {},
): FontReader {
  const pool = openPool(open, { timeoutMs, failed })
  const facts = caches.open<Reading>('font-facts')
  const subsets = caches.open<Reading>('font-subsets')
  const read = async (task: FontTask, budget?: TimeBudget) => {
    const { workspace, file } = task
    if (file.size > MAX_FONT_BYTES) return { value: {}, bytes: 0 }
    const outcome = await pool.run(task, { author: workspace, size: 1 }, budget)
    if (!outcome.ok) return { value: {}, bytes: 0, keptMs: NOT_READ_MS }
    if (!outcome.value.ok) return { value: {}, bytes: 0 }
    return { value: outcome.value.value, bytes: memoryOf(outcome.value.value) }
  }
  const readOnce = (cache: Cache<Reading>, key: string, task: FontTask, budget?: TimeBudget) =>
    cache.get(key) ?? cache.make(key, () => read(task, budget))
  return {
    facts: (workspace, file) => {
      const key = `${workspace}/${file.hash}/${familyOf(file)}`
      return andThen(readOnce(facts, key, { workspace, file }), reading => reading?.facts)
    },
    subset: (workspace, file, subset) => {
      const key = `${workspace}/${file.hash}:${JSON.stringify(subset)}`
      const budget = { leftMs: SUBSET_TIMES * timeoutMs }
      return andThen(readOnce(subsets, key, { workspace, file, subset }, budget), reading => reading?.subset)
    },
    ...pool.open,
  }
}

function openPool(open: Open, limits: PoolLimits & { timeoutMs: number }) {
  return new Pool<FontTask, FontAnswer>({
    name: 'font',
    program: new URL('./font-process', import.meta.url),
    execArgv: ['--max-old-space-size=256', '--max-semi-space-size=4'],
    idleMs: 5000,
    maxProcesses: 2,
    scaleUpAfterMs: 1000,
    maxTasksEach: 1,
    queue: fairQueue({ maxRunning: 1, maxWaiting: MAX_WAITING }),
    messages: task => piecesOf(open, task),
    ...limits,
  })
}

type FontTask = { workspace: string; file: BrandFile; subset?: Subset }
type Reading = { facts?: FontFacts; subset?: Uint8Array }

/** Compression takes most of the time of a subset. */
const SUBSET_TIMES = 4
/** The maximum number of waiting fonts per workspace. */
const MAX_WAITING = 500
/** The delay before retrying a font that took too long or too much memory. */
const NOT_READ_MS = 5 * 60_000

/** Sends the chunks of a file one by one: each is copied before the next one is read. */
async function* piecesOf(open: Open, { workspace, file, subset }: FontTask): AsyncGenerator<FontPiece> {
  for await (const bytes of await open(workspace, file)) yield { bytes }
  yield subset ? { subset } : { family: familyOf(file) }
}

/** Authors may give a font another family. */
function familyOf(file: BrandFile): string {
  return fontMetadata(file).family ?? ''
}
