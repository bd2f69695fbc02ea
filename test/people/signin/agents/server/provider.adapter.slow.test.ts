import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { stateAdapters } from '#people/signin/agents/server/provider.ts'
import { migrate } from '#store/database/migrate.ts'
import { openSqlite } from '#store/database/sqlite.ts'
import { bothEngines } from '#test/support/engines.ts'
import { temporaryFolder } from '#test/support/temporary.ts'

for (const { name, skip, place, open } of await bothEngines()) {
  /** Two processes on one database, with a common clock. */
  const two = async () => {
    const at = await place()
    const databases = [await open(at), await open(at)] as const
    after(async () => {
      for (const database of databases) await database.close()
    })
    await migrate(databases[0])
    const ended: string[] = []
    const clock = { now: 1_800_000_000_000 }
    const [one, other] = databases.map(database =>
      stateAdapters({ access: { database, clock: () => clock.now }, endConnection: async id => void ended.push(id) }),
    )
    assert.ok(one && other)
    return { database: databases[0], one, other, ended, clock }
  }

  test(`${name}: of two processes that use a code at once, one succeeds; the connection ends`, { skip }, async () => {
    const { one, other, ended } = await two()
    for (let round = 0; round < 20; round++) {
      const id = `code-${round}-with-more-characters`
      const adapters = [one('AuthorizationCode'), other('AuthorizationCode')]
      await adapters[0]?.upsert(id, { jti: id, grantId: `connection-${round}` }, 60)
      const uses = await Promise.allSettled(adapters.map(adapter => adapter.consume(id)))
      assert.deepEqual(uses.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
      const consumed = (await adapters[1]?.find(id))?.consumed
      assert.equal(consumed, 1_800_000_000)
    }
    assert.equal(ended.length, 20)
  })

  test(`${name}: a model is found by its id until it ends, and the database has no id`, { skip }, async () => {
    const { database, one, other, clock } = await two()
    const id = 'a-secret-id-that-is-a-token'
    const model = { jti: id, kind: 'Interaction', returnTo: `http://a.test/oauth/authorize/${id}`, grantId: 'g' }
    await one('Interaction').upsert(id, model, 60)
    assert.deepEqual(await other('Interaction').find(id), model)
    assert.equal(await other('RefreshToken').find(id), undefined)
    await one('Interaction').upsert(id, { ...model, result: { a: 1 } }, 60)
    assert.deepEqual(await other('Interaction').find(id), { ...model, result: { a: 1 } })
    assert.doesNotMatch(JSON.stringify(await database.all('SELECT * FROM authorization_state')), /a-secret-id/)
    await other('Interaction').destroy(id)
    assert.equal(await one('Interaction').find(id), undefined)
    await one('Interaction').upsert(id, model, 60)
    clock.now += 60_000
    assert.equal(await one('Interaction').find(id), undefined)
    await one('Interaction').upsert('another-id', { jti: 'another-id' }, 60)
    assert.equal((await database.all('SELECT * FROM authorization_state')).length, 1)
  })

  test(`${name}: of more than 10,000 waiting authorizations, the oldest are forgotten`, { skip }, async () => {
    const { database, one, clock } = await two()
    await database.transaction(async queries => {
      for (let at = 0; at < 10_000; at++)
        await queries.run(
          "INSERT INTO authorization_state (kind, id, payload, expires_at) VALUES ('Interaction', ?, '{}', ?)",
          `id-${at}`,
          clock.now + 1000 + at,
        )
    })
    await one('Interaction').upsert('the-last-one', { jti: 'the-last-one' }, 60)
    const row = await database.get('SELECT COUNT(*) AS count FROM authorization_state')
    assert.deepEqual(Number(row?.count), 10_000)
    assert.ok(await one('Interaction').find('the-last-one'))
    assert.equal(await database.get("SELECT id FROM authorization_state WHERE id = 'id-0'"), undefined)
  })
}

test('sessions and access tokens of the library are not kept', async () => {
  const { database, one } = await (async () => {
    const opened = openSqlite(join(await temporaryFolder(), 'a.db'))
    const database = await opened
    after(() => database.close())
    await migrate(database)
    const one = stateAdapters({ access: { database, clock: Date.now }, endConnection: async () => undefined })
    return { database, one }
  })()
  for (const kind of ['Session', 'AccessToken']) {
    await one(kind).upsert('an-id', { jti: 'an-id' }, 60)
    assert.equal(await one(kind).find('an-id'), undefined)
  }
  assert.deepEqual(await database.all('SELECT * FROM authorization_state'), [])
})
