import { setImmediate as nextTurn } from 'node:timers/promises'
import type { MaybePromise } from '#platform/base/promise.ts'
import type { Caches } from '#platform/caches/caches.ts'
import { ProcessFailed, QueueFull } from '#platform/processes/failure.ts'
import { type OpenPool, Pool } from '#platform/processes/pool.ts'
import { childMegabytes } from '#platform/processes/process-slots.ts'
import { fairQueue } from '#platform/processes/queue.ts'
import type { PoolLimits } from '#platform/processes/worker.ts'
import { libraryOf } from '#serving/publications/library.ts'
import type { Publication } from '#serving/publications/publications.ts'
import { indexKey } from '#serving/replies/content-keys.ts'
import type { GuidePart, IndexTask, Items } from './index-builder.ts'
import type { PageText } from './index-entries.ts'
import { receiveIndex, type SearchIndex } from './search-index.ts'

/** Makes indexes in child processes; closing it ends them. */
export type Indexer = OpenPool & {
  /**
   * The index of a published revision.
   *
   * @throws {IndexUnavailable} if it cannot be made within the limits, now or some minutes ago
   * @throws {ProcessFailed} for any other cause
   */
  index: (publication: Publication) => Promise<SearchIndex>
}

/** The error if the published revision cannot be indexed. */
export class IndexUnavailable extends Error {}

/** Whether an index is missing for now, for a reason that the pool of processes has already reported. */
export function isIndexMissing(error: unknown): boolean {
  return error instanceof IndexUnavailable || error instanceof QueueFull || error instanceof ProcessFailed
}

/**
 * Opens an indexer. Workspaces take turns, and two of them cannot occupy all three processes. For an hour after a timeout
 * of a workspace, its limit is `timeoutMsAfterSlow`.
 */
export function openIndexer(
  caches: Caches,
  { timeoutMs = 90_000, timeoutMsAfterSlow = 15_000, failed }: PoolLimits & { timeoutMsAfterSlow?: number } = {},
): Indexer {
  const largest = caches.largest('search')
  const pool = new Pool<Publication['content'], SearchIndex>({
    name: 'search',
    program: new URL('./index-process', import.meta.url),
    execArgv: [`--max-old-space-size=${childMegabytes(512)}`, '--max-semi-space-size=1', '--optimize-for-size'],
    lowerBy: 5, // A reader waits for it.
    timeoutMs,
    idleMs: 1000,
    maxProcesses: 3,
    scaleUpAfterMs: 250,
    maxTasksEach: 1,
    queue: fairQueue({ maxRunning: 1, maxWaiting: 100 }),
    failed,
    messages: content => tasksOf(content, largest),
    receive: receiveIndex,
  })
  // The indexes that cannot be made, by workspace and snapshot, and the workspaces with a timeout, each for a while.
  const failures = caches.open<object>('failed-indexes')
  return {
    index: async ({ record: { workspace }, published, content }) => {
      const key = `${workspace}/${published.snapshot}`
      if (failures.get(key)) throw new IndexUnavailable()
      const isSlow = failures.get(workspace) !== undefined
      const work = { author: workspace, size: 1 }
      const outcome = await pool.run(content, work, { leftMs: isSlow ? timeoutMsAfterSlow : timeoutMs })
      if (outcome.ok && outcome.value.size <= largest) return outcome.value
      failures.set(key, {}, 0, NOT_MADE_MS)
      // A timeout with the shorter limit does not prove that the longer one is too short.
      if (!outcome.ok && outcome.problem === 'time' && !isSlow) failures.set(workspace, {}, 0, SLOW_MS)
      throw new IndexUnavailable()
    },
    ...pool.open,
  }
}

/** The delay before retrying a failed index. */
const NOT_MADE_MS = 5 * 60_000

/** The period with the shorter limit for a workspace. */
const SLOW_MS = 60 * 60_000

/** The messages for an index with a maximum size. Yields to other requests about every millisecond. */
async function* tasksOf(content: Publication['content'], maxBytes: number): AsyncGenerator<IndexTask> {
  const { lang, colors, types } = content
  yield { kind: 'begin', maxBytes, lang: (await lang()) ?? 'en' }
  const { files } = await libraryOf(content)
  yield* partsOf('colors', await colors())
  yield* partsOf('types', await types())
  for (const part of partsOf('files', [...files.values()])) yield await nextTurn(part)
  yield* pageParts(content)
  yield { kind: 'end' }
}

/** The pages in parts of limited text. Beyond the limit for all pages, they have only their names. */
async function* pageParts({ pages, texts }: Publication['content']): AsyncGenerator<GuidePart<'pages'>> {
  let batch: PageText[] = []
  let batchSize = 0
  let bytesLeft = MAX_TEXT
  const allPages = [...(await pages()).values()]
  // Yields the text of each page, in this order.
  const pageTexts = texts(allPages)
  for (const { id, name, description } of allPages) {
    const wholeText = bytesLeft > 0 ? (await pageTexts.next()).value : undefined
    const text = wholeText?.slice(0, Math.min(bytesLeft, MAX_PAGE_TEXT)) ?? ''
    bytesLeft -= Buffer.byteLength(text)
    batchSize += text.length + PAGE_COST
    batch.push({ id, name, ...(description !== undefined && { description }), text })
    if (batchSize < MAX_STEP_TEXT) continue
    yield await nextTurn({ kind: 'pages', items: batch })
    batch = []
    batchSize = 0
  }
  yield { kind: 'pages', items: batch }
}

/** The maximum text of all pages in total, in bytes. */
const MAX_TEXT = 32 << 20
/** Characters: the maximum text of one page, and of one step. */
const MAX_PAGE_TEXT = 64 << 10
const MAX_STEP_TEXT = 32 << 10
/** The cost of a page in addition to its text. */
const PAGE_COST = 1000

function* partsOf<Kind extends keyof Items>(kind: Kind, all: readonly Items[Kind][]): Generator<GuidePart<Kind>> {
  for (let at = 0; at < all.length; at += SLICE) yield { kind, items: all.slice(at, at + SLICE) }
}

/** Items in a message. */
const SLICE = 200

/** Returns the index of a guide, or its promise while it is being built. */
export type Indexes = (publication: Publication) => MaybePromise<SearchIndex | undefined>

/** Caches the latest indexes; each is built once, and again after a failure. */
export function openIndexes(caches: Caches, make: Indexer['index']): Indexes {
  const indexes = caches.open<SearchIndex>('search')
  return publication => {
    const key = indexKey(publication)
    const work = () => make(publication).then(index => ({ value: index, bytes: index.size }))
    return indexes.get(key) ?? indexes.make(key, work)
  }
}
