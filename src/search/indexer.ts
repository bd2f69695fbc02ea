import { extname } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Caches } from '../caches/caches.ts'
import { type OpenPool, openPools } from '../processes/open-pool.ts'
import type { PoolUsage } from '../processes/pool.ts'
import { libraryOf } from '../serving/publications/library.ts'
import type { Publication } from '../serving/publications/publications.ts'
import type { IndexTask, PageText } from './index-messages.ts'
import { receiveIndex, type SearchIndex } from './search-index.ts'

/** Makes indexes in child processes, and ends them when it is closed. */
export type Indexer = {
  /**
   * The index of a published revision.
   *
   * @throws {IndexUnavailable} if it cannot be made within the limits, now or some minutes ago
   * @throws {ProcessFailed} if something else was the cause
   */
  index: (publication: Publication) => Promise<SearchIndex>
  /** How its processes are used now. */
  usage: () => PoolUsage
  close: () => Promise<void>
}

/** Says that an index cannot be made of what is published. */
export class IndexUnavailable extends Error {}

/**
 * How much processor time an index may take, also within the hour after one of its workspace took too long, and how pools
 * are opened.
 */
export type IndexerOptions = { timeoutMs?: number; timeoutMsAfterSlow?: number; openPool?: OpenPool }

/** Opens an indexer: workspaces take turns, and there is always a process that two alone cannot keep busy. */
export function openIndexer(
  caches: Caches,
  { timeoutMs = 30_000, timeoutMsAfterSlow = 5_000, openPool = openPools() }: IndexerOptions = {},
): Indexer {
  const largest = caches.largest('search')
  const pool = openPool<Publication['content'], SearchIndex>({
    name: 'search',
    program: PROGRAM,
    execArgv: ['--max-old-space-size=512', '--max-semi-space-size=1', '--optimize-for-size'],
    serialization: 'advanced',
    timeoutMs,
    idleMs: 1000,
    maxProcesses: 3,
    scaleUpAfterMs: 250,
    maxTasksEach: 1,
    turns: { maxRunning: 1, maxWaiting: 100 },
    messages: content => tasksOf(content, largest),
    receive: receiveIndex,
  })
  const failures = caches.open<object>('failed-indexes')
  return {
    index: async ({ record: { workspace }, published, content }) => {
      const key = `${workspace}/${published.snapshot}`
      if (failures.get(key)) throw new IndexUnavailable()
      const isSlow = failures.get(workspace) !== undefined
      const work = { author: workspace, size: 1 }
      const outcome = await pool.run(content, work, isSlow ? timeoutMsAfterSlow : timeoutMs)
      if (outcome.ok && outcome.value.size <= largest) return outcome.value
      failures.set(key, {}, 0, NOT_MADE_MS)
      // A failure with the shorter limit says nothing about the longer one.
      if (!outcome.ok && outcome.problem === 'time' && !isSlow) failures.set(workspace, {}, 0, SLOW_MS)
      throw new IndexUnavailable()
    },
    usage: () => pool.usage(),
    close: () => pool.close(),
  }
}

/** The same extension as this file: .ts in development, .js in the built package. */
const PROGRAM = new URL(`./index-process${extname(import.meta.url)}`, import.meta.url)

/** How long an index that could not be made is not tried again. */
const NOT_MADE_MS = 5 * 60_000

/** How long a workspace has the shorter limit. */
const SLOW_MS = 60 * 60_000

/**
 * What a content has, for an index of so many bytes, in steps of about a millisecond, between which the service answers
 * others.
 */
async function* tasksOf(content: Publication['content'], maxBytes: number): AsyncGenerator<IndexTask> {
  yield { kind: 'begin', maxBytes }
  const { colors, types, pages, texts } = content
  const { files } = await libraryOf(content)
  for (const part of slices(await colors())) yield { kind: 'colors', colors: part }
  for (const part of slices(await types())) yield { kind: 'types', types: part }
  for (const part of slices([...files.values()])) yield await nextTurn({ kind: 'files', files: part })
  let [batch, size, left]: [PageText[], number, number] = [[], 0, MAX_TEXT]
  const all = [...(await pages()).values()]
  const whole = texts(all)
  for (const { id, name, description } of all) {
    const text = left > 0 ? (await whole.next()).value : undefined
    const read = text?.slice(0, Math.min(left, MAX_TEXT_A_PAGE)) ?? ''
    left -= Buffer.byteLength(read)
    size += read.length + WORK_A_PAGE
    batch.push({ id, name, ...(description !== undefined && { description }), text: read })
    if (size < MAX_AT_ONCE) continue
    yield await nextTurn({ kind: 'pages', pages: batch })
    ;[batch, size] = [[], 0]
  }
  yield { kind: 'pages', pages: batch }
  yield { kind: 'end' }
}

/** Bytes of all pages together. */
const MAX_TEXT = 32 << 20
/** Characters: of one page, and of what is read in a step. */
const MAX_TEXT_A_PAGE = 64 << 10
const MAX_AT_ONCE = 32 << 10
/** What a page takes beside its text. */
const WORK_A_PAGE = 1000

function* slices<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let at = 0; at < items.length; at += 200) yield items.slice(at, at + 200)
}
