import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import test from 'node:test'
import { openMetrics } from '#platform/telemetry/metrics.ts'
import { openBooks, type PrintBook } from '#publishing/books.ts'
import { listLatestBooks } from '#store/catalogue/books.ts'
import { findProject } from '#store/catalogue/catalogue.ts'
import type { Store } from '#store/store.ts'
import { backUp } from '#store/upkeep/backup.ts'
import { examineStore } from '#store/upkeep/doctor.ts'
import { gc } from '#store/upkeep/gc.ts'
import { UPKEEP } from '../store/upkeep/options.ts'
import { silent, testService } from '../support/service.ts'
import { publishedStore, type TemporaryStore, temporaryStore } from '../support/temporary-store.ts'

const PUBLIC_URL = 'http://brand.test'
const HOUR = 3_600_000
const HOME = { 'guide/project.yaml': 'visibility: public\n', 'guide/pages/index.md': '# Home\n' }

/** A printer whose books name the revision. */
const revisionPrinter: PrintBook = async ({ revision }) => new TextEncoder().encode(`%PDF revision ${revision}`)

function at(store: Store, now: number): Store {
  return { ...store, clock: { ...store.clock, now: () => now, date: () => new Date(now) } }
}

function booksOf(store: Store, printBook?: PrintBook, version = '0.1.0') {
  const metrics = openMetrics()
  const books = openBooks(store, { publicUrl: PUBLIC_URL, version, printBook, log: silent, metrics })
  return { ...books, metrics }
}

async function publicationOf({ database }: Store) {
  const record = await findProject(database, 'acme', 'guide')
  assert.ok(record?.published)
  return { record, published: record.published }
}

async function published(contents: Readonly<Record<string, string>> = HOME): Promise<TemporaryStore> {
  const temporary = await publishedStore('acme/guide', contents)
  return temporary
}

test('a published guide gets a book, which every process finds until the guide is published again', async () => {
  const temporary = await published()
  const { store } = temporary
  const [maker, reader] = [booksOf(store, revisionPrinter), booksOf(store)]
  await reader.check()
  assert.equal(reader.find(await publicationOf(store)), undefined)
  for (const books of [maker, maker, reader]) await books.check()
  const found = reader.find(await publicationOf(store))
  assert.deepEqual([found?.path, found?.size, found?.contentType], ['guide.pdf', 15, 'application/pdf'])
  assert.deepEqual(maker.find(await publicationOf(store)), found)
  assert.match(maker.metrics.text(), /housestyle_books_total\{result="ok"\} 1/)
  await temporary.publishing('acme/guide', { ...HOME, 'guide/pages/logo.md': '# Logo\n' })
  await reader.check()
  assert.equal(reader.find(await publicationOf(store)), undefined)
})

test('a draft and a managed revision with the same content have no book', async () => {
  const { store } = await published()
  const books = booksOf(store, revisionPrinter)
  for (const _ of [1, 2]) await books.check()
  const { record, published: pointer } = await publicationOf(store)
  assert.ok(books.find({ record, published: pointer }))
  assert.equal(books.find({ record: { ...record, draftOf: record }, published: pointer }), undefined)
  assert.equal(books.find({ record: { ...record, managedRevision: 1 }, published: pointer }), undefined)
})

test('the processes of a store make one book at a time, and each book once', async () => {
  const { store } = await published()
  let count = 0
  const { promise, resolve } = Promise.withResolvers<void>()
  const slow: PrintBook = async (...asked) => {
    count++
    await promise
    return revisionPrinter(...asked)
  }
  const [one, other] = [booksOf(store, slow), booksOf(store, slow)]
  const making = one.check()
  await other.check()
  resolve()
  await making
  await other.check()
  assert.equal(count, 1)
})

test('a book that fails is reported by doctor and a metric, and tried again after an hour', async () => {
  const { store } = await published()
  const start = Date.now()
  const failing: PrintBook = () => Promise.reject(new Error('the browser has no memory'))
  for (const now of [start, start + 1, start + HOUR - 1]) {
    const books = booksOf(at(store, now), failing)
    await books.check()
    assert.match(books.metrics.text(), new RegExp(`result="error"\\} ${now === start ? 1 : 0}`))
  }
  const problems = await examineStore(store, { ...UPKEEP, now: () => new Date() })
  const seen = problems.map(({ severity, subject, message }) => [severity, subject, message])
  assert.deepEqual(seen, [['warning', 'acme/guide', 'has no book to download: the browser has no memory']])
  const later = booksOf(at(store, start + HOUR + 1), revisionPrinter)
  for (const _ of [1, 2]) await later.check()
  assert.ok(later.find(await publicationOf(store)))
  assert.deepEqual(await examineStore(store, { ...UPKEEP, now: () => new Date() }), [])
})

