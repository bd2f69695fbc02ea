import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import test from 'node:test'
import { OPERATIONS } from '#brand/contract/operations.ts'
import { dayOf } from '#brand/file.ts'
import { openEventStreams, openOutbox } from '#delivery/events/streams/streams.ts'
import { ok } from '#platform/base/result.ts'
import { openCaches } from '#platform/caches/caches.ts'
import { unwrap } from '#program/cli/failure.ts'
import { remove, unpublish } from '#publishing/change-project.ts'
import { copyProject } from '#publishing/copy.ts'
import { rollback } from '#publishing/history.ts'
import { createClient } from '#serving/access/client/clients.ts'
import { clients } from '#serving/access/families.ts'
import type { Grant } from '#serving/access/token/grant.ts'
import { issueToken } from '#serving/access/token/issue.ts'
import { revokeIssued } from '#serving/access/token/revoke.ts'
import type { TokenVerifier } from '#serving/access/token/token-verifier.ts'
import { openPointers } from '#serving/pointers/pointers.ts'
import { openStream } from '../../../support/event-stream.ts'
import { runningService, silent } from '../../../support/service.ts'
import { accessTo, type TemporaryStore, temporaryStore } from '../../../support/temporary-store.ts'
import { caughtUp, until } from '../../../support/until.ts'

const GUIDE = { workspace: 'acme', project: 'guide' }
const PAGE = { 'guide/pages/index.md': '# One\n' }

/** A store with a published project `acme/guide`, a service of it, and a token for all of the workspace. */
async function service(flags?: Readonly<Record<string, string>>) {
  const temporary = await temporaryStore()
  const first = await temporary.publishing('acme/guide', PAGE)
  const running = await runningService(temporary, flags)
  const { token, jti } = await temporary.issue('acme')
  return { temporary, running, token, jti, first, url: `${running.url}/events/workspace/acme` }
}

async function publishPage({ importing, publish }: TemporaryStore, text: string) {
  await importing('acme', { 'guide/pages/index.md': `# ${text}\n` })
  return publish('acme/guide')
}

test('a stream begins with the state, and then reports every publication and its end', async () => {
  const { temporary, token, url, first, running } = await service()
  const { store } = temporary
  const [workspace, project] = [await openStream(url, token), await openStream(`${url}/project/guide`, token)]
  assert.equal(workspace.headers.get('content-type'), 'text/event-stream')
  assert.equal(workspace.headers.get('cache-control'), 'no-store')
  assert.equal(workspace.headers.get('x-accel-buffering'), 'no')
  const entry = { project: 'guide', revision: 1, snapshot: first.snapshot }
  const read = async () => {
    const [one, other] = [await workspace.next(), await project.next()]
    assert.deepEqual(one, other)
    return one
  }
  const state = await read()
  assert.deepEqual([state.event, state.data], ['state', { workspace: 'acme', projects: [entry] }])
  const second = await publishPage(temporary, 'Two')
  const published = await read()
  const { changed: _, ...data } = second
  assert.deepEqual([published.event, published.data], ['published', data])
  assert.match(published.id ?? '', /^[0-9a-f]{24}$/)
  const headers = { authorization: `Bearer ${token}` }
  const styles = await fetch(`${running.url}/beta/workspace/acme/project/guide/styles`, { headers })
  assert.equal(styles.headers.get('housestyle-revision'), `2;snapshot="${second.snapshot}"`)
  const { changed: _c, ...rolledBack } = unwrap(await rollback(store, GUIDE, undefined, new Date()))
  assert.deepEqual((await read()).data, rolledBack)
  unwrap(await unpublish(store, GUIDE, new Date()))
  const unpublished = await read()
  assert.deepEqual([unpublished.event, unpublished.data], ['unpublished', rolledBack])
  const third = await publishPage(temporary, 'Three')
  assert.equal((await read()).data?.revision, third.revision)
  unwrap(await remove(store, GUIDE, new Date()))
  const deleted = await read()
  assert.deepEqual([deleted.event, deleted.data?.revision], ['deleted', third.revision])
  await project.ended()
  await workspace.close()
})

