import assert from 'node:assert/strict'
import { join } from 'node:path'
import test from 'node:test'
import type { Outbox } from '#delivery/events/outbox.ts'
import type { Deliver } from '#delivery/events/webhooks/attempt.ts'
import { secretOpener } from '#delivery/events/webhooks/attempt.ts'
import { webhookOutbox } from '#delivery/events/webhooks/sender.ts'
import {
  createWebhook,
  deliveryStates,
  replay,
  rotate,
  testWebhook,
  webhooks,
} from '#delivery/events/webhooks/webhooks.ts'
import { untrustedFetch } from '#platform/outgoing/outgoing-fetch.ts'
import { openMetrics } from '#platform/telemetry/metrics.ts'
import { unwrap } from '#program/cli/failure.ts'
import { remove, unpublish } from '#publishing/change-project.ts'
import { publishEvery } from '#publishing/publish.ts'
import { openSharedStore } from '#store/shared-store.ts'
import { openStore, type Store } from '#store/store.ts'
import { housestyle } from '../../../program/cli/housestyle.ts'
import { makeCertificate, trustCertificate } from '../../../support/certificate.ts'
import { startPostgres } from '../../../support/postgres.ts'
import { needs } from '../../../support/programs.ts'
import { silent } from '../../../support/service.ts'
import { temporaryFolder, writeFolder } from '../../../support/temporary.ts'
import { accessTo, publishedStore, type TemporaryStore } from '../../../support/temporary-store.ts'
import { until } from '../../../support/until.ts'
import { localDeliverer, startReceiver, verifyMessage } from '../../../support/webhook-receiver.ts'

const OPENSSL = needs('openssl')
const certificate = OPENSSL.skip ? undefined : await makeCertificate('IP:127.0.0.1')
if (certificate) trustCertificate(certificate)

const GUIDE = { workspace: 'acme', project: 'guide' }
const DAY_MS = 24 * 3600 * 1000

/** A store with a published project, and a receiver with a webhook for it. */
async function setup({ keySecret, project }: { keySecret?: string; project?: string } = {}) {
  const temporary = await publishedStore('acme/guide', { 'guide/pages/index.md': '# One\n' })
  assert.ok(certificate)
  const receiver = await startReceiver(certificate)
  const webhook = await hook(temporary.store, receiver.url, { keySecret, project })
  return { temporary, store: temporary.store, receiver, webhook }
}

async function hook(
  store: Store,
  url: string,
  { keySecret, project }: { keySecret?: string | undefined; project?: string | undefined } = {},
) {
  return unwrap(
    await createWebhook(accessTo(store, { keySecret }), { workspace: 'acme', project, url: `${url}/hook` }, new Date()),
  )
}

async function publishPage({ importing, publish }: TemporaryStore, text: string, now?: Date) {
  await importing('acme', { 'guide/pages/index.md': `# ${text}\n` })
  return publish('acme/guide', now)
}

type Options = {
  clock?: { now: number }
  deliver?: Deliver
  keySecret?: string
  warnings?: object[]
}

/** Runs a sender while the work runs. */
async function whileSending(store: Store, options: Options, work: (sender: Outbox) => Promise<void>): Promise<void> {
  const { clock, deliver = localDeliverer(), keySecret, warnings = [] } = options
  const sender = webhookOutbox({
    database: store.database,
    clock: () => clock?.now ?? Date.now(),
    deliver,
    openSecret: secretOpener(keySecret),
    log: { ...silent, warn: fields => warnings.push(fields) },
    metrics: openMetrics(),
    reporter: () => ({ failed: error => assert.fail(String(error)), worked: () => undefined }),
    random: () => 0,
  })
  try {
    await work(sender)
  } finally {
    await sender.stop()
  }
}

const statesOf = async ({ database }: Store, webhook: string) => unwrap(await deliveryStates(database, webhook, false))

