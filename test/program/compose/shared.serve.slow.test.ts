import assert from 'node:assert/strict'
import test, { after } from 'node:test'
import type { Log } from '#platform/telemetry/log.ts'
import { createClient } from '#serving/access/client/clients.ts'
import { issueToken, selectScopes } from '#serving/access/token/issue.ts'
import { revokeIssued } from '#serving/access/token/revoke.ts'
import { sessionCookie } from '../../support/people-service.ts'
import { POSTGRES, startPostgres } from '../../support/postgres.ts'
import { ask as request } from '../../support/requests.ts'
import { runningService, silent } from '../../support/service.ts'
import { accessTo, temporaryStore } from '../../support/temporary-store.ts'
import { until } from '../../support/until.ts'

const BRAND = {
  'one/project.yaml': 'name: One\nvisibility: public\n',
  'one/pages/index.md': '# One\n',
  'two/project.yaml': 'name: Two\nvisibility: public\n',
  'two/pages/index.md': '# Two\n',
  'secret/project.yaml': 'name: Secret\n',
  'secret/pages/index.md': '# Secret\n',
}

const { skip } = POSTGRES
const server = skip ? undefined : await startPostgres()
after(() => server?.stop())

/** The databases of stores: by its address, or SQLite. */
const DATABASES: Readonly<Record<string, () => Promise<string | undefined>>> = {
  SQLite: async () => undefined,
  ...(server && { Postgres: server.newDatabase }),
}

/** A store with two public guides, a private one and a client, and a log that keeps its errors. */
async function prepare(address?: string) {
  const temporary = await temporaryStore(undefined, address)
  for (const project of ['one', 'two', 'secret']) await temporary.publishing(`acme/${project}`, BRAND)
  const { database } = temporary.store
  const errors: string[] = []
  const log: Log = {
    ...silent,
    error: (fields, text) => errors.push(`${text}: ${'err' in fields ? String(fields.err) : ''}`),
  }
  const access = accessTo(temporary.store)
  const { client_id } = (await createClient(access, 'acme', { scopes: ['projects.read'] }, new Date())) ?? {}
  const tokenOf = async (client: string, projects: readonly string[] = []) => {
    const selected = await selectScopes(database, { workspace: 'acme', scopes: [], projects })
    assert.ok(selected.ok)
    const { token, jti } = await issueToken(access, { ...selected.value, lifetimeSeconds: 3600, client }, new Date())
    return { jti, headers: { authorization: `Bearer ${token}` } }
  }
  const [own, ofClient] = [await tokenOf('cli'), await tokenOf(client_id ?? '')]
  const ofTwo = await tokenOf('cli', ['two'])
  const person = { cookie: await sessionCookie(temporary, 'acme') }
  const personOfTwo = { cookie: await sessionCookie(temporary, 'acme', { projects: ['two'] }) }
  const start = async () => {
    const { url } = await runningService(temporary, address === undefined ? {} : { database: address }, log)
    const ask = async (path: string, headers: Record<string, string> = {}) => {
      const { status, text } = await request(url + path, { headers: { accept: 'text/html', ...headers } })
      return { status, text }
    }
    return {
      ask,
      readyz: async () => (await ask('/readyz')).text.trim(),
      revoke: () => revokeIssued(access, own, new Date()),
    }
  }
  return {
    database,
    errors,
    start,
    own: own.headers,
    ofClient: ofClient.headers,
    ofTwo: ofTwo.headers,
    person,
    personOfTwo,
  }
}

const API = '/beta/workspace/acme/projects'

/** A path, after who asks for it: whose token it is, a person who is signed in, or a host. */
type Asked = string

const [ONE, TWO, SECRET] = ['one', 'two', 'secret'].map(id => `/beta/workspace/acme/project/${id}`)