test('a copy is an event of its target, and a project that was never published has none', async () => {
  const { temporary, token, url } = await service()
  const { store, importing } = temporary
  const stream = await openStream(url, token)
  await stream.next()
  await importing('acme', { ...PAGE, 'secret/pages/index.md': '# Secret\n' })
  unwrap(await remove(store, { workspace: 'acme', project: 'secret' }, new Date()))
  const options = { signal: new AbortController().signal, progress: () => undefined, now: () => new Date() }
  unwrap(await copyProject(store, GUIDE, { workspace: 'acme', project: 'spring' }, options))
  const { event, data } = await stream.next()
  assert.deepEqual([event, data?.project, data?.revision], ['published', 'spring', 1])
  await stream.close()
})

test('a damaged event ends the streams of its workspace, and whoever missed it gets 500', async () => {
  const { temporary, running, token, url } = await service()
  const { database } = temporary.store
  const stream = await openStream(url, token)
  const { id = '' } = await stream.next()
  await running.stop()
  await stream.ended()
  await publishPage(temporary, 'Two')
  await database.run("UPDATE event SET type = 'gone' WHERE revision = 2")
  const again = await runningService(temporary)
  const address = `${again.url}/events/workspace/acme`
  const headers = { authorization: `Bearer ${token}` }
  assert.equal((await fetch(address, { headers: { ...headers, 'last-event-id': id } })).status, 500)
  const current = await openStream(address, token)
  assert.equal((await current.next()).event, 'state')
  await database.run("UPDATE event SET type = 'published'")
  await publishPage(temporary, 'Three')
  assert.equal((await current.next()).data?.revision, 3)
  await current.close()
  await until(async () => (await (await fetch(`${again.url}/readyz`)).text()).trim() === 'ready')
})

test('a client that returns with its last event gets every missed event in order, also from a new process', async () => {
  const { temporary, running, token, url } = await service()
  const stream = await openStream(url, token)
  const { id = '' } = await stream.next()
  await running.stop()
  await stream.ended()
  const missed = [await publishPage(temporary, 'Two'), await publishPage(temporary, 'Three')]
  const again = await runningService(temporary)
  const returned = await openStream(`${again.url}/events/workspace/acme`, token, id)
  const revisions = [await returned.next(), await returned.next()]
  const seen = revisions.map(({ event, data }) => [event, data?.revision])
  const expected = missed.map(({ revision }) => ['published', revision])
  assert.deepEqual(seen, expected)
  const fourth = await publishPage(temporary, 'Four')
  assert.equal((await returned.next()).data?.revision, fourth.revision)
  await returned.close()
  const middle = await openStream(`${again.url}/events/workspace/acme/project/guide`, token, revisions[0]?.id)
  assert.equal((await middle.next()).data?.revision, 3)
  await middle.close()
})

test('an event id that is unknown, too old or of another workspace gives the state again', async () => {
  const { temporary, running, token, url } = await service()
  const { store, publishing } = temporary
  await publishing('other/guide', PAGE)
  const rows = await store.database.all('SELECT id, workspace FROM event ORDER BY number')
  const [own = '', foreign = ''] = rows.map(({ id }) => String(id))
  await publishPage(temporary, 'Two')
  await caughtUp(running.url, store)
  await store.database.run('DELETE FROM event WHERE id = ?', own)
  for (const id of [own, foreign, 'unknown', '', 'x'.repeat(3000)]) {
    const stream = await openStream(url, token, id)
    const { event, data } = await stream.next()
    assert.equal(event, 'state', id)
    assert.deepEqual(data?.projects, [{ project: 'guide', revision: 2, snapshot: await snapshotOf(temporary) }])
    await stream.close()
  }
})

async function snapshotOf({ store }: TemporaryStore) {
  const row = await store.database.get('SELECT snapshot FROM event ORDER BY number DESC LIMIT 1')
  return row?.snapshot
}

