import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { IndexUnavailable, openIndexer } from '#delivery/search/indexer.ts'
import { type SearchIndex, searchItemsOf } from '#delivery/search/search-index.ts'
import { openCaches } from '#platform/caches/caches.ts'
import { type Failure, ProcessFailed } from '#platform/processes/failure.ts'
import { CLOCK_TIMES } from '#platform/processes/worker.ts'
import { openPointers } from '#serving/pointers/pointers.ts'
import { openPublications, type Publication } from '#serving/publications/publications.ts'
import { childProcesses, whileKilling } from '../../support/child-processes.ts'
import { testService } from '../../support/service.ts'
import { temporaryStore } from '../../support/temporary-store.ts'

const PAGE = 64 << 10

const temporary = await temporaryStore()
await temporary.importing('acme', {
  'guide/project.yaml': 'name: Guide\nvisibility: public\n',
  'guide/styles/colors.yaml': '- name: Sea\n  rgb: 0,80,120\n',
  'guide/files/logo.svg': '<svg width="1" height="1"/>',
  'guide/pages/a.md': '---\ntitle: Tür\n---\nabove 🎨\n\n# Größe\n\nbelow\n',
  'guide/pages/b.md': '# Other\n\nbelow\n',
})
const slow = Object.fromEntries(Array.from({ length: 120 }, (_, at) => [`p${at}.md`, '色'.repeat(PAGE)]))
for (const [workspace, project] of [
  ['slow', 'one'],
  ['slow', 'two'],
  ['slower', 'one'],
] as const) {
  await temporary.importing(workspace, {
    [`${project}/project.yaml`]: 'visibility: public\n',
    ...Object.fromEntries(Object.entries(slow).map(([name, text]) => [`${project}/pages/${name}`, text])),
  })
  await temporary.publish(`${workspace}/${project}`)
}
await temporary.importing('slow', {
  'small/project.yaml': 'visibility: public\n',
  'small/pages/a.md': 'short\n',
  'four/project.yaml': 'visibility: public\n',
  ...Object.fromEntries(
    Object.entries(slow)
      .slice(0, 4)
      .map(([name, text]) => [`four/pages/${name}`, text]),
  ),
})
for (const project of ['small', 'four']) await temporary.publish(`slow/${project}`)
await temporary.publish('acme/guide')

const pointers = await openPointers(temporary.store.database, openCaches())
const openPublication = openPublications(temporary.store.database, openCaches())

async function publicationOf(workspace: string, project: string): Promise<Publication> {
  const publication = openPublication((await pointers.workspace(workspace))?.projects.get(project))
  assert.ok(publication)
  return publication
}

const guide = await publicationOf('acme', 'guide')

/** The targets of the entries that have a word. */
async function found(index: SearchIndex, word: string): Promise<unknown[]> {
  const items = await searchItemsOf(guide.content)
  const { scores } = index.words.find(word)
  return [...scores.keys()]
    .filter(entry => scores[entry] !== 0)
    .map(entry => {
      const place = index.targetOf(entry, items)
      return place?.kind === 'page' ? [place.of.name, place.heading, place.anchor, place.text] : [place?.kind]
    })
}

const indexer = openIndexer(openCaches(), { timeoutMs: 120_000 })
after(() => indexer.close())

test('an index from its process has colours, files and the parts of pages as written', async () => {
  const index = await indexer.index(guide)
  assert.deepEqual(await found(index, 'sea'), [['color']])
  assert.deepEqual(await found(index, 'svg'), [['file']])
  assert.deepEqual(await found(index, 'above'), [['Tür', '', '', 'above 🎨']])
  assert.deepEqual(await found(index, 'below'), [
    ['Tür', 'Größe', 'größe', 'below'],
    ['Other', '', '', 'below'],
  ])
})

test('the size of an index is its memory use, and grows with its content', async () => {
  const small = await indexer.index(guide)
  const large = await indexer.index(await publicationOf('slow', 'four'))
  assert.ok(small.size < 10_000, `${small.size}`)
  // Each letter as UTF-8, and one entry for each piece of 2,000.
  assert.ok(large.size > 4 * PAGE * 3, `${large.size}`)
  assert.ok(large.size < 4 * PAGE * 4, `${large.size}`)
})