test('each event is one signed message, in order, which survives the deletion of its project', OPENSSL, async () => {
  const { temporary, store, receiver, webhook } = await setup()
  const second = await publishPage(temporary, 'Two')
  unwrap(await unpublish(store, GUIDE, new Date()))
  unwrap(await remove(store, GUIDE, new Date()))
  await whileSending(store, {}, () => until(() => receiver.received.length === 3))
  const messages = receiver.received.map(message => verifyMessage(message, webhook.secret))
  const types = messages.map(({ type }) => type)
  assert.deepEqual(types, ['project.published', 'project.unpublished', 'project.deleted'])
  const { changed: _, ...data } = second
  assert.deepEqual(messages[0], { type: 'project.published', timestamp: second.publishedAt, data })
  const [first] = receiver.received
  assert.equal(first?.headers['content-type'], 'application/json')
  assert.equal(first?.path, '/hook')
  assert.match(webhook.secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  const states = await statesOf(store, webhook.id)
  const seen = states.map(({ id, state, attempts, status }) => [id, state, attempts, status])
  assert.deepEqual(seen, receiver.received.map(({ headers }) => [headers['webhook-id'], 'delivered', 1, 204]).reverse())
})

for (const column of ['created_at', 'attempted_at'])
  test(`a message with a damaged ${column} waits for its repair, and the next ones are sent`, OPENSSL, async () => {
    const { temporary, store, receiver, webhook } = await setup()
    await publishPage(temporary, 'Two')
    await store.database.run(`UPDATE delivery SET ${column} = 'then'`)
    await publishPage(temporary, 'Three')
    await whileSending(store, {}, () => until(() => receiver.received.length === 1))
    const [message] = receiver.received.map(each => verifyMessage(each, webhook.secret))
    assert.equal(message?.data.revision, 3)
    await store.database.run(`UPDATE delivery SET ${column} = 1 WHERE state = 'waiting'`)
    const clock = { now: Date.now() + 3_600_000 }
    await whileSending(store, { clock }, () => until(() => receiver.received.length === 2))
    assert.deepEqual(await store.database.all("SELECT id FROM delivery WHERE state <> 'delivered'"), [])
  })

test('a message of a type that only a newer version knows is sent as that version stored it', OPENSSL, async () => {
  const { temporary, store, receiver, webhook } = await setup()
  await publishPage(temporary, 'Two')
  await store.database.run("UPDATE delivery SET type = 'newer'")
  await whileSending(store, {}, () => until(() => receiver.received.length === 1))
  const seen = (await statesOf(store, webhook.id)).map(({ type, state }) => [type, state])
  assert.deepEqual(seen, [['newer', 'delivered']])
})

test('messages of a damaged webhook wait for its repair, and other webhooks get theirs', OPENSSL, async () => {
  const { temporary, store, receiver, webhook } = await setup()
  const other = await hook(store, receiver.url)
  const clock = { now: Date.now() }
  const damaged = new Set<string>()
  store.database.listeners.add(({ message }) => damaged.add(message))
  await publishPage(temporary, 'Two', new Date(clock.now))
  await store.database.run("UPDATE webhook SET created_at = 'then' WHERE id = ?", webhook.id)
  await whileSending(store, { clock }, () => until(() => damaged.size > 0 && receiver.received.length > 0))
  assert.equal(damaged.size, 1)
  assert.match([...damaged][0] ?? '', new RegExp(`^the row acme ${webhook.id} of the table webhook cannot be read: `))
  await store.database.run('UPDATE webhook SET created_at = ? WHERE id = ?', clock.now, webhook.id)
  clock.now += DAY_MS
  await whileSending(store, { clock }, () => until(() => receiver.received.length === 2))
  for (const { id } of [webhook, other]) {
    const states = (await statesOf(store, id)).map(({ state }) => state)
    assert.deepEqual(states, ['delivered'])
  }
})

test('a webhook for one project hears only of this project, and of nothing before it existed', OPENSSL, async () => {
  const { temporary, store, receiver } = await setup({ project: 'guide' })
  await temporary.publishing('acme/other', { 'other/pages/index.md': '# Other\n' })
  await publishPage(temporary, 'Two')
  await whileSending(store, {}, () => until(() => receiver.received.length === 1))
  assert.equal(JSON.parse(receiver.received[0]?.body ?? '').data.revision, 2)
})

test('every attempt has the same bytes and id, and a new time and signature', OPENSSL, async () => {
  const { temporary, store, receiver, webhook } = await setup()
  receiver.reply = () => ({ status: 500 })
  const began = Date.now()
  await publishPage(temporary, 'Two', new Date(began))
  const clock = { now: began }
  const times: number[] = []
  await whileSending(store, { clock }, async sender => {
    for (let count = 1; count <= 10; count++) {
      sender.wake()
      await until(async () => {
        const [state] = await statesOf(store, webhook.id)
        return state?.attempts === count && state.attemptedAt === new Date(clock.now).toISOString()
      })
      times.push(clock.now)
      const [state] = await statesOf(store, webhook.id)
      if (state?.nextAttemptAt) clock.now = Date.parse(state.nextAttemptAt)
    }
  })
  assert.equal(receiver.received.length, 10)
  const waits = times.slice(1).map((time, at) => (time - (times[at] ?? 0)) / 1000)
  assert.deepEqual(waits, [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400])
  assert.equal(new Set(receiver.received.map(({ body }) => body)).size, 1)
  assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 1)
  assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-signature'])).size, 10)
  for (const message of receiver.received) verifyMessage(message, webhook.secret)
  const seen = receiver.received.map(({ headers }) => Number(headers['webhook-timestamp']))
  const expected = times.map(time => Math.floor(time / 1000))
  assert.deepEqual(seen, expected)
  const [state] = unwrap(await deliveryStates(store.database, webhook.id, true))
  assert.deepEqual([state?.state, state?.nextAttemptAt, state?.problem], ['failed', null, 'answered 500'])
})