test('a token for some projects sees only these, and no later project of the same name', async () => {
  const { temporary, url } = await service()
  const { store, importing, publish, issue, publishing } = temporary
  await importing('acme', { ...PAGE, 'spring/pages/index.md': '# Spring\n' })
  const { token } = await issue('acme', { projects: ['spring'] })
  const stream = await openStream(url, token)
  const { id = '', data } = await stream.next()
  assert.deepEqual(data, { workspace: 'acme', projects: [] })
  await publish('acme/spring')
  await publishPage(temporary, 'Two')
  unwrap(await remove(store, { workspace: 'acme', project: 'spring' }, new Date()))
  await publishing('acme/spring', { 'spring/pages/index.md': '# Later\n' })
  const seen = [await stream.next(), await stream.next()].map(message => [message.event, message.data?.project])
  assert.deepEqual(seen, [
    ['published', 'spring'],
    ['deleted', 'spring'],
  ])
  const returned = await openStream(url, token, id)
  const missed = [await returned.next(), await returned.next()].map(message => message.event)
  assert.deepEqual(missed, ['published', 'deleted'])
  const status = (await fetch(`${url}/project/spring`, { headers: { authorization: `Bearer ${token}` } })).status
  assert.equal(status, 404)
  await Promise.all([stream.close(), returned.close()])
})

test('streams end when their token is revoked or expires, or when its client is deleted; others continue', async () => {
  const { temporary, token, jti, url } = await service()
  const { store, issue } = temporary
  const access = accessTo(store)
  const client = await createClient(access, 'acme', { scopes: ['projects.read'], name: undefined }, new Date())
  const request = {
    workspace: 'acme',
    scopes: ['projects.read'] as const,
    lifetimeSeconds: 60,
    client: client.client_id,
  }
  const byClient = await issueToken(access, request, new Date())
  const other = await issue('acme')
  const short = await issue('acme', { lifetimeSeconds: 2 })
  const texts = [token, byClient.token, short.token, other.token]
  const streams = await Promise.all(texts.map(each => openStream(url, each)))
  for (const stream of streams) await stream.next()
  const [revoked, ofClient, expired, going] = streams
  await revokeIssued(access, { jti }, new Date())
  await clients.end(access, client.client_id, new Date())
  await Promise.all([revoked?.ended(), ofClient?.ended(), expired?.ended()])
  await publishPage(temporary, 'Two')
  assert.equal((await going?.next())?.event, 'published')
  await going?.close()
})

test('a token may have 127 streams at a time', async () => {
  const { temporary, token, url } = await service()
  const headers = { authorization: `Bearer ${token}` }
  const replies = await Promise.all(Array.from({ length: 140 }, () => fetch(url, { headers })))
  const statuses = replies.map(({ status }) => status)
  assert.equal(statuses.filter(status => status === 200).length, 127)
  assert.equal(statuses.filter(status => status === 429).length, 13)
  const refused = replies.find(({ status }) => status === 429)
  assert.match((await refused?.text()) ?? '', /too_many_requests.*too many open event streams/)
  assert.equal(refused?.headers.get('retry-after'), '60')
  const { token: other } = await temporary.issue('acme')
  await (await openStream(url, other)).close()
  for (const { status, body } of replies) if (status === 200) await body?.cancel()
  await until(async () => (await openStreams(url)) === 0, 10)
  await (await openStream(url, token)).close()
})

test('a stream ends when its client closes the connection, before any comment', async () => {
  const { token, url } = await service()
  const { hostname, port, pathname, host } = new URL(url)
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true })
  socket.write(`GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n\r\n`)
  const [start] = await once(socket, 'data')
  socket.end()
  assert.doesNotMatch(`${start}${await text(socket)}`, /^:/m)
  await until(async () => (await openStreams(url)) === 0)
})

/** The number of open streams, from the metrics of the service. */
async function openStreams(url: string): Promise<number> {
  const metrics = await (await fetch(`${new URL(url).origin}/metrics`)).text()
  return Number(/^housestyle_event_streams (\d+)$/m.exec(metrics)?.[1])
}

