import assert from 'node:assert/strict'
import { chownSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test, { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { commandsWith, housestyle, housestyleProcess, MAIN } from '../program/cli/housestyle.ts'
import { serve } from '../support/command.ts'
import { otherUser, startPostgres } from '../support/postgres.ts'
import { needs } from '../support/programs.ts'
import { startRelay } from '../support/relay.ts'
import { fillDisk, mountDisk } from '../support/small-disk.ts'
import { temporaryFolder, writeFolder } from '../support/temporary.ts'
import { until } from '../support/until.ts'

/* One service on a Postgres that is broken under load. The address has its user log in with a password, through a relay. */

const NEEDS_STANDBY = needs('postgres', 'pg_basebackup')
const PROJECT = '/beta/workspace/acme/project/guide'
const PAGES = 1000
/** The addresses that are requested once before any fault. */
const IN_MEMORY = ['/acme/guide', '/.well-known/jwks.json']
const QUIET = { env: { HOUSESTYLE_LOG: 'silent' } }

const stops: (() => Promise<unknown>)[] = []
after(async () => {
  for (const stop of stops.reverse()) await stop()
})
/** All tests share one service and its store. */
const place = NEEDS_STANDBY.skip ? undefined : await makePlace()

/** A fault of the server, and its repair. */
type Fault = {
  name: string
  begin: (place: Place) => Promise<() => Promise<void>>
  /** Whether the database is unreadable during the fault, which `/readyz` reports. */
  isDegraded: boolean
  /** Whether the connection to the server fails, and not the server. */
  isOnTheWay?: true
  /** The error message of commands during the fault, if they fail. */
  said?: RegExp
}

const END_CONNECTIONS = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'housestyle'"

const stopped =
  (signal: NodeJS.Signals) =>
  async ({ postgres }: Place) => {
    await postgres.kill(signal)
    return postgres.start
  }

const FAULTS: readonly Fault[] = [
  {
    name: 'is killed (-9)',
    begin: stopped('SIGKILL'),
    isDegraded: true,
    said: /no server is listening there; start the server/,
  },
  { name: 'is restarted (fast)', begin: stopped('SIGINT'), isDegraded: true, said: /no server is listening there/ },
  {
    name: 'is restarted (immediate)',
    begin: stopped('SIGQUIT'),
    isDegraded: true,
    said: /no server is listening there/,
  },
  {
    name: 'ends all connections',
    begin: async ({ postgres }) => {
      await postgres.query(END_CONNECTIONS)
      return async () => undefined
    },
    isDegraded: false,
  },
  {
    name: 'has no connection left',
    begin: async ({ postgres }) => {
      const taken: pg.Client[] = []
      for (;;) {
        const client = new pg.Client({
          host: '127.0.0.1',
          port: postgres.port,
          user: 'brand',
          password: 'first',
          database: 'brand',
        })
        client.on('error', () => undefined)
        try {
          await client.connect()
          taken.push(client)
        } catch {
          return async () => void (await Promise.all(taken.map(client => client.end())))
        }
      }
    },
    isDegraded: false,
    said: /all its connections are in use; close unused connections, raise max_connections/,
  },
  {
    name: 'can only be read',
    begin: async ({ postgres }) => {
      await postgres.query('ALTER DATABASE brand SET default_transaction_read_only = on')
      await postgres.query(END_CONNECTIONS)
      return async () => void (await postgres.query('ALTER DATABASE brand RESET default_transaction_read_only'))
    },
    isDegraded: false,
    said: /it is read-only now; name the primary/,
  },
  {
    name: 'has a full disk',
    begin: async ({ postgres, disk }) => {
      await postgres.query(`CREATE TABLESPACE small LOCATION '${disk}'`)
      await postgres.query('ALTER TABLE token SET TABLESPACE small', 'brand')
      fillDisk(join(disk, 'other'))
      const copy = "jsonb_populate_record(token, jsonb_build_object('jti', gen_random_uuid()::text))"
      const add = () => postgres.query(`INSERT INTO token SELECT (${copy}).* FROM token LIMIT 1`, 'brand')
      await assert.rejects(
        async () => {
          for (;;) await add()
        },
        { code: '53100' },
      )
      return () => rm(join(disk, 'other'))
    },
    isDegraded: false,
    said: /its disk is full; free some space there; the operation was undone/,
  },
  {
    name: 'has another password',
    begin: async ({ postgres, service }) => {
      await postgres.query("ALTER USER brand PASSWORD 'second'")
      // A connection that was logging in with the first one is ended as well.
      await until(async () => {
        await postgres.query(END_CONNECTIONS)
        return (await readyz(service.url)) === '200 degraded: database'
      })
      return async () => void (await postgres.query("ALTER USER brand PASSWORD 'first'"))
    },
    isDegraded: true,
    said: /it refuses the password of this user; give the current one in --database/,
  },
  {
    name: 'answers 50 ms late',
    begin: async ({ relay }) => {
      relay.onSent(piece => sleep(50, piece))
      return async () => relay.onSent()
    },
    isDegraded: false,
  },
  {
    name: 'does not answer',
    begin: async ({ relay }) => {
      const mended = Promise.withResolvers<void>()
      relay.onSent(piece => mended.promise.then(() => piece))
      return async () => {
        relay.onSent()
        mended.resolve()
      }
    },
    isDegraded: true,
    isOnTheWay: true,
    said: /it does not answer; check that the server runs/,
  },
]

for (const { name, begin, isDegraded, isOnTheWay, said } of FAULTS)
  test(`a Postgres that ${name} under load loses no reply from memory; others get 503 at once`, {
    skip: NEEDS_STANDBY.skip || (name === 'has a full disk' && needs('right to mount').skip),
  }, async t => {
    assert.ok(place)
    const { service, load } = place
    const replies = load()
    t.after(replies.stop)
    await replies.all(5)
    const mend = await begin(place)
    if (isDegraded) {
      await until(async () => (await readyz(service.url)) === '200 degraded: database')
      assert.deepEqual(await replies.refusal('page'), { status: 503, after: '1', error: 'temporarily_unavailable' })
      assert.deepEqual(await replies.refusal('token'), { status: 503, after: '1', error: 'temporarily_unavailable' })
      for (const path of IN_MEMORY) assert.equal((await fetch(service.url + path)).status, 200, path)
      const page = await fetch(`${service.url}/acme/guide/p0`, { headers: { accept: 'text/html' } })
      const found = [page.status, page.headers.get('retry-after'), page.headers.get('content-type')]
      assert.deepEqual(found, [503, '1', 'text/html; charset=utf-8'])
    }
    const ran = said && (await place.issue(isOnTheWay ? `${place.database}?connect_timeout=2` : place.direct))
    await replies.all(5)
    await mend()
    await until(async () => (await replies.status('token')) === 200 && (await readyz(service.url)) === '200 ready')
    await replies.all(5)
    const seen = await replies.stop()
    t.diagnostic(
      Object.entries(seen)
        .map(([kind, { byOutcome, slowestMs }]) => `${kind}: ${JSON.stringify(byOutcome)}, slowest ${slowestMs} ms`)
        .join('; '),
    )
    assert.deepEqual(Object.keys(seen.memory?.byOutcome ?? {}), ['200'])
    assert.deepEqual(Object.keys(seen.readyz?.byOutcome ?? {}), ['200'])
    for (const { byOutcome } of Object.values(seen)) {
      const unexpected = Object.keys(byOutcome).filter(outcome => !ALLOWED.includes(outcome))
      assert.deepEqual(unexpected, [])
    }
    if (said) {
      assert.match(ran?.stderr ?? '', said)
      assert.match(ran?.stderr ?? '', /^housestyle: [^\n]+\n$/)
      assert.doesNotMatch(ran?.stderr ?? '', /first/)
      assert.equal(ran?.status, 1)
    }
  })

const ALLOWED = ['200', '503 after 1']

test('a service logs one line for the start of each outage and one for its end', NEEDS_STANDBY, async () => {
  assert.ok(place)
  const { service } = place
  assert.equal(await service.stop(), 0)
  const lines = (await service.log).split('\n').flatMap(line => (line.startsWith('{') ? [JSON.parse(line)] : []))
  const outages = lines
    .filter(({ msg }) => /^(?:cannot read the database|the database can be read)/.test(msg))
    .map(({ msg }) => msg)
  for (const [at, msg] of outages.entries())
    assert.match(
      msg,
      at % 2 === 0
        ? /^cannot read the database; the service keeps answering from memory: /
        : /^the database can be read again$/,
    )
  const least = 2 * FAULTS.filter(fault => fault.isDegraded).length
  assert.ok(outages.length >= least && outages.length % 2 === 0, outages.join('\n'))
  assert.doesNotMatch(await service.log, /first|second/)
})

async function readyz(url: string): Promise<string> {
  const reply = await fetch(`${url}/readyz`)
  return `${reply.status} ${(await reply.text()).trim()}`
}

type Place = Awaited<ReturnType<typeof makePlace>>

async function makePlace() {
  const postgres = await startPostgres()
  stops.push(postgres.stop)
  await postgres.query("CREATE USER brand PASSWORD 'first'")
  await postgres.query('CREATE DATABASE brand OWNER brand')
  const { hba_file: hba } = (await postgres.query('SHOW hba_file')).rows[0]
  await writeFile(hba, `host all brand 127.0.0.1/32 scram-sha-256\n${await readFile(hba, 'utf8')}`)
  await postgres.query('SELECT pg_reload_conf()')
  const disk = await temporaryFolder()
  const unmount = needs('right to mount').skip ? undefined : mountDisk(disk)
  stops.push(async () => unmount?.())
  const user = otherUser()
  if (user) chownSync(disk, user.uid, user.gid)
  const relay = await startRelay(postgres.port)
  stops.push(relay.stop)
  const data = join(await temporaryFolder(), 'data')
  const addressAt = (port: number) => `postgres://brand:first@127.0.0.1:${port}/brand`
  const [database, direct] = [addressAt(relay.port), addressAt(postgres.port)]
  const store = ['--database', database, '--data', data]
  const run = commandsWith(...store)
  const folder = join(await temporaryFolder(), 'acme')
  const pages = Array.from({ length: PAGES }, (_, at) => [`guide/pages/p${at}.md`, `# Page ${at}\n`])
  await writeFolder(folder, { 'guide/project.yaml': 'name: Guide\nvisibility: public\n', ...Object.fromEntries(pages) })
  await run('import', folder)
  await run('publish', 'acme/guide')
  const token = (await run('token', 'issue', 'acme')).trim()
  const client = JSON.parse(await run('client', 'create', 'acme', '--json'))
  const service = await serve(MAIN, ...store, '--rate', 'off', '--ready-grace', '0s')
  stops.push(service.stop)
  for (const path of IN_MEMORY) await (await fetch(service.url + path)).arrayBuffer()
  const headers = { authorization: `Bearer ${token}` }
  await (await fetch(`${service.url}${PROJECT}/pages`, { headers })).arrayBuffer()
  let next = 1
  return {
    postgres,
    disk,
    relay,
    database,
    direct,
    service,
    /** Each page is requested only once, so none is in memory. */
    load: () => startLoad(service.url, { token, client, nextPage: () => next++ }),
    issue: (address: string) => housestyle(['token', 'issue', 'acme', '--database', address, '--data', data], QUIET),
  }
}

type Asking = { token: string; client: { client_id: string; client_secret: string }; nextPage: () => number }
type Seen = { byOutcome: Record<string, number>; slowestMs: number; count: number }

/** Clients that request replies in memory, other pages, tokens and `/readyz` until they are stopped. */
function startLoad(url: string, { token, client, nextPage }: Asking) {
  const headers = { authorization: `Bearer ${token}` }
  const body = new URLSearchParams({ grant_type: 'client_credentials', ...client })
  const asks = {
    memory: () => fetch(`${url}${PROJECT}/pages`, { headers }),
    page: () => fetch(`${url}${PROJECT}/page/p${nextPage()}`, { headers }),
    token: () => fetch(`${url}/oauth/token`, { method: 'POST', body }),
    readyz: () => fetch(`${url}/readyz`),
  }
  const seen: Record<string, Seen> = {}
  let isStopping = false
  const asking = async (name: string, ask: () => Promise<Response>) => {
    const own: Seen = { byOutcome: {}, slowestMs: 0, count: 0 }
    seen[name] = own
    for (; !isStopping; await sleep(50)) {
      const began = performance.now()
      const reply = await ask()
      await reply.arrayBuffer()
      own.slowestMs = Math.max(own.slowestMs, Math.round(performance.now() - began))
      const said = reply.status === 503 ? `503 after ${reply.headers.get('retry-after')}` : `${reply.status}`
      own.byOutcome[said] = (own.byOutcome[said] ?? 0) + 1
      own.count++
    }
  }
  const done = Object.entries(asks).map(([name, ask]) => asking(name, ask))
  return {
    /** Waits until each client has `count` more replies. */
    all: (count: number) => {
      const before = Object.entries(seen).map(([name, { count: had }]) => [name, had] as const)
      return until(async () => before.every(([name, had]) => (seen[name]?.count ?? 0) >= had + count))
    },
    status: async (kind: keyof typeof asks) => (await asks[kind]()).status,
    refusal: async (kind: keyof typeof asks) => {
      const reply = await asks[kind]()
      const { error }: { error?: string } = JSON.parse(await reply.text())
      return { status: reply.status, after: reply.headers.get('retry-after'), error }
    },
    stop: async () => {
      isStopping = true
      await Promise.all(done)
      return seen
    },
  }
}

/* A service runs while an older Postgres database takes the place of its database, at the same address. */

const NEEDS_OLDER = needs('postgres')
/** Runs commands on a store and serves it; `publish` publishes a page with this title, which `untilServed` waits for. */
async function storeAt(database: string) {
  const store = ['--database', database, '--data', join(await temporaryFolder(), 'data')]
  const folder = join(await temporaryFolder(), 'acme')
  const run = commandsWith(...store)
  const publish = async (title: string) => {
    const project = { 'guide/project.yaml': 'name: Guide\nvisibility: public\n' }
    await writeFolder(folder, { ...project, 'guide/pages/a.md': `# ${title}\n` })
    await run('import', folder)
    await run('publish', 'acme/guide')
  }
  const start = async () => {
    const service = await serve(MAIN, ...store, '--rate', 'off')
    stops.push(service.stop)
    const ask = async (path: string, token = '') => {
      const headers = token === '' ? {} : { authorization: `Bearer ${token}` }
      const reply = await fetch(service.url + path, { headers })
      return { status: reply.status, text: await reply.text() }
    }
    const statusOf = async (token: string) => (await ask('/beta/workspace/acme/project/guide/page/a', token)).status
    const untilServed = (title: string) => until(async () => (await ask('/acme/guide/a')).text.includes(title))
    /** Stops the service, and returns the level of each line about an older database. */
    const olderLines = async () => {
      await service.stop()
      const lines = (await service.log).split('\n').filter(line => line.includes('older'))
      return lines.map(line => JSON.parse(line).level)
    }
    return { ask, statusOf, untilServed, olderLines }
  }
  return { run, publish, start, store }
}

/** A standby that is as new as its primary, and receives no later changes. */
async function startStandbyLeftBehind(primary: Awaited<ReturnType<typeof startPostgres>>) {
  const standby = await primary.startStandby()
  stops.push(standby.stop)
  const receives = async (count: number) =>
    (await standby.query('SELECT 1 FROM pg_stat_wal_receiver')).rowCount === count
  await until(() => receives(1))
  await standby.query("ALTER SYSTEM SET primary_conninfo = ''")
  await standby.query('SELECT pg_reload_conf()')
  await until(() => receives(0))
  return standby
}

test('a service serves what a restored backup has, and obeys new ends and publications', NEEDS_OLDER, async () => {
  const postgres = await startPostgres()
  stops.push(postgres.stop)
  const { run, publish, start } = await storeAt(await postgres.newDatabase())
  await publish('One')
  const { token, jti } = JSON.parse(await run('token', 'issue', 'acme', '--json'))
  await postgres.query('CREATE DATABASE backup TEMPLATE store1')
  for (const title of ['Two', 'Three', 'Four']) await publish(title)
  const { ask, statusOf, untilServed, olderLines } = await start()
  await untilServed('Four')
  assert.equal(await statusOf(token), 200)

  await postgres.query('ALTER DATABASE store1 ALLOW_CONNECTIONS false')
  await postgres.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'store1'")
  await postgres.query('ALTER DATABASE store1 RENAME TO lost')
  await postgres.query('ALTER DATABASE backup RENAME TO store1')
  await untilServed('One')
  await until(async () => (await statusOf(token)) === 200)
  await run('token', 'revoke', jti)
  await until(async () => (await statusOf(token)) === 401)
  await publish('Five')
  await untilServed('Five')
  assert.equal((await ask('/readyz')).text, 'ready\n')
  assert.deepEqual(await olderLines(), [40])
})

test('a late standby brings back no revoked token until it is promoted', NEEDS_STANDBY, async () => {
  const primary = await startPostgres()
  stops.push(primary.stop)
  const { pathname } = new URL(await primary.newDatabase())
  const relay = await startRelay(primary.port)
  stops.push(relay.stop)
  const { run, publish, start } = await storeAt(`postgres://postgres@127.0.0.1:${relay.port}${pathname}`)
  await publish('One')
  const { token, jti } = JSON.parse(await run('token', 'issue', 'acme', '--json'))
  const standby = await startStandbyLeftBehind(primary)
  await run('token', 'revoke', jti)
  await publish('Two')
  const { ask, statusOf, untilServed, olderLines } = await start()
  await untilServed('Two')
  assert.equal(await statusOf(token), 401)

  await primary.kill('SIGKILL')
  relay.switchTo(standby.port)
  await until(async () => (await ask('/readyz')).text === 'degraded: database\n')
  const connections = relay.connections()
  for (let status = 401; relay.connections() < connections + 5; status = await statusOf(token))
    assert.equal(status, 401)
  assert.match((await ask('/acme/guide/a')).text, /Two/)
  await standby.query('SELECT pg_promote()')
  await untilServed('One')
  await until(async () => (await statusOf(token)) === 200)
  await run('token', 'revoke', jti)
  await until(async () => (await statusOf(token)) === 401)
  assert.deepEqual(await olderLines(), [40])
})

test('a token that was revoked on the new primary before a service reached it is refused', NEEDS_STANDBY, async () => {
  const primary = await startPostgres()
  stops.push(primary.stop)
  const { pathname } = new URL(await primary.newDatabase())
  const relay = await startRelay(primary.port)
  stops.push(relay.stop)
  const { run, publish, start } = await storeAt(`postgres://postgres@127.0.0.1:${relay.port}${pathname}`)
  await publish('One')
  const { token, jti } = JSON.parse(await run('token', 'issue', 'acme', '--json'))
  const other = JSON.parse(await run('token', 'issue', 'acme', '--json'))
  const standby = await startStandbyLeftBehind(primary)
  await run('token', 'revoke', other.jti)
  const { statusOf } = await start()
  assert.deepEqual([await statusOf(token), await statusOf(other.token)], [200, 401])

  await primary.kill('SIGKILL')
  await standby.query('SELECT pg_promote()')
  const database = pathname.slice(1)
  await standby.query(`UPDATE token SET revoked_at = issued_at WHERE jti = '${jti}'`, database)
  await standby.query('INSERT INTO change (number) SELECT MAX(number) + 1 FROM change', database)
  relay.switchTo(standby.port)
  await until(async () => (await statusOf(token)) === 401)
  await until(async () => (await statusOf(other.token)) === 200)
})

/* A primary and a standby that follows it, both named in one address. */

test('after a Postgres failover, a service uses the new primary and has every revision', NEEDS_STANDBY, async t => {
  const primary = await startPostgres()
  stops.push(primary.stop)
  const { pathname } = new URL(await primary.newDatabase())
  const standby = await primary.startStandby()
  stops.push(standby.stop)
  const database = `postgres://postgres@127.0.0.1:${standby.port},127.0.0.1:${primary.port}${pathname}?target_session_attrs=read-write`
  const { run, publish, start, store } = await storeAt(database)
  await publish('Revision 1')
  const token = (await run('token', 'issue', 'acme')).trim()
  const { ask, untilServed } = await start()
  await publish('Revision 2')
  await untilServed('Revision 2')

  const seen: Record<number, number> = {}
  const stopping = new AbortController()
  const asking = (async () => {
    for (; !stopping.signal.aborted; await sleep(20)) {
      const { status } = await ask(PROJECT, token)
      seen[status] = (seen[status] ?? 0) + 1
    }
  })()
  // A busy machine may refuse the first requests.
  await until(() => seen[200] !== undefined)
  delete seen[503]
  const { lsn } = (await primary.query('SELECT pg_current_wal_lsn()::text AS lsn')).rows[0]
  await until(async () => {
    const { rows } = await standby.query(`SELECT pg_last_wal_replay_lsn() >= '${lsn}' AS is_there`)
    return rows[0].is_there
  })
  const began = performance.now()
  await primary.kill('SIGKILL')
  await until(async () => (await ask('/readyz')).text === 'degraded: database\n')
  const refused = await housestyleProcess(['publish', 'acme/guide', ...store])
  assert.equal(refused.status, 1)
  assert.match(
    refused.stderr,
    /^housestyle: [^\n]*it is read-only now; [^\n]*no server is listening there; start the server[^\n]*\n$/,
  )
  // The new primary may be older, so tokens are refused with 503 until the service has read it.
  stopping.abort()
  await asking
  t.diagnostic(`without a database: ${JSON.stringify(seen)}`)
  assert.deepEqual(Object.keys(seen), ['200'])
  await standby.query('SELECT pg_promote()')
  await until(async () => (await ask('/readyz')).text === 'ready\n')
  t.diagnostic(`ready again ${Math.round(performance.now() - began)} ms after the primary was killed`)
  await publish('Revision 3')
  await untilServed('Revision 3')
  assert.match((await ask(`${PROJECT}/page/a`, token)).text, /Revision 3/)
  const history = JSON.parse(await run('history', 'acme/guide', '--json'))
  const revisions = history.map(({ revision }: { revision: number }) => revision)
  assert.deepEqual(revisions, [3, 2, 1])
})

test('a service that starts while Postgres is unavailable logs that once and waits', NEEDS_STANDBY, async () => {
  const postgres = await startPostgres()
  stops.push(postgres.stop)
  const address = new URL(await postgres.newDatabase())
  const relay = await startRelay(postgres.port)
  stops.push(relay.stop)
  address.port = `${relay.port}`
  await postgres.kill('SIGINT')
  const starting = serve(MAIN, '--database', address.href, '--data', join(await temporaryFolder(), 'data'))
  await until(() => relay.connections() >= 2)
  await postgres.start()
  const service = await starting
  assert.equal(await (await fetch(`${service.url}/readyz`)).text(), 'ready\n')
  assert.equal(await service.stop(), 0)
  const said = (await service.log).split('\n').filter(line => line.includes('waits up to 30 seconds for its database'))
  assert.equal(said.length, 1)
  assert.match(said[0] ?? '', /the connection was lost; /)
})

test('a service with a wrong database address ends with advice, and shows no password', NEEDS_STANDBY, async () => {
  const ran = await housestyleProcess([
    'serve',
    '--database',
    'postgres://brand:sesame@127.0.0.1:1/x?sslrootcert=/none',
    '--data',
    await temporaryFolder(),
  ])
  assert.equal(ran.status, 1)
  assert.match(ran.stderr, /^housestyle: [^\n]*a file that --database names cannot be read[^\n]*\n$/)
  assert.doesNotMatch(ran.stderr, /sesame/)
})
