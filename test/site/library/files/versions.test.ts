import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { hashOf } from '#brand/snapshot.ts'
import { unwrap } from '#program/cli/failure.ts'
import { retract } from '#publishing/history.ts'
import { testService } from '#test/support/service.ts'
import { publishedStore } from '#test/support/temporary-store.ts'

const SETTINGS = 'visibility: public\n'
const NOTES = 'ended.txt: { until: "2024-03-01" }\nhidden.txt: { library: false }\n'
const hash = (text: string) => hashOf(new TextEncoder().encode(text))

const temporary = await publishedStore('acme/guide', {
  'guide/project.yaml': SETTINGS,
  'guide/files/a.txt': 'one',
  'guide/files/gone.txt': 'gone',
  'guide/files/ended.txt': 'before',
  'guide/files/hidden.txt': 'hidden before',
})
await rm(join(temporary.folder, 'acme/guide/files/gone.txt'))
await temporary.publishing('acme/guide', { 'guide/files/a.txt': 'two' })
await temporary.publishing('acme/guide', {
  'guide/files/files.yaml': NOTES,
  'guide/files/a.txt': 'three',
  'guide/files/ended.txt': 'ended',
  'guide/files/hidden.txt': 'hidden',
})
const { ask, follow } = await testService(temporary)
const ADDRESS = '/acme/guide/-/files/versions.json'

test('the versions of files have addresses only of listed files, and the last day of rights that have ended', async () => {
  const { status, headers, text } = await ask(ADDRESS)
  assert.deepEqual([status, headers.get('content-type')], [200, 'application/json; charset=utf-8'])
  assert.equal(headers.get('cache-control'), 'public, no-cache')
  assert.deepEqual(JSON.parse(text), {
    current: { [hash('three')]: '/acme/guide/-/file/a.txt', [hash('hidden')]: '' },
    old: {
      [hash('one')]: [1, '/acme/guide/-/file/a.txt'],
      [hash('two')]: [2, '/acme/guide/-/file/a.txt'],
      [hash('gone')]: [1, ''],
      [hash('before')]: [2, ''],
      [hash('hidden before')]: [2, ''],
      [hash('ended')]: [3, '', '1 March 2024'],
    },
  })
  assert.doesNotMatch(text, /gone\.txt|hidden\.txt/)
  assert.equal((await ask(ADDRESS, { headers: { 'if-none-match': headers.get('etag') ?? '' } })).status, 304)
})

test('the page of files has the address of the versions, and names the command for readers without a script', async () => {
  const { text } = await ask('/acme/guide/-/files')
  const [section = ''] = /<section class="check"[\s\S]*?<\/section>/.exec(text) ?? []
  assert.match(section, /<h2 id="Check">Is this copy current\?<\/h2>/)
  assert.match(section, /<p class="command">.*<code>housestyle lint file\.svg --brand acme\/guide<\/code><\/p>/)
  assert.match(section, /<form action="\/acme\/guide\/-\/files\/versions\.json" data-max="100000000"/)
  assert.match(section, /<input type="file" multiple>/)
  assert.match(section, /<ul aria-live="polite"><\/ul>/)
  assert.match(text, /<script src="[^"]+\/versions\.js" integrity="sha256-/)
  assert.doesNotMatch((await ask('/acme/guide/-/file/a.txt')).text, /versions\.js/)
})

test('versions of a retracted revision are left out at once', async () => {
  unwrap(await retract(temporary.store, { workspace: 'acme', project: 'guide' }, 2, new Date()))
  await follow()
  const { old } = JSON.parse((await ask(ADDRESS)).text)
  assert.deepEqual([old[hash('two')], old[hash('one')]], [undefined, [1, '/acme/guide/-/file/a.txt']])
})

test('only readers of a private guide get the versions of its files', async () => {
  await temporary.publishing('acme/closed', { 'closed/files/a.txt': 'closed one' })
  await temporary.publishing('acme/closed', { 'closed/files/a.txt': 'closed two' })
  await follow()
  const address = '/acme/closed/-/files/versions.json'
  assert.equal((await ask(address)).status, 404)
  const { token } = await temporary.issue('acme')
  const { headers, text } = await ask(address, { token })
  assert.equal(headers.get('cache-control'), 'private, no-cache')
  assert.deepEqual(JSON.parse(text), {
    current: { [hash('closed two')]: '/acme/closed/-/file/a.txt' },
    old: { [hash('closed one')]: [1, '/acme/closed/-/file/a.txt'] },
  })
})
