import assert from 'node:assert/strict'
import test from 'node:test'
import { openUses, openUseWriter } from '#serving/access/last-use.ts'
import { latestChange } from '#store/catalogue/changes.ts'
import type { Database } from '#store/database/database.ts'
import { type TestService, testService } from '../../support/service.ts'
import { resultOf, temporaryStore } from '../../support/temporary-store.ts'

const HOUR_MS = 3_600_000
const NOON = Date.UTC(2026, 10, 23, 12)

test('a use in a later hour replaces an unwritten one, also while that one is being written', () => {
  const uses = openUses()
  uses.mark('client', 'a', NOON)
  const due = uses.due(10)
  uses.mark('client', 'a', NOON + HOUR_MS)
  uses.written(due)
  assert.deepEqual(uses.due(10), [{ kind: 'client', id: 'a', hourMs: NOON + HOUR_MS }])
})

test('the number of remembered items is limited, also while nothing can be written', () => {
  const uses = openUses(3)
  for (let hour = 0; hour < 3; hour++)
    for (let at = 0; at < 5; at++) uses.mark('token', `${hour} ${at}`, NOON + hour * HOUR_MS)
  const ids = uses.due(10).map(({ id }) => id)
  assert.deepEqual(ids, ['0 0', '0 1', '0 2'])
  assert.equal(uses.due(2).length, 2)
})

const temporary = await temporaryStore()
const { folder, store } = temporary
await temporary.publishing('acme/guide', { 'guide/project.yaml': 'name: Guide\n' })

/** The start of the hour of a service's clock, as commands print it. */
function hourOf({ clock }: TestService): string {
  return new Date(clock.now - (clock.now % HOUR_MS)).toISOString()
}

async function lastUses(): Promise<Map<string, string | null>> {
  const commands = [['token', 'list'] as const, ['client', 'list'] as const, ['share', 'list'] as const]
  const uses = new Map<string, string | null>()
  for (const command of commands)
    for (const { jti, client_id, id, lastUsedAt } of await resultOf(folder, [...command]))
      uses.set(jti ?? client_id ?? id, lastUsedAt)
  return uses
}

test('lists show the hour of the last use of tokens, clients and share links after the service has stopped', async () => {
  const { token, jti } = await temporary.issue('acme', { lifetimeSeconds: 4 * 3600 })
  const { jti: unused } = await temporary.issue('acme')
  const client = await resultOf(folder, ['client', 'create', 'acme'])
  const share = await resultOf(folder, ['share', 'acme/guide'])
  const draft = await resultOf(folder, ['share', 'acme/guide', '--draft'])
  const service = await testService(temporary)
  const cookies = await Promise.all(
    [share, draft].map(async ({ url }) => (await service.ask(new URL(url).pathname)).headers.get('set-cookie') ?? ''),
  )
  const first = hourOf(service)
  const path = '/beta/workspace/acme/project/guide'
  assert.equal((await service.ask(path, { token })).status, 200)
  assert.equal((await service.ask('/beta/workspace/acme', { token: 'x.y.z' })).status, 401)
  const login = Buffer.from(`${client.client_id}:${client.client_secret}`).toString('base64')
  const form = {
    method: 'POST',
    headers: { authorization: `Basic ${login}`, 'content-type': 'application/x-www-form-urlencoded' },
    body: 'grant_type=client_credentials',
  }
  assert.equal((await service.ask('/oauth/token', form)).status, 200)
  // The verified token of the last minute of an hour is still in memory in the next one.
  for (const now of [Date.parse(first) + 2 * HOUR_MS - 60_000, Date.parse(first) + 2 * HOUR_MS]) {
    service.clock.now = now
    assert.equal((await service.ask(path, { token })).status, 200)
  }
  const [cookie = ''] = cookies
  assert.equal((await service.ask('/acme/guide', { headers: { cookie: cookie.split(';')[0] ?? '' } })).status, 200)
  const before = await latestChange(store.database)
  await service.close()
  assert.equal(await latestChange(store.database), before)
  const uses = await lastUses()
  const seen = [jti, unused, client.client_id, share.id, draft.id].map(id => uses.get(id))
  assert.deepEqual(seen, [hourOf(service), null, first, hourOf(service), first])
})

test('nothing to write needs no transaction, and several uses need one', async () => {
  let transactions = 0
  const database: Database = {
    ...store.database,
    transaction: (work, options) => {
      transactions++
      return store.database.transaction(work, options)
    },
  }
  const uses = openUses()
  const writer = openUseWriter(database, uses, { error: assert.ifError })
  await writer.write()
  assert.equal(transactions, 0)
  const { jti } = await temporary.issue('acme')
  for (let at = 0; at < 250; at++) uses.mark('token', `unknown ${at}`, Date.UTC(2026, 0, 1, 5))
  uses.mark('token', jti, Date.UTC(2026, 0, 1, 5, 59))
  uses.mark('connection', 'unknown', Date.UTC(2026, 0, 1, 5))
  await Promise.all([writer.write(), writer.write()])
  await writer.stop()
  assert.equal(transactions, 1)
  assert.equal((await lastUses()).get(jti), '2026-01-01T05:00:00.000Z')
  uses.mark('token', jti, Date.UTC(2026, 0, 1, 4))
  await writer.write()
  assert.equal((await lastUses()).get(jti), '2026-01-01T05:00:00.000Z', 'an earlier hour does not replace a later one')
})

test('while the store is unavailable, uses stay due, and only a fault of the program is logged', async () => {
  let failure: Error | undefined = new Error('a fault')
  const database: Database = {
    ...store.database,
    transaction: (work, options) => (failure ? Promise.reject(failure) : store.database.transaction(work, options)),
  }
  const logged: unknown[] = []
  const uses = openUses()
  const writer = openUseWriter(database, uses, { error: fields => logged.push(fields) })
  const { jti } = await temporary.issue('acme')
  uses.mark('token', jti, Date.UTC(2026, 0, 2))
  await writer.write()
  failure = Object.assign(new Error('no space left'), { code: 'ENOSPC' })
  await writer.write()
  failure = undefined
  await writer.stop()
  const seen = logged.map(fields => `${Reflect.get(Object(fields), 'err')}`)
  assert.deepEqual(seen, ['Error: a fault'])
  assert.equal((await lastUses()).get(jti), '2026-01-02T00:00:00.000Z')
})