test('a redirect is a failure that is not followed', OPENSSL, async () => {
  const { temporary, store, receiver, webhook } = await setup()
  receiver.reply = ({ path }) => ({ status: 307, fields: { location: `${receiver.url}${path}/new` } })
  await publishPage(temporary, 'Two')
  await whileSending(store, {}, () => until(async () => (await statesOf(store, webhook.id))[0]?.status === 307))
  const paths = receiver.received.map(({ path }) => path)
  assert.deepEqual(paths, ['/hook'])
  assert.match((await statesOf(store, webhook.id))[0]?.problem ?? '', /redirects are not followed/)
})

test('410 disables a webhook, a successful test enables it, and a replay sends', OPENSSL, async () => {
  const { temporary, store, receiver, webhook } = await setup()
  const { database } = store
  const warnings: object[] = []
  receiver.reply = () => ({ status: 410 })
  await publishPage(temporary, 'Two')
  const isDisabled = async () => (await webhooks.states(database, {}))[0]?.disabledReason === 'gone'
  await whileSending(store, { warnings }, () => until(isDisabled))
  assert.deepEqual(warnings, [{ webhook: webhook.id, workspace: 'acme', reason: 'gone' }])
  await publishPage(temporary, 'Three')
  const [message, ...others] = await statesOf(store, webhook.id)
  assert.deepEqual([message?.state, message?.nextAttemptAt, others], ['failed', null, []])
  const replayed = () => replay(database, webhook.id, message?.id ?? '', new Date())
  const refused = await replayed()
  assert.ok(!refused.ok && refused.problem.code === 'webhook_disabled')
  const testing = { deliver: localDeliverer(), clock: () => new Date() }
  const failedTest = unwrap(await testWebhook(accessTo(store), webhook.id, testing))
  assert.deepEqual([failedTest.delivered, failedTest.status], [false, 410])
  assert.ok(await isDisabled())
  receiver.reply = () => ({ status: 200 })
  assert.ok(unwrap(await testWebhook(accessTo(store), webhook.id, testing)).delivered)
  assert.equal(verifyMessage(receiver.received.at(-1) ?? assert.fail(), webhook.secret).type, 'webhook.test')
  unwrap(await replayed())
  await whileSending(store, {}, () => until(async () => (await statesOf(store, webhook.id))[0]?.state === 'delivered'))
  const [first, last] = [receiver.received[0], receiver.received.at(-1)]
  assert.deepEqual([last?.body, last?.headers['webhook-id']], [first?.body, first?.headers['webhook-id']])
})

