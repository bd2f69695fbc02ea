import assert from 'node:assert/strict'
import test from 'node:test'
import type { Log } from '#platform/telemetry/log.ts'
import { createClient } from '#serving/access/client/clients.ts'
import { issueToken } from '#serving/access/token/issue.ts'
import { revokeIssued } from '#serving/access/token/revoke.ts'
import { accessTo } from '../../support/access-context.ts'
import { runningService } from '../../support/running.ts'
import { silent } from '../../support/service.ts'
import { SMALL_BRAND } from '../../support/small-brand.ts'
import { publishedStore } from '../../support/temporary-store.ts'
import { until } from '../../support/until.ts'

/** A store with a published project and a client, and a log that keeps its errors. */
async function prepare() {
  const temporary = await publishedStore('acme/guidelines', SMALL_BRAND, new Date())
  const { database } = temporary.store
  const errors: string[] = []
  const log: Log = { ...silent, error: (_, text) => errors.push(text) }
  const access = accessTo(temporary.store)
  await createClient(access, 'acme', { scopes: ['projects.read'] }, new Date())
  const request = { workspace: 'acme', scopes: ['projects.read'], lifetimeSeconds: 3600, client: 'cli' } as const
  const start = async () => {
    const { url } = await runningService(temporary, {}, log)
    const { token, jti } = await issueToken(access, request, new Date())
    const headers = { authorization: `Bearer ${token}` }
    return {
      status: async (path: string, sent: Record<string, string> = headers) =>
        (await fetch(url + path, { headers: sent })).status,
      readyz: async () => (await (await fetch(`${url}/readyz`)).text()).trim(),
      revoke: () => revokeIssued(access, { jti }, new Date()),
    }
  }
  return { database, errors, start }
}

const PAGE = { accept: 'text/html' }
const API = '/beta/workspace/acme/projects'

/** Invalid values of a row, which cost only that row: a statement, and the table. */
const DAMAGES: readonly (readonly [sql: string, table: string])[] = [
  ["UPDATE client SET projects = '{'", 'client'],
  ["UPDATE client SET projects = '7'", 'client'],
  ["INSERT INTO signin VALUES ('i', 'acme', 'https://login.example', '{', NULL, 1)", 'signin'],
  ['UPDATE project SET published_visibility = NULL', 'project'],
]

for (const [sql, table] of DAMAGES)
  test(`a service starts and obeys revocations after ${sql}, and its log names the row`, async () => {
    const { database, errors, start } = await prepare()
    await database.run(sql)
    const { status, readyz, revoke } = await start()
    await until(async () => (await status(API)) === 200)
    await until(async () => (await readyz()) === 'degraded: database')
    assert.match(
      errors.join('\n'),
      new RegExp(`the row acme.* of the table ${table} cannot be read: the (?:column|catalogue)`),
    )
    await revoke()
    await until(async () => (await status(API)) === 401)
  })

test('a running service obeys revocations after rows were damaged', async () => {
  const { database, start } = await prepare()
  const { status, revoke } = await start()
  await until(async () => (await status(API)) === 200)
  for (const [sql] of DAMAGES) await database.run(sql)
  await database.run("UPDATE workspace SET name = '', theme = '{'")
  await database.run("INSERT INTO change (number, workspace) SELECT MAX(number) + 1, 'acme' FROM change")
  await revoke()
  await until(async () => (await status(API)) === 401)
})

test('the pages of a workspace with a damaged theme get 503, and the log names the row until it is repaired', async () => {
  const { database, errors, start } = await prepare()
  await database.run("UPDATE workspace SET theme = '{'")
  const { status, readyz } = await start()
  assert.deepEqual([await status('/acme/nothing', PAGE), await status('/acme/guidelines')], [503, 200])
  assert.match(
    errors.join('\n'),
    /the row acme of the table workspace cannot be read: the column theme has a value, which is not a JSON object/,
  )
  await database.run('UPDATE workspace SET theme = NULL')
  await until(async () => (await readyz()) === 'ready')
  assert.equal(await status('/acme/nothing', PAGE), 404)
})
