import assert from 'node:assert/strict'
import test from 'node:test'
import { addUsage } from '../../src/store/catalogue/usage.ts'
import { peopleService, sessionCookie } from '../support/people-service.ts'
import { temporaryStore } from '../support/temporary-store.ts'

const temporary = await temporaryStore()
await temporary.publishing('acme/guide', { 'guide/pages/index.md': '# Welcome\n' })
const { ask } = await peopleService(temporary)
const read = async (manages: readonly string[]) =>
  ask('/acme/guide/-/manage/usage', { headers: { cookie: await sessionCookie(temporary, 'acme', { manages }) } })

test('without any request, the page says that nothing was counted, and others get 404', async () => {
  const { status, text } = await read(['guide'])
  assert.equal(status, 200)
  assert.match(text, /Nothing was counted yet\./)
  assert.equal((await read([])).status, 404)
})

test('each kind has a chart with its total and a table of its items by name, the most requested first', async () => {
  const day = new Date().toISOString().slice(0, 10)
  const row = { workspace: 'acme', project: 'guide', day }
  await addUsage(
    temporary.store.database,
    [
      { ...row, kind: 'page', item: 'gone', count: 2 },
      { ...row, kind: 'page', item: 'index', count: 1200 },
      { ...row, kind: 'missed', item: '<neon>', count: 3 },
    ],
    day,
  )
  const { text } = await read(['guide'])
  assert.match(
    text,
    /<svg class="chart"[^>]* role="img" aria-label="Pages: 1,202 in 30 days, at most 1,202 a day"><rect /,
  )
  assert.match(text, /<td><bdi>Welcome<\/bdi><\/td><td>1,200<\/td><\/tr>\s*<tr><td><bdi>gone<\/bdi><\/td><td>2<\/td>/)
  assert.match(text, /<bdi>&#60;neon&#62;<\/bdi><\/td><td>3<\/td>/)
  assert.match(text, /People searched for these words and found nothing\./)
  assert.doesNotMatch(text, /Downloads/)
})