test('opening a stream counts once against the limit, and a stream is measured when it begins', async () => {
  const { token, url } = await service({ rate: '5/60' })
  const stream = await openStream(url, token)
  assert.equal(stream.headers.get('ratelimit'), '"workspace";r=4;t=60')
  await stream.next()
  const headers = { authorization: `Bearer ${token}` }
  const api = await fetch(`${new URL(url).origin}/beta/workspace/acme`, { headers })
  assert.equal(api.headers.get('ratelimit')?.split(';')[1], 'r=3')
  const metrics = await (await fetch(`${new URL(url).origin}/metrics`)).text()
  assert.match(metrics, /^housestyle_request_duration_seconds_count\{operation="events",status="200"\} 1$/m)
  assert.match(metrics, /^housestyle_event_streams 1$/m)
  await stream.close()
})

test('an idle stream gets comments', async () => {
  const { temporary } = await service()
  const { database } = temporary.store
  const verifier: TokenVerifier = {
    verify: () => ok(grant),
    refresh: async () => undefined,
    forget: () => undefined,
    suspend: () => undefined,
  }
  const expiresAt = Date.now() + 60_000
  const grant: Grant = { workspace: 'acme', scopes: new Set(['projects.read']), client: 'cli', jti: 'x', expiresAt }
  const pointers = await openPointers(database, openCaches())
  const parts = { access: accessTo(temporary.store), pointers, verifier }
  const streams = openEventStreams({ service: parts, log: silent, commentMs: 0 })
  const call = { operation: OPERATIONS[1], workspace: 'acme', project: '' }
  const request = { method: 'GET', path: '', query: '', headers: {}, authorizations: 1, address: '' }
  const { body } = streams.open(request, { grant, call })
  assert.ok(body && 'chunks' in body)
  const read: string[] = []
  for await (const chunk of body.chunks(new AbortController().signal)) {
    read.push(new TextDecoder().decode(chunk))
    if (read.length === 4) break
  }
  assert.match(read[0] ?? '', /^retry: \d{4}\n\n$/)
  assert.deepEqual(read.slice(2), [':\n\n', ':\n\n'])
  assert.equal(streams.count(), 0)
})

test('when the service stops, streams end cleanly after the events so far, and it opens no more', async () => {
  const { temporary, running, token, url } = await service()
  const stream = await openStream(url, token)
  await stream.next()
  await publishPage(temporary, 'Two')
  assert.equal((await stream.next()).event, 'published')
  const stopping = running.stop()
  await stream.ended()
  await stopping
})

const DAY_MS = 24 * 3600 * 1000
const dayIn = (days: number) => dayOf(new Date(Date.now() + days * DAY_MS))

const [SOON, OVER] = [dayIn(5), dayIn(-1)]

function logoUntil(day: string) {
  const files = `logo.svg: { until: ${day} }\n`
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>\n'
  return { 'guide/pages/index.md': '# Home\n', 'guide/files/files.yaml': files, 'guide/files/logo.svg': svg }
}