test('a webhook that only fails for five days is disabled with a warning', OPENSSL, async () => {
  const { temporary, store, receiver, webhook } = await setup()
  const clock = { now: Date.now() + 1 } // After the webhook was created.
  const warnings: object[] = []
  const state = async () => (await webhooks.states(store.database, {}))[0]
  const attempted = () =>
    until(async () => (await statesOf(store, webhook.id))[0]?.attemptedAt === new Date(clock.now).toISOString())
  await whileSending(store, { clock, warnings }, async sender => {
    const publishAfter = async (days: number, text: string, status: number) => {
      clock.now += Math.round(days * DAY_MS)
      receiver.reply = () => ({ status })
      await publishPage(temporary, text, new Date(clock.now))
      sender.wake()
    }
    await publishAfter(0, 'Two', 500)
    await attempted()
    assert.equal((await state())?.failingSince, new Date(clock.now).toISOString())
    await publishAfter(4, 'Three', 200)
    await attempted()
    assert.equal((await state())?.failingSince, null)
    await publishAfter(2, 'Four', 500)
    await attempted()
    await publishAfter(4.9, 'Five', 500)
    await attempted()
    assert.equal((await state())?.disabledAt, null)
    await publishAfter(0.1, 'Six', 500)
    await until(async () => (await state())?.disabledReason === 'failing')
  })
  assert.deepEqual(warnings, [{ webhook: webhook.id, workspace: 'acme', reason: 'failing' }])
})

test('after a rotation, messages have the signatures of both secrets for a day', OPENSSL, async () => {
  const { temporary, store, receiver, webhook } = await setup()
  const clock = { now: Date.now() }
  const rotated = unwrap(await rotate(accessTo(store), webhook.id, new Date(clock.now)))
  assert.notEqual(rotated.secret, webhook.secret)
  await whileSending(store, { clock }, async sender => {
    for (const count of [1, 2]) {
      await publishPage(temporary, `Page ${count}`, new Date(clock.now))
      sender.wake()
      await until(() => receiver.received.length === count)
      clock.now += DAY_MS
    }
  })
  const [within, after] = receiver.received
  assert.ok(within && after)
  for (const secret of [webhook.secret, rotated.secret]) verifyMessage(within, secret)
  verifyMessage(after, rotated.secret)
  assert.throws(() => verifyMessage(after, webhook.secret))
})

test('secrets are encrypted in the store, and a service without the key secret says so', OPENSSL, async () => {
  const keySecret = 'a long enough key secret'
  const { temporary, store, receiver, webhook } = await setup({ keySecret })
  const row = await store.database.get('SELECT secret FROM webhook')
  assert.match(String(row?.secret), /^eyJ[\w-]+\.[\w-]+\.[\w-]+\.[\w-]+\.[\w-]+$/)
  await publishPage(temporary, 'Two')
  await whileSending(store, {}, () => until(async () => (await statesOf(store, webhook.id))[0]?.problem != null))
  assert.match((await statesOf(store, webhook.id))[0]?.problem ?? '', /encrypted: give the --key-secret/)
  assert.equal(receiver.received.length, 0)
  unwrap(await replay(store.database, webhook.id, (await statesOf(store, webhook.id))[0]?.id ?? '', new Date()))
  await whileSending(store, { keySecret }, () => until(() => receiver.received.length === 1))
  verifyMessage(receiver.received[0] ?? assert.fail(), webhook.secret)
})