test('an index is made even if its process is killed once', async t => {
  const failures: Failure[] = []
  const indexer = openIndexer(openCaches(), { failed: failure => failures.push(failure) })
  t.after(() => indexer.close())
  await indexer.index(guide)
  for (const pid of childProcesses()) process.kill(pid, 'SIGSTOP')
  const made = indexer.index(guide)
  await guide.content.pages()
  for (const pid of childProcesses()) process.kill(pid, 'SIGKILL')
  assert.deepEqual(await found(await made, 'sea'), [['color']])
  assert.deepEqual(failures, [{ task: 'search', author: 'acme', cause: 'killed' }])
})

test('repeated kills of the process are a fault, and the next index is made', async t => {
  const indexer = openIndexer(openCaches())
  t.after(() => indexer.close())
  await assert.rejects(whileKilling(indexer.index(guide)), ProcessFailed)
  assert.deepEqual(await found(await indexer.index(guide), 'sea'), [['color']])
})

test('a search is temporarily unavailable if its indexer is killed repeatedly', async () => {
  const { ask } = await testService(temporary)
  const search = (isOnce = false) =>
    ask('/acme/guide/-/search?q=sea', { headers: { accept: 'application/json' }, isOnce })
  const refused = await whileKilling(search(true))
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '5'])
  assert.match((await ask('/metrics')).text, /^housestyle_worker_failures_total\{task="search",cause="killed"\} 2$/m)
  assert.equal(JSON.parse((await search()).text).count, 1)
})

test('an index that exceeds the limit twice is not retried for a while', async t => {
  const { indexer, failures, letPass } = openTimed(t)
  const made = indexer.index(await publicationOf('slow', 'one'))
  letPass(LIMIT_MS, 2 * CLOCK_TIMES)
  await assert.rejects(made, IndexUnavailable)
  assert.deepEqual(failures, Array(2).fill({ task: 'search', author: 'slow', cause: 'time' }))
  await assert.rejects(indexer.index(await publicationOf('slow', 'one')), IndexUnavailable)
  assert.equal(failures.length, 2)
})

test('after an index that took too long, only its workspace has a shorter limit', async t => {
  const { indexer, failures, letPass } = openTimed(t)
  const first = indexer.index(await publicationOf('slow', 'one'))
  letPass(LIMIT_MS, 2 * CLOCK_TIMES)
  await assert.rejects(first, IndexUnavailable)
  const second = indexer.index(await publicationOf('slow', 'two'))
  letPass(LIMIT_MS_AFTER_SLOW, 2 * CLOCK_TIMES)
  await assert.rejects(second, IndexUnavailable)
  const other = indexer.index(await publicationOf('slower', 'one'))
  letPass(LIMIT_MS, CLOCK_TIMES - 1)
  letPass(LIMIT_MS - 1)
  assert.equal(failures.length, 4)
  letPass(1)
  letPass(LIMIT_MS, CLOCK_TIMES)
  await assert.rejects(other, IndexUnavailable)
  assert.equal(failures.length, 6)
})

/** The limits of an index in the product. */
const LIMIT_MS = 90_000
const LIMIT_MS_AFTER_SLOW = 15_000

/** An indexer, its failures, and a function that lets time pass, once or several times: none passes by itself. */
function openTimed(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const failures: Failure[] = []
  const indexer = openIndexer(openCaches(), { failed: failure => failures.push(failure) })
  t.after(() => indexer.close())
  const letPass = (ms: number, times = 1) => {
    for (let time = 0; time < times; time++) t.mock.timers.tick(ms)
  }
  return { indexer, failures, letPass }
}

test('the index of one workspace does not wait for two other workspaces', async () => {
  const indexer = openIndexer(openCaches(), { timeoutMs: 120_000 })
  const ended: string[] = []
  const slow = ['slow/one', 'slow/two', 'slower/one'].map(async place => {
    const [workspace = '', project = ''] = place.split('/')
    await indexer.index(await publicationOf(workspace, project))
    ended.push(place)
  })
  const closed = Promise.allSettled(slow)
  await indexer.index(guide)
  assert.deepEqual(ended, [])
  await indexer.close()
  await closed
})