test('a guide with rights that end gets a new book each day, others only for a new version of the program', async () => {
  const day = Date.UTC(2026, 10, 28, 12)
  const days = { 'guide/files/a.txt': 'a', 'guide/files/files.yaml': 'a.txt: { until: 2026-11-28 }\n' }
  const editions = async (contents: Readonly<Record<string, string>>) => {
    const { store } = await published(contents)
    for (const [now, version] of [
      [day, '1'],
      [day, '1'],
      [day + 24 * HOUR, '1'],
      [day, '2'],
    ] as const)
      await booksOf(at(store, now), revisionPrinter, version).check()
    return (await store.database.all('SELECT edition FROM book ORDER BY edition')).map(({ edition }) => edition)
  }
  assert.deepEqual(await editions(HOME), [`${PUBLIC_URL} 1`, `${PUBLIC_URL} 2`])
  const ofDays = ['1 2026-11-28', '1 2026-11-29', '2 2026-11-28'].map(edition => `${PUBLIC_URL} ${edition}`)
  assert.deepEqual(await editions({ ...HOME, ...days }), ofDays)
})

test('gc keeps the latest book of a published guide and removes the others, and backups have none', async () => {
  const temporary = await published()
  const { store, folder } = temporary
  await booksOf(store, revisionPrinter).check()
  const [first] = await listLatestBooks(store.database)
  await temporary.publishing('acme/guide', { ...HOME, 'guide/pages/logo.md': '# Logo\n' })
  await booksOf(store, revisionPrinter).check()
  const [latest] = await listLatestBooks(store.database)
  assert.ok(first?.hash && latest?.hash && first.hash !== latest.hash)
  const result = await gc(store, { ...UPKEEP, keep: {}, isDryRun: false, now: () => new Date() })
  assert.deepEqual([result.files, result.missing], [1, []])
  const isKept = [first.hash, latest.hash].map(hash => existsSync(store.files.pathOf('acme', hash)))
  assert.deepEqual(isKept, [false, true])
  assert.equal((await store.database.all('SELECT * FROM book')).length, 1)
  const { files } = await backUp(store, join(folder, 'backup.tar'), { ...UPKEEP, now: () => new Date() })
  assert.equal(files, 0)
  await store.database.saveTo(join(folder, 'saved.db'))
  const { eraseSessions } = await import('#store/access/sessions.ts')
  eraseSessions(join(folder, 'saved.db'), new Date())
  using saved = new DatabaseSync(join(folder, 'saved.db'))
  assert.deepEqual(saved.prepare('SELECT * FROM book').all(), [])
})

test('the pages of a guide link to its book only once it exists, and its address answers by the rights of the guide', async () => {
  const temporary = await temporaryStore()
  const open = 'visibility: public\nlang: de\n'
  const contents = { ...HOME, 'guide/project.yaml': open, 'hidden/pages/index.md': '# Hidden\n' }
  await temporary.importing('acme', contents)
  for (const place of ['acme/guide', 'acme/hidden']) await temporary.publish(place)
  const { store } = temporary
  const books = booksOf(store, revisionPrinter)
  const { ask, follow } = await testService(temporary, {}, undefined, undefined, books.find)
  const link = '<a href="/acme/guide/-/book.pdf" download>Als PDF herunterladen</a>'
  assert.ok(!(await ask('/acme/guide')).text.includes(link))
  assert.equal((await ask('/acme/guide/-/book.pdf')).status, 404)
  for (const _ of [1, 2, 3]) await books.check()
  await follow()
  assert.ok((await ask('/acme/guide')).text.includes(link))
  const { status, headers, text } = await ask('/acme/guide/-/book.pdf')
  const fields = ['content-type', 'cache-control', 'content-disposition'].map(name => headers.get(name))
  assert.deepEqual([status, text], [200, '%PDF revision 1'])
  assert.deepEqual(fields, ['application/pdf', 'private, no-cache', 'inline; filename=guide.pdf'])
  const [allowed, other] = [await temporary.issue('acme'), await temporary.issue('acme', { projects: ['guide'] })]
  const statuses = [{}, { token: other.token }, { token: allowed.token }].map(asking =>
    ask('/acme/hidden/-/book.pdf', asking).then(reply => reply.status),
  )
  assert.deepEqual(await Promise.all(statuses), [404, 404, 200])
})
