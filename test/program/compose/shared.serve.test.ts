import assert from 'node:assert/strict'
import test from 'node:test'
import { SCOPES } from '#brand/contract/operations.ts'
import type { Log } from '#platform/telemetry/log.ts'
import { createClient } from '#serving/access/client/clients.ts'
import { issueToken } from '#serving/access/token/issue.ts'
import { revokeIssued } from '#serving/access/token/revoke.ts'
import { accessTo } from '../../support/access-context.ts'
import { runningService } from '../../support/running.ts'
import { silent } from '../../support/service.ts'
import { temporaryStore } from '../../support/temporary-store.ts'
import { until } from '../../support/until.ts'

const BRAND = {
  'one/project.yaml': 'name: One\nvisibility: public\n',
  'one/pages/index.md': '# One\n',
  'two/project.yaml': 'name: Two\nvisibility: public\n',
  'two/pages/index.md': '# Two\n',
}

/** A store with two public guides and a client, and a log that keeps its errors. */
async function prepare() {
  const temporary = await temporaryStore()
  for (const project of ['one', 'two']) await temporary.publishing(`acme/${project}`, BRAND)
  const { database } = temporary.store
  const errors: string[] = []
  const log: Log = {
    ...silent,
    error: (fields, text) => errors.push(`${text}: ${'err' in fields ? String(fields.err) : ''}`),
  }
  const access = accessTo(temporary.store)
  const { client_id } = (await createClient(access, 'acme', { scopes: ['projects.read'] }, new Date())) ?? {}
  const tokenOf = async (client: string) => {
    const request = { workspace: 'acme', scopes: [...SCOPES], lifetimeSeconds: 3600, client } as const
    const { token, jti } = await issueToken(access, request, new Date())
    return { jti, headers: { authorization: `Bearer ${token}` } }
  }
  const [own, ofClient] = [await tokenOf('cli'), await tokenOf(client_id ?? '')]
  const start = async () => {
    const { url } = await runningService(temporary, {}, log)
    return {
      status: async (path: string, headers: Record<string, string> = { accept: 'text/html' }) =>
        (await fetch(url + path, { headers })).status,
      readyz: async () => (await (await fetch(`${url}/readyz`)).text()).trim(),
      revoke: () => revokeIssued(access, own, new Date()),
    }
  }
  return { database, errors, start, own: own.headers, ofClient: ofClient.headers }
}

const API = '/beta/workspace/acme/projects'

type Asked = readonly [path: string, by?: 'own' | 'ofClient']

/** A statement that damages a row, its table, what fails with 500, and what is served. */
const DAMAGES: readonly (readonly [sql: string, table: string, fails: readonly Asked[], works: readonly Asked[]])[] = [
  [
    "UPDATE project SET published_visibility = 'secret' WHERE id = 'one'",
    'project',
    [['/acme/one'], ['/acme'], [API, 'own'], ['/beta/workspace/acme/project/one', 'own']],
    [['/acme/two'], ['/beta/workspace/acme/project/two', 'own']],
  ],
  [
    "UPDATE revision SET snapshot = '7' WHERE project = 'one'",
    'revision',
    [['/acme/one'], ['/acme']],
    [['/acme/two'], ['/beta/workspace/acme/project/two', 'own']],
  ],
  [
    "UPDATE project SET source = '{', edit = 'x https://example.com/{path}' WHERE id = 'one'",
    'project',
    [['/acme/one']],
    [['/acme/two'], ['/acme'], [API, 'own']],
  ],
  ["UPDATE client SET projects = '{'", 'client', [[API, 'ofClient']], [[API, 'own'], ['/acme/one']]],
  [
    "INSERT INTO signin VALUES ('i', 'acme', 'https://login.example', '{', NULL, 1)",
    'signin',
    [['/-/signin?workspace=acme']],
    [[API, 'own']],
  ],
  [
    "UPDATE workspace SET theme = '{'",
    'workspace',
    [['/acme/nothing']],
    [
      ['/acme/one', 'own'],
      [API, 'own'],
    ],
  ],
  ["UPDATE signing_key SET public_jwk = 'x'", 'signing_key', [[API, 'own']], [['/acme/one'], ['/acme']]],
]

for (const [sql, table, fails, works] of DAMAGES)
  test(`after ${sql}, a service starts, only what needs the row gets 500, and the log names table and row`, async () => {
    const { database, errors, start, ...headers } = await prepare()
    await database.run(sql)
    const { status, readyz } = await start()
    const ask = ([path, by]: Asked) => status(path, by && headers[by])
    for (const asked of works) assert.equal(await ask(asked), 200, asked.join(' '))
    for (const asked of fails) assert.equal(await ask(asked), 500, asked.join(' '))
    const row =
      table === 'signing_key' ? /the signing key \w+ is damaged/ : new RegExp(`the row .+ of the table ${table} `)
    assert.match(errors.join('\n'), row)
    await until(async () => (await readyz()) === 'degraded: database')
  })

test('a running service obeys revocations after rows were damaged, and answers again once they are repaired', async () => {
  const { database, start, own } = await prepare()
  const { status, revoke, readyz } = await start()
  assert.equal(await status(API, own), 200)
  const [sql = ''] = DAMAGES[0] ?? []
  await database.run(sql)
  await database.run("UPDATE client SET projects = '{'")
  await database.run("INSERT INTO change (number, workspace) SELECT MAX(number) + 1, 'acme' FROM change")
  await until(async () => (await status(API, own)) === 500)
  await database.run("UPDATE project SET published_visibility = 'public' WHERE id = 'one'")
  await database.run('UPDATE client SET projects = NULL')
  await database.run("INSERT INTO change (number, workspace) SELECT MAX(number) + 1, 'acme' FROM change")
  await until(async () => (await status(API, own)) === 200)
  await until(async () => (await readyz()) === 'ready')
  await database.run(sql)
  await revoke()
  await until(async () => (await status(API, own)) === 401)
})
