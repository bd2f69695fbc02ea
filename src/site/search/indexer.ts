import { extname } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Caches } from '../../caches/caches.ts'
import { type Failure, Pool } from '../../processes/pool.ts'
import { inTurns } from '../../processes/queue.ts'
import type { Publication } from '../../serving/publications.ts'
import type { IndexPart, PageText } from './index-task.ts'
import { bytesOf, type Counts } from './packed-index.ts'
import { type SearchIndex, searchIndex } from './search-index.ts'

/** Makes indexes in processes of their own; closing it ends them. */
export type Indexer = {
  /**
   * The index of a published revision.
   *
   * @throws {NoIndex} where it cannot be made within the limits, now or some minutes ago
   * @throws {ProcessFailed} where something else was the cause
   */
  index: (publication: Publication) => Promise<SearchIndex>
  close: () => Promise<void>
}

/** Says that an index cannot be made of what is published. */
export class NoIndex extends Error {}

/** How long an index may take, and who is told of a process that failed. */
export type IndexerOptions = { timeoutMs?: number; failed?: (failure: Failure) => void }

/** Opens an indexer: workspaces take turns, and there is always a process that two alone cannot keep busy. */
export function openIndexer(
  caches: Caches,
  { timeoutMs = 30_000, failed = () => undefined }: IndexerOptions = {},
): Indexer {
  const pool = new Pool<Publication['content'], SearchIndex>({
    name: 'search',
    program: PROGRAM,
    execArgv: ['--max-old-space-size=512', '--max-semi-space-size=4', '--optimize-for-size'],
    serialization: 'advanced',
    ...{ timeoutMs, failed, idleMs: 1000 },
    ...{ mostProcesses: 3, ahead: 1, queue: inTurns({ mostUnderWay: 1, mostWaiting: 100 }) },
    messages: partsOf,
    receive: receiveIndex,
  })
  const notMade = caches.open<object>('failed-indexes')
  return {
    index: async ({ record, published, content }) => {
      const key = `${record.workspace}/${published.snapshot}`
      if (notMade.get(key)) throw new NoIndex()
      const outcome = await pool.run(content, { author: record.workspace, size: 1 })
      if (outcome.ok) return outcome.value
      notMade.set(key, {}, 0, NOT_MADE_MS)
      throw new NoIndex()
    },
    close: () => pool.close(),
  }
}

/** The same extension as this file: .ts in development, .js where it was built. */
const PROGRAM = new URL(`./index-process${extname(import.meta.url)}`, import.meta.url)

/** How long an index that could not be made is not tried again. */
const NOT_MADE_MS = 5 * 60_000

/** What a content has, in steps of about a millisecond, between which the service answers others. */
async function* partsOf({ colors, types, files, pages, text }: Publication['content']): AsyncGenerator<IndexPart> {
  for (const part of slices(await colors())) yield { colors: part }
  for (const part of slices(await types())) yield { types: part }
  for (const part of slices([...(await files()).values()])) yield await inNextTurn({ files: part })
  let [batch, size, left]: [PageText[], number, number] = [[], 0, MAX_TEXT]
  for (const page of (await pages()).values()) {
    const { id, name, description } = page
    const read = left > 0 ? (await text(page)).slice(0, Math.min(left, MAX_TEXT_A_PAGE)) : ''
    left -= read.length
    size += read.length + WORK_A_PAGE
    batch.push({ id, name, ...(description !== undefined && { description }), text: read })
    if (size < MAX_AT_ONCE) continue
    yield await inNextTurn({ pages: batch })
    ;[batch, size] = [[], 0]
  }
  yield { pages: batch }
  yield { isAll: true }
}

/** Characters: of all pages together, of one, and of what is read in a step. */
const MAX_TEXT = 32 << 20
const MAX_TEXT_A_PAGE = 64 << 10
const MAX_AT_ONCE = 32 << 10
/** What a page takes beside its text. */
const WORK_A_PAGE = 1000

function inNextTurn(part: IndexPart): Promise<IndexPart> {
  return nextTurn(part)
}

function* slices<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let at = 0; at < items.length; at += 200) yield items.slice(at, at + 200)
}

/** Puts the pieces of an index together. */
function receiveIndex(): (message: unknown) => SearchIndex | undefined {
  let index: { counts: Counts; bytes: Uint8Array<ArrayBuffer> } | undefined
  let filled = 0
  return message => {
    if (isCounts(message)) index = { counts: message, bytes: new Uint8Array(bytesOf(message)) }
    else if (index && message instanceof Uint8Array && filled + message.length <= index.bytes.length) {
      index.bytes.set(message, filled)
      filled += message.length
    }
    return index && filled === index.bytes.length ? searchIndex(index.counts, index.bytes.buffer) : undefined
  }
}

/** Whether a message is what `index-process.ts` sends first. */
function isCounts(message: unknown): message is Counts {
  return typeof message === 'object' && message !== null && 'parts' in message
}
