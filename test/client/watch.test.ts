import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import test from 'node:test'
import { createClient } from '../../client/src/client.ts'
import { currentOperations, revisionOperations } from '../../client/src/operations.ts'
import { replyCache } from '../../client/src/replies.ts'
import { givenTokens } from '../../client/src/token.ts'
import { type BrandEvent, type FileNotice, type WatchOptions, watch } from '../../client/src/watch.ts'
import { freePort } from '../support/free-port.ts'
import { runningService } from '../support/service.ts'
import { resultOf, SMALL_BRAND, temporaryStore } from '../support/temporary-store.ts'
import { scriptedServer, type TestPlatform, testPlatform } from './platform.ts'

type Fields = Readonly<Record<string, string>>

const STREAM = { 'content-type': 'text/event-stream' }

/** The data of an event about one project. */
function version(project: string, revision: number) {
  return { project, revision, snapshot: `${project}${revision}` }
}

function event(type: string, data: unknown, id: string): string {
  return `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`
}

function state(...projects: ReturnType<typeof version>[]): string {
  return event('state', { workspace: 'acme', projects }, 'at-state')
}

/** Watches a server that sends these streams one after the other; the last one stays open. */
async function watchStreams(streams: readonly string[], platform = testPlatform()) {
  const server = await scriptedServer((response, _, count) => {
    response.writeHead(200, STREAM)
    const text = `retry: 1000\n\n:\n\n${streams[count - 1]}`
    if (count < streams.length) response.end(text)
    else response.write(text)
  })
  return { ...server, platform, events: watching(server.url, platform) }
}

function watching(url: string, platform: TestPlatform, options: WatchOptions = {}) {
  const tokens = givenTokens('secret')
  const getReply = replyCache(platform, tokens)
  const address = `${url}/beta/workspace/acme`
  const client = { ...currentOperations(address, getReply), ...revisionOperations(address, getReply) }
  return watch({ platform, tokens, client, address: `${url}/events/workspace/acme` }, options)
}

/** The next events, after which the reader leaves. */
async function take(events: AsyncGenerator<BrandEvent, void, void>, count: number): Promise<string[]> {
  const found: string[] = []
  for await (const { type, project, revision, snapshot } of events) {
    assert.equal(snapshot, `${project}${revision}`)
    found.push(`${type} ${project} ${revision}`)
    if (found.length === count) break
  }
  return found
}

test('watch gives the state and then every change, once, and continues after the last event', async () => {
  const { events, requests, platform } = await watchStreams([
    state(version('a', 1), version('b', 4)) + event('published', version('a', 2), 'e2'),
    event('published', version('a', 2), 'e2') + event('renamed', {}, 'e3') + event('published', version('c', 1), 'e4'),
    event('unpublished', version('b', 4), 'e5') +
      event('deleted', version('b', 4), 'e6') +
      event('published', version('b', 4), 'e7'),
  ])
  assert.deepEqual(await take(events, 7), [
    'state a 1',
    'state b 4',
    'published a 2',
    'published c 1',
    'unpublished b 4',
    'deleted b 4',
    'published b 4',
  ])
  const seen = requests.map(({ url, headers }) => [url, headers['last-event-id'], headers.authorization])
  const expected = [undefined, 'e2', 'e4'].map(id => ['/events/workspace/acme', id, 'Bearer secret'])
  assert.deepEqual(seen, expected)
  assert.deepEqual(platform.pauses, [1500, 1500])
})

test('watch gives notices about files to a function, and none as an event', async () => {
  const about = { workspace: 'acme', project: 'a', path: 'files/hero.jpg', until: '2026-11-29' }
  const stream = event('file.expiring', about, 'e2') + event('file.expired', about, 'e3')
  const server = await scriptedServer(response => {
    response.writeHead(200, STREAM)
    response.write(state(version('a', 1)) + stream + event('published', version('a', 2), 'e4'))
  })
  const notices: FileNotice[] = []
  const options: WatchOptions = { onNotice: notice => notices.push(notice) }
  assert.deepEqual(await take(watching(server.url, testPlatform(), options), 2), ['state a 1', 'published a 2'])
  const { workspace: _, ...data } = about
  assert.deepEqual(notices, [
    { type: 'file.expiring', ...data },
    { type: 'file.expired', ...data },
  ])
})

test('watch gives the differences if the service sends the state again', async () => {
  const { events } = await watchStreams([
    state(version('a', 1), version('b', 4)),
    state(version('a', 3), version('c', 1)),
  ])
  assert.deepEqual(await take(events, 5), [
    'state a 1',
    'state b 4',
    'unpublished b 4',
    'published a 3',
    'published c 1',
  ])
})

test('watch opens the stream again after a lost connection, damaged data and a busy service, with growing pauses', async () => {
  const platform = testPlatform()
  const { url } = await scriptedServer((response, _, count) => {
    if (count === 1) response.destroy()
    else if (count === 2) response.writeHead(503, { 'retry-after': '40' }).end()
    else if (count === 3) response.writeHead(200, STREAM).end('event: state\ndata: {}\n\n')
    else if (count === 4)
      response.writeHead(200, STREAM).write(state(version('a', 1)).slice(0, -1), () => response.destroy())
    else response.writeHead(200, STREAM).write(state(version('a', 1)))
  })
  assert.deepEqual(await take(watching(url, platform), 1), ['state a 1'])
  assert.deepEqual(platform.pauses, [1500, 40_000, 6000, 12_000])
})

