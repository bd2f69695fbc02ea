import assert from 'node:assert/strict'
import test from 'node:test'
import { headersOf, type Reply } from '#platform/exchange/message.ts'
import { EDIT, type EditorService, editorService, SOURCE } from '../../support/editor-service.ts'
import { temporaryStore } from '../../support/temporary-store.ts'
import { fieldsOf } from '../../support/visitor.ts'

const [COMMIT, OTHER] = ['a'.repeat(40), 'b'.repeat(40)]
const FILES = {
  'workspace.yaml': `edit: ${EDIT}\n`,
  'guide/project.yaml': 'visibility: public\n',
  'guide/pages/index.md': '# Welcome\n',
  'guide/pages/Use It.md': '# Use it\n',
}
const temporary = await temporaryStore()
const { publishedAt } = await temporary.publishing('acme/guide', FILES)

async function ask({ service }: EditorService, query: string): Promise<Reply> {
  const request = { method: 'GET', path: '/-/edit/events', query, headers: {}, authorizations: 0, address: '192.0.2.7' }
  return service(request)
}

/** The events of a stream, one by one, without comments. */
async function* eventsOf({ body }: Reply): AsyncGenerator<unknown> {
  const gone = new AbortController()
  try {
    const chunks = body && !(body instanceof Uint8Array) ? body.chunks(gone.signal) : [body ?? new Uint8Array()]
    for await (const chunk of chunks) {
      const [, data] = /^data: (.*)\n\n$/.exec(new TextDecoder().decode(chunk)) ?? []
      if (data !== undefined) yield JSON.parse(data)
    }
  } finally {
    gone.abort()
  }
}

test('a stream tells when a saved commit is live, asks for one check, and ends', async () => {
  const service = await editorService(temporary)
  await service.pulled(OTHER)
  const reply = await ask(service, `commit=${COMMIT}&branch=main`)
  assert.equal(reply.status, 200)
  assert.deepEqual(Object.fromEntries(fieldsOf(headersOf(reply))), {
    'cache-control': 'no-store',
    connection: 'close',
    'content-type': 'text/event-stream',
    'x-accel-buffering': 'no',
    'x-content-type-options': 'nosniff',
  })
  const events = eventsOf(reply)
  assert.deepEqual((await events.next()).value, { state: 'waiting' })
  assert.equal(service.requests(), 1)
  await service.pulled(COMMIT)
  assert.deepEqual((await events.next()).value, { state: 'live', revision: 1, publishedAt, address: '/acme/guide' })
  assert.deepEqual(await events.next(), { done: true, value: undefined })
  assert.equal(service.requests(), 1)
})

const ADDRESSES = [
  ['brand/guide/pages/Use It.md', '/acme/guide/use-it'],
  ['brand/guide/pages/index.md', '/acme/guide'],
  ['brand/guide/pages/gone.md', '/acme/guide'],
  ['guide/pages/Use It.md', '/acme/guide'],
] as const

test('a live commit leads to the page that was saved, or else to its guide', async () => {
  const service = await editorService(temporary)
  await service.pulled(COMMIT)
  for (const [path, address] of ADDRESSES) {
    const events = eventsOf(await ask(service, `${new URLSearchParams({ commit: COMMIT, path })}`))
    assert.deepEqual((await events.next()).value, { state: 'live', revision: 1, publishedAt, address })
  }
})

test('a stream tells why a saved commit was refused', async () => {
  const service = await editorService(temporary)
  await service.pulled(OTHER)
  const events = eventsOf(await ask(service, `commit=${COMMIT}`))
  await events.next()
  const commit = { hash: COMMIT, author: 'Ada', subject: 'A change' }
  await service.failed({ code: 'git_lfs', message: 'a file is in Git LFS', commit })
  assert.deepEqual((await events.next()).value, { state: 'refused', message: 'a file is in Git LFS' })
  assert.equal((await events.next()).done, true)
})

test('a commit on another branch is a proposal, which waits for review', async () => {
  const service = await editorService(temporary)
  await service.pulled(OTHER)
  const events = eventsOf(await ask(service, `commit=${COMMIT}&branch=cms%2Fguide`))
  assert.deepEqual(await Array.fromAsync(events), [{ state: 'review' }])
  assert.equal(service.requests(), 0)
})

test('without a commit, or without a followed repository, there is no stream', async () => {
  const service = await editorService(temporary)
  await service.pulled(OTHER)
  for (const query of ['', 'commit=main', `commit=${COMMIT.toUpperCase()}`])
    assert.equal((await ask(service, query)).status, 404)
  const none = await editorService(temporary, { git: [{ ...SOURCE, url: 'https://git.example/acme/brand.git' }] })
  await none.pulled(OTHER, {}, { ...SOURCE, url: 'https://git.example/acme/brand.git' })
  assert.equal((await ask(none, `commit=${COMMIT}`)).status, 404)
})

test('streams end when the service stops, and when the person may no longer see the editor', async () => {
  const service = await editorService(temporary)
  await service.pulled(OTHER)
  const [one, two] = [
    eventsOf(await ask(service, `commit=${COMMIT}`)),
    eventsOf(await ask(service, `commit=${COMMIT}`)),
  ]
  for (const events of [one, two]) assert.deepEqual((await events.next()).value, { state: 'waiting' })
  await service.pulled(OTHER, { workspace: 'other' })
  assert.equal((await one.next()).done, true)
  service.endStreams()
  assert.equal((await two.next()).done, true)
})