test('receivers that hang delay neither publications nor other receivers', OPENSSL, async () => {
  const { temporary, store, receiver, webhook } = await setup()
  assert.ok(certificate)
  const hanging = await startReceiver(certificate)
  const released = Promise.withResolvers<{ status: number }>()
  hanging.reply = () => released.promise
  for (let count = 0; count < 36; count++) await hook(store, hanging.url)
  await store.database.run('UPDATE webhook SET failing_since = 1 WHERE id <> ?', webhook.id)
  await whileSending(store, {}, async sender => {
    for (const count of [1, 2]) {
      await publishPage(temporary, `Page ${count}`)
      sender.wake()
      await until(() => receiver.received.length === count)
    }
    await until(() => hanging.received.length === 32)
    released.resolve({ status: 200 })
    await until(() => hanging.received.length > 36)
  })
})

test('an attempt has a time limit', OPENSSL, async () => {
  const { temporary, store, receiver, webhook } = await setup()
  const released = Promise.withResolvers<{ status: number }>()
  receiver.reply = () => released.promise
  await publishPage(temporary, 'Two')
  const problem = async () => (await statesOf(store, webhook.id))[0]?.problem ?? ''
  await whileSending(store, { deliver: localDeliverer(50) }, () => until(async () => (await problem()) !== ''))
  assert.match(await problem(), /within 50 ms/)
  released.resolve({ status: 200 })
})

test('the address is checked on each attempt, and a forbidden one is never asked', OPENSSL, async () => {
  const { temporary, store, receiver, webhook } = await setup()
  await publishPage(temporary, 'Two')
  const deliver = untrustedFetch({ allow: [], publicUrl: 'https://brand.test' })
  await whileSending(store, { deliver }, () =>
    until(async () => (await statesOf(store, webhook.id))[0]?.problem != null),
  )
  assert.match((await statesOf(store, webhook.id))[0]?.problem ?? '', /its host is private.*--outgoing-allow/)
  assert.equal(receiver.received.length, 0)
})

test('two processes on one store send each message once', OPENSSL, async () => {
  const { temporary, store, receiver, webhook } = await setup()
  const other = await openStore(temporary.data)
  temporary.beforeEnd(() => other.close())
  for (let count = 0; count < 12; count++) await publishPage(temporary, `Page ${count}`)
  await whileSending(store, {}, () =>
    whileSending(other, {}, () =>
      until(async () => (await statesOf(store, webhook.id)).every(({ state }) => state === 'delivered')),
    ),
  )
  assert.equal(receiver.received.length, 12)
  assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 12)
})

test('two processes on one Postgres send each message once', {
  skip: OPENSSL.skip || needs('postgres').skip,
}, async () => {
  const server = await startPostgres()
  const folder = await temporaryFolder()
  const place = { data: join(folder, 'data'), database: await server.newDatabase() }
  const projects = Array.from({ length: 12 }, (_, at) => [`project-${at}/pages/index.md`, '# One\n'] as const)
  await writeFolder(join(folder, 'acme'), Object.fromEntries(projects))
  const options = ['--data', place.data, '--database', place.database]
  const imported = await housestyle(['import', join(folder, 'acme'), ...options])
  assert.equal(imported.status, 0, imported.stderr)
  const [store, other] = [await openSharedStore(place), await openSharedStore(place)]
  try {
    assert.ok(certificate)
    const receiver = await startReceiver(certificate)
    const webhook = await hook(store, receiver.url)
    unwrap(await publishEvery(store, {}, new Date(store.clock.now() - 1000)))
    const [clock, states] = [{ now: store.clock.now() + 5000 }, () => statesOf(store, webhook.id)]
    await whileSending(store, { clock }, () =>
      whileSending(other, { clock }, () =>
        until(async () => (await states()).every(({ state }) => state === 'delivered')),
      ),
    )
    assert.equal(receiver.received.length, 12)
    assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 12)
    receiver.reply = () => ({ status: 410 })
    const { id = '' } = (await states())[0] ?? {}
    unwrap(await replay(store.database, webhook.id, id, new Date(clock.now)))
    await whileSending(store, { clock }, () =>
      until(async () => (await webhooks.states(store.database, {}))[0]?.disabledReason === 'gone'),
    )
  } finally {
    await store.close()
    await other.close()
    await server.stop()
  }
})