test('watch regards a stream without anything, even comments, for 45 seconds as lost', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const open: ServerResponse[] = []
  const { url, requests } = await scriptedServer(response => {
    open.push(response)
    response.writeHead(200, STREAM).write(state(version('a', open.length)))
  })
  const events = watching(url, testPlatform())
  assert.equal((await events.next()).value?.revision, 1)
  const next = events.next()
  // The reader sets its timer once it waits for the stream.
  await new Promise(resolve => setImmediate(resolve))
  t.mock.timers.tick(44_999)
  await new Promise(resolve => setImmediate(resolve))
  assert.equal(requests.length, 1)
  t.mock.timers.tick(1)
  assert.equal((await next).value?.revision, 2)
  await events.return()
})

test('watch of one project reads its stream', async () => {
  const { url, requests } = await scriptedServer(response =>
    response.writeHead(200, STREAM).write(state(version('a', 1))),
  )
  assert.deepEqual(await take(watching(url, testPlatform(), { project: 'a' }), 1), ['state a 1'])
  assert.equal(requests[0]?.url, '/events/workspace/acme/project/a')
})

/** A service without streams for this token, whose projects change with each round of a poll. */
function pollingServer(status: number, rounds: readonly (readonly [string, number][])[], scope = '/files') {
  let round = -1
  return scriptedServer((response, { url = '' }: IncomingMessage) => {
    const answer = (status: number, data: unknown, headers: Fields = {}) =>
      response.writeHead(status, headers).end(JSON.stringify(data))
    if (url.startsWith('/events/')) {
      round++
      return answer(status, { error: 'access_denied' })
    }
    const current = new Map(rounds[Math.min(round, rounds.length - 1)])
    if (url.endsWith('/projects')) return answer(200, { projects: [...current.keys()].map(id => ({ id })) })
    const [, project = '', rest] = /\/project\/(\w+)(.*)$/.exec(url) ?? []
    if (rest !== scope) return answer(403, { error: 'access_denied' })
    const revision = current.get(project)
    if (revision === undefined) return answer(404, { error: 'not_found' })
    return answer(200, {}, { 'housestyle-revision': `${revision};snapshot="${project}${revision}"` })
  })
}

for (const status of [403, 404]) {
  test(`watch reads what the token may read each minute if the stream gets ${status}`, async () => {
    const platform = testPlatform()
    const { url, requests } = await pollingServer(status, [[['a', 1]], [['a', 1]], [['a', 2]], [], [['a', 3]]])
    const events = watching(url, platform, { project: 'a' })
    assert.deepEqual(await take(events, 4), ['state a 1', 'published a 2', 'unpublished a 2', 'published a 3'])
    assert.deepEqual(platform.pauses, Array(4).fill(60_000))
    const refused = requests.filter(({ url = '' }) => /\/(?:a|styles|pages)$/.test(url) && !url.startsWith('/events'))
    assert.equal(refused.length, 3)
  })
}

test('watch of the workspace reads every project that the token may list if there is no stream', async () => {
  const { url } = await pollingServer(
    404,
    [
      [
        ['a', 1],
        ['b', 1],
      ],
      [
        ['b', 2],
        ['c', 1],
      ],
    ],
    '',
  )
  assert.deepEqual(await take(watching(url, testPlatform(), { interval: 5 }), 5), [
    'state a 1',
    'state b 1',
    'unpublished a 1',
    'published b 2',
    'published c 1',
  ])
})

test('watch throws lasting errors', async () => {
  const missing = await pollingServer(404, [[]])
  await assert.rejects(take(watching(missing.url, testPlatform(), { project: 'a' }), 1), { status: 404 })
  const unscoped = await pollingServer(403, [[['a', 1]]], '/none')
  await assert.rejects(take(watching(unscoped.url, testPlatform(), { project: 'a' }), 1), { status: 403 })
  const { url, requests } = await scriptedServer(response => response.writeHead(401).end())
  await assert.rejects(take(watching(url, testPlatform()), 1), { status: 401 })
  assert.equal(requests.length, 1)
})

test('watch throws the reason of its signal, while it waits for an event or for the next poll', async () => {
  const controller = new AbortController()
  const { url } = await scriptedServer(response => response.writeHead(200, STREAM).write(state(version('a', 1))))
  const events = watching(url, testPlatform(), { signal: controller.signal })
  await events.next()
  const next = events.next()
  controller.abort(new Error('left'))
  await assert.rejects(next, { message: 'left' })
})

test('watch follows the stream of a project across a restart, until its token is revoked', async () => {
  const temporary = await temporaryStore()
  const publish = async (page: string) => {
    await temporary.publishing('acme/guidelines', { ...SMALL_BRAND, 'guidelines/pages/new.md': page })
  }
  await publish('# One\n')
  const port = String(await freePort())
  const { url, stop } = await runningService(temporary, { port })
  const { token } = await temporary.issue('acme')
  const brand = createClient({ baseUrl: `${url}/beta`, workspace: 'acme', token })
  const steps = [
    async () => {
      await stop()
      await publish('# Two\n')
      await runningService(temporary, { port })
    },
    () => resultOf(temporary.folder, ['unpublish', 'acme/guidelines']),
    () => resultOf(temporary.folder, ['delete', 'acme/guidelines', '--yes']),
    async () => {
      const [{ jti }] = await resultOf(temporary.folder, ['token', 'list'])
      await resultOf(temporary.folder, ['token', 'revoke', jti])
    },
  ]
  const found: string[] = []
  const watching = async () => {
    for await (const { type, project, revision } of brand.watch({ project: 'guidelines', interval: 100 })) {
      found.push(`${type} ${project} ${revision}`)
      await steps.shift()?.()
    }
  }
  await assert.rejects(watching, { status: 401, code: 'invalid_client' })
  assert.deepEqual(found, [
    'state guidelines 1',
    'published guidelines 2',
    'unpublished guidelines 2',
    'deleted guidelines 2',
  ])
})