test('streams with files.read have each notice, live and after a break, and others have none', async () => {
  const temporary = await temporaryStore()
  const { issue, publishing, store } = temporary
  await publishing('acme/guide', { 'guide/pages/index.md': '# Home\n' })
  await publishing('acme/other', { 'other/pages/index.md': '# Other\n' })
  const running = await runningService(temporary)
  const all = await issue('acme')
  const blind = await issue('acme', { scopes: ['projects.read', 'document.read'] })
  const other = await issue('acme', { projects: ['other'] })
  const url = `${running.url}/events/workspace/acme`
  const [reader, guide, blindReader, otherReader] = await Promise.all([
    openStream(url, all.token),
    openStream(`${url}/project/guide`, all.token),
    openStream(url, blind.token),
    openStream(url, other.token),
  ])
  const { id: first = '' } = await reader.next()
  for (const stream of [guide, blindReader, otherReader]) await stream.next()
  await publishing('acme/guide', logoUntil(SOON))
  const about = { workspace: 'acme', project: 'guide', path: 'files/logo.svg' }
  for (const stream of [reader, guide]) {
    assert.equal((await stream.next()).event, 'published')
    const notice = await stream.next()
    assert.deepEqual([notice.event, notice.data], ['file.expiring', { ...about, until: SOON }])
    assert.match(notice.id ?? '', /^[0-9a-f]{24}$/)
  }
  await publishing('acme/guide', logoUntil(OVER))
  assert.equal((await reader.next()).event, 'published')
  const ended = await reader.next()
  assert.deepEqual([ended.event, ended.data], ['file.expired', { ...about, until: OVER }])
  await publishing('acme/other', { 'other/pages/index.md': '# Changed\n' })
  for (const event of ['published', 'published']) assert.equal((await blindReader.next()).event, event)
  for (const stream of [blindReader, otherReader]) assert.equal((await stream.next()).data?.project, 'other')
  for (const stream of [reader, guide, blindReader, otherReader]) await stream.close()

  const types = async (token: string, count: number) => {
    const returned = await openStream(url, token, first)
    const events: unknown[] = []
    for (let at = 0; at < count; at++) events.push((await returned.next()).event)
    await returned.close()
    return events
  }
  const missed = ['published', 'file.expiring', 'published', 'file.expired', 'published']
  assert.deepEqual(await types(all.token, 5), missed)
  assert.deepEqual(await types(blind.token, 3), ['published', 'published', 'published'])
  const afterNotice = await openStream(url, all.token, ended.id)
  assert.equal((await afterNotice.next()).data?.project, 'other')
  await afterNotice.close()
  await until(async () => (await store.database.all('SELECT id FROM notice')).length === 2)
})

test('an id of a notice that is older than 30 days gives the state, and missed notices beyond one batch are complete', async () => {
  const temporary = await temporaryStore()
  const { database } = temporary.store
  const names = Array.from({ length: 230 }, (_, at) => `f${at}.txt`)
  const files = names.map(name => [`guide/files/${name}`, name])
  const settings = names.map(name => `${name}: { until: ${dayIn(20)} }\n`).join('')
  const home = { 'guide/pages/index.md': '# Home\n' }
  const contents = { ...home, ...Object.fromEntries(files), 'guide/files/files.yaml': settings }
  await temporary.publishing('acme/guide', contents)
  const [published] = await database.all('SELECT id FROM event')
  const running = await runningService(temporary)
  const count = async () => Number((await database.get('SELECT COUNT(*) AS count FROM notice'))?.count)
  await until(async () => (await count()) === names.length)
  const { token } = await temporary.issue('acme')
  const url = `${running.url}/events/workspace/acme`
  const returned = await openStream(url, token, String(published?.id))
  const paths = new Set<unknown>()
  for (let at = 0; at < names.length; at++) paths.add((await returned.next()).data?.path)
  assert.equal(paths.size, names.length)
  await returned.close()
  const [row] = await database.all('SELECT id FROM notice ORDER BY number LIMIT 1')
  await database.run('UPDATE notice SET happened_at = ?', Date.now() - 31 * DAY_MS)
  const old = await openStream(url, token, String(row?.id))
  assert.equal((await old.next()).event, 'state')
  await old.close()
})

const piece = new Uint8Array(1)

test('an outbox that finishes is read to its end', async () => {
  const outbox = openOutbox()
  outbox.push(piece)
  outbox.finish()
  outbox.push(piece)
  assert.equal((await Array.fromAsync(outbox.read())).length, 1)
})

test('a reader waits for bytes, and a cut ends it without the waiting ones', async () => {
  const outbox = openOutbox()
  const reading = outbox.read()
  const first = reading.next()
  outbox.push(piece)
  assert.equal((await first).value, piece)
  outbox.push(piece)
  outbox.cut()
  assert.deepEqual([(await reading.next()).done, outbox.isCut()], [true, true])
})

test('a reader that falls too far behind is cut off, and its bytes are freed', async () => {
  const outbox = openOutbox()
  for (let at = 0; at < 1000; at++) outbox.push(piece)
  assert.equal(outbox.isCut(), false)
  outbox.push(piece)
  assert.deepEqual([outbox.isCut(), outbox.isEmpty()], [true, true])
})
