import { type BrandFile, dayOf } from '#brand/file.ts'
import type { Hash, ProjectRef } from '#brand/ids.ts'
import { hashOf } from '#brand/snapshot.ts'
import { errorMessage } from '#platform/base/error.ts'
import type { Log } from '#platform/telemetry/log.ts'
import type { Metrics } from '#platform/telemetry/metrics.ts'
import { addBook, type BookRecord, findBook } from '#store/catalogue/books.ts'
import { type ServedSnapshot, servedSince } from '#store/catalogue/catalogue.ts'
import { latestChange } from '#store/catalogue/changes.ts'
import { readLastDays } from '#store/catalogue/snapshots.ts'
import { withContentLock } from '#store/content-lock.ts'
import { single } from '#store/files/files.ts'
import type { Store } from '#store/store.ts'
import { attemptEach } from './attempt-each.ts'

/** Prints the book of a revision as PDF. Rejects with the reason if it cannot, or if the signal aborts. */
export type PrintBook = (of: ServedSnapshot, publicUrl: string, signal: AbortSignal) => Promise<Uint8Array>

type BooksOptions = {
  publicUrl: string
  version?: string | undefined
  /** Absent if this process only serves the books of others. */
  printBook?: PrintBook | undefined
  log: Pick<Log, 'warn'>
  metrics: Pick<Metrics, 'countBook'>
}

/** A published guide, what its book depends on besides the snapshot, and that book; undefined if it was never made. */
type Known = ServedSnapshot & { edition: string; book: BookRecord | undefined }

/** Keeps a book of each published guide. The processes of a store make one book at a time. */
export function openBooks(store: Store, options: BooksOptions) {
  const { database, clock } = store
  const known = new Map<string, Known>()
  const ending = new AbortController()
  let lastRead = { day: '', change: 0 }
  const readChanged = async () => {
    const latest = { day: dayOf(clock.date()), change: await latestChange(database) }
    if (latest.day === lastRead.day && latest.change === lastRead.change) return
    // Numbers of changes are lower after a restored backup, and on a new day any guide may have another edition.
    const since = latest.day === lastRead.day && latest.change > lastRead.change ? lastRead.change : 0
    await attemptEach(database, servedSince(database, since), 'some books failed', async served => {
      known.set(`${served.workspace}/${served.project}`, await findKnown(database, served, options, latest.day))
    })
    lastRead = latest
  }
  return {
    /** The book of a publication; undefined until it is made, and for drafts and revisions that people manage. */
    find: ({ record, published }: Shown): BrandFile | undefined => {
      const { snapshot, book } = known.get(`${record.workspace}/${record.project}`) ?? {}
      const isServed = record.draftOf === undefined && record.managedRevision === undefined
      if (!isServed || snapshot !== published.snapshot || !book?.hash) return undefined
      return { path: `${record.project}.pdf`, hash: book.hash, size: book.size, contentType: 'application/pdf' }
    },
    /** Reads what has changed, and makes the next book that is missing. */
    check: async (): Promise<void> => {
      await readChanged()
      const retryBefore = clock.now() - RETRY_MS
      const next = known.values().find(({ book }) => !book || (!book.hash && book.madeAt.getTime() < retryBefore))
      if (next && options.printBook)
        await makeBook(store, next, options.printBook, { ...options, signal: ending.signal })
    },
    stop: () => ending.abort(),
  }
}

type Shown = {
  record: ProjectRef & { draftOf?: unknown; managedRevision?: number }
  published: { snapshot: Hash }
}

/** The book of a guide on a day. It shows which files may no longer be used, so guides with last days have one for each day. */
async function findKnown(
  database: Store['database'],
  served: ServedSnapshot,
  { publicUrl, version = '' }: BooksOptions,
  day: string,
): Promise<Known> {
  const { workspace, project, snapshot } = served
  const hasLastDays = (await readLastDays(database, workspace, snapshot)).length > 0
  const edition = [publicUrl, version, ...(hasLastDays ? [day] : [])].join(' ')
  return { ...served, edition, book: await findBook(database, { workspace, project, snapshot, edition }) }
}

/** A book may fail for a reason that passes. */
const RETRY_MS = 3_600_000
/** In characters. */
const MAX_PROBLEM = 500

/** Makes a book, or records why it failed, unless another process makes one or has made this one. */
async function makeBook(
  store: Store,
  served: Known,
  printBook: PrintBook,
  { publicUrl, log, metrics, signal }: BooksOptions & { signal: AbortSignal },
): Promise<void> {
  const { workspace, project, revision, snapshot, edition, book } = served
  await using lock = await store.locks.tryAcquire('book', 'exclusive')
  const about = { workspace, project, snapshot, edition }
  const newestBook = await findBook(store.database, about)
  if (!lock || signal.aborted || newestBook?.madeAt.getTime() !== book?.madeAt.getTime()) return
  const record = (result: Pick<BookRecord, 'hash' | 'size' | 'problem'>) =>
    store.database.transaction(queries => addBook(queries, { ...about, madeAt: store.clock.date(), ...result }))
  try {
    const bytes = await printBook(served, publicUrl, signal)
    const hash = hashOf(bytes)
    await withContentLock(store.locks, 'shared', { command: 'keep a book', signal }, async () => {
      await store.files.put(workspace, hash, single(bytes))
      await record({ hash, size: bytes.length })
    })
    metrics.countBook('ok')
  } catch (error) {
    if (signal.aborted) return
    metrics.countBook('error')
    const problem = errorMessage(error).slice(0, MAX_PROBLEM)
    log.warn({ workspace, project, revision, problem }, 'the book of a guide could not be made')
    await record({ size: 0, problem })
  }
}