/** A statement that damages a row, its table, and what gets 500, 200, and the same 404 as what does not exist. */
const DAMAGES: readonly (readonly [
  sql: string,
  table: string,
  fails: readonly Asked[],
  works: readonly Asked[],
  isUnknown?: readonly Asked[],
])[] = [
  [
    "UPDATE project SET published_revisions = 'secret' WHERE id = 'one'",
    'project',
    ['/acme/one', '/acme', `own ${API}`, `own ${ONE}`],
    ['/acme/two', `own ${TWO}`, `ofTwo ${API}`],
    [`ofTwo ${ONE}`],
  ],
  [
    "UPDATE revision SET snapshot = '7' WHERE project = 'one'",
    'revision',
    ['/acme/one', '/acme'],
    ['/acme/two', `own ${TWO}`],
  ],
  [
    "UPDATE project SET updated_at = -1 WHERE id = 'secret'",
    'project',
    [
      'own /acme/secret',
      'person /acme/secret',
      'person /acme',
      'own /acme/secret/-/css',
      `own ${SECRET}`,
      `own ${API}`,
    ],
    ['/acme/two', 'person /acme/two', '/acme', `ofTwo ${API}`, 'personOfTwo /acme'],
    ['/acme/secret', '/acme/secret/-/css', 'ofTwo /acme/secret', `ofTwo ${SECRET}`, 'personOfTwo /acme/secret'],
  ],
  [
    "UPDATE project SET published_visibility = 'secret' WHERE id = 'one'",
    'project',
    ['own /acme/one', `own ${ONE}`, `own ${API}`],
    ['/acme/two', '/acme', `ofTwo ${API}`],
    ['/acme/one', 'ofTwo /acme/one', `ofTwo ${ONE}`],
  ],
  [
    "UPDATE project SET source = '{', edit = 'x https://example.com/{path}' WHERE id = 'one'",
    'project',
    ['/acme/one'],
    ['/acme/two', '/acme', `own ${API}`],
  ],
  ["UPDATE client SET projects = '{'", 'client', [`ofClient ${API}`], [`own ${API}`, '/acme/one']],
  [
    "INSERT INTO signin VALUES ('i', 'acme', 'https://login.example', '{', NULL, 1)",
    'signin',
    ['/-/signin?workspace=acme'],
    [`own ${API}`],
  ],
  ["UPDATE workspace SET theme = '{'", 'workspace', ['/acme/nothing'], ['own /acme/one', `own ${API}`]],
  ["INSERT INTO host VALUES ('host.test', 'acme', 'one', -1)", 'host', ['host.test /'], ['/acme/one', '/']],
  ["UPDATE signing_key SET public_jwk = 'x'", 'signing_key', [`own ${API}`], ['/acme/one', '/acme']],
]

for (const [engine, addressOf] of Object.entries(DATABASES))
  for (const [sql, table, fails, works, isUnknown = []] of DAMAGES)
    test(`${engine}: after ${sql}, a service starts, only what needs the row gets 500, and the log names table and row`, async () => {
      const { database, errors, start, ...headers } = await prepare(await addressOf())
      await database.run(sql)
      const { ask, readyz } = await start()
      const all = { ...headers, 'host.test': { host: 'host.test' } }
      const headersOf = new Map<string | undefined, Record<string, string>>(Object.entries(all))
      const replyTo = (asked: Asked) => {
        const [path = '', by] = asked.split(' ').reverse()
        return ask(path, headersOf.get(by))
      }
      const row =
        table === 'signing_key' ? /the signing key \w+ is damaged/ : new RegExp(`the row .+ of the table ${table} `)
      for (const asked of works) assert.equal((await replyTo(asked)).status, 200, asked)
      for (const asked of isUnknown) {
        const reply = await replyTo(asked)
        assert.deepEqual([asked, reply], [asked, await replyTo(asked.replace(/one|secret/, 'nothing'))])
        assert.equal(reply.status, 404)
        assert.match(errors.join('\n'), row)
      }
      for (const asked of fails) assert.equal((await replyTo(asked)).status, 500, asked)
      assert.match(errors.join('\n'), row)
      await until(async () => (await readyz()) === 'degraded: database')
    })

test('a running service obeys revocations after rows were damaged, and answers again once they are repaired', async () => {
  const { database, start, own } = await prepare()
  const { ask, revoke, readyz } = await start()
  const status = async (path: string, headers: Record<string, string>) => (await ask(path, headers)).status
  assert.equal(await status(API, own), 200)
  const [sql = ''] = DAMAGES[0] ?? []
  await database.run(sql)
  await database.run("UPDATE client SET projects = '{'")
  await database.run("INSERT INTO change (number, workspace) SELECT MAX(number) + 1, 'acme' FROM change")
  await until(async () => (await status(API, own)) === 500)
  await database.run("UPDATE project SET published_revisions = 'private' WHERE id = 'one'")
  await database.run('UPDATE client SET projects = NULL')
  await database.run("INSERT INTO change (number, workspace) SELECT MAX(number) + 1, 'acme' FROM change")
  await until(async () => (await status(API, own)) === 200)
  await until(async () => (await readyz()) === 'ready')
  await database.run(sql)
  await revoke()
  await until(async () => (await status(API, own)) === 401)
})
