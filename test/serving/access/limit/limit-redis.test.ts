import assert from 'node:assert/strict'
import { execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import test, { after, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Redis } from 'ioredis'
import type { Rate } from '#serving/access/limit/limit-memory.ts'
import { openRedisClient, openRedisLimit } from '#serving/access/limit/limit-redis.ts'
import { freePort } from '../../../support/free-port.ts'
import { needs } from '../../../support/programs.ts'
import { limitsAt, type RedisServer, startRedis, startSentinel } from '../../../support/redis.ts'
import { temporaryFolder } from '../../../support/temporary.ts'
import { until } from '../../../support/until.ts'
import { limitSuite } from './limit-suite.ts'

const options = needs('redis-server')
let server: Promise<RedisServer> | undefined
let databases = 0
after(async () => (await server)?.stop())

/** Returns the address of an empty database. */
async function emptyDatabase(): Promise<string> {
  server ??= startRedis({ args: ['--databases', '64'] })
  const { url } = await server
  return `${url}/${databases++}`
}

limitSuite(options, async (rate, after) => {
  const limit = await openRedisLimit(rate, limitsAt(await emptyDatabase()))
  after(limit.close)
  return limit
})

/** Opens an unused limit, and a connection that sees its keys. */
async function open(t: TestContext, rate: Rate) {
  const address = await emptyDatabase()
  const limit = await openRedisLimit(rate, limitsAt(address))
  const redis = new Redis(address)
  t.after(limit.close)
  t.after(() => redis.disconnect())
  return { limit, redis, address }
}

test('a key has the prefix, contains only times, and expires', options, async t => {
  const { limit, redis } = await open(t, { requests: 2, seconds: 60 })
  for (let request = 0; request < 3; request++) await limit.spend('acme', 0)
  await limit.probe()
  await sleep(5)
  assert.deepEqual(await redis.keys('*'), ['housestyle:limit:60:acme'])
  const times = await redis.lrange('housestyle:limit:60:acme', 0, -1)
  assert.equal(times.length, 2)
  for (const time of times) assert.match(time, /^\d{16}$/)
  const leftMs = await redis.pttl('housestyle:limit:60:acme')
  assert.ok(leftMs > 0 && leftMs <= 60_002)
  const short = await open(t, { requests: 2, seconds: 1 })
  await short.limit.spend('acme', 0)
  await until(async () => (await short.redis.keys('*:1:acme')).length === 0)
})

test('a server that has lost the script gets it again', options, async t => {
  const { limit, redis } = await open(t, { requests: 3, seconds: 60 })
  await limit.spend('acme', 0)
  await redis.script('FLUSH')
  const answers = await Promise.all([limit.spend('acme', 0), limit.spend('acme', 0), limit.spend('acme', 0)])
  assert.deepEqual(answers.map(({ isAllowed }) => isAllowed).sort(), [false, true, true])
})

test('processes with two rates share a counter for windows of the same length', options, async t => {
  const { limit: wide, address } = await open(t, { requests: 4, seconds: 60 })
  const narrow = await openRedisLimit({ requests: 2, seconds: 60 }, limitsAt(address))
  t.after(narrow.close)
  for (let request = 0; request < 3; request++) await wide.spend('acme', 0)
  assert.deepEqual(await narrow.spend('acme', 0), { isAllowed: false, remaining: 0, resetSeconds: 60 })
  assert.deepEqual(await wide.spend('acme', 0), { isAllowed: true, remaining: 0, resetSeconds: 60 })
})

for (const [sentence, aheadSeconds, isAllowed, resetSeconds] of [
  ['a small backward step of the server clock does not shorten a window', 30, false, 90],
  ['earlier requests no longer count after the server clock goes back by more than a window', 61, true, 60],
] as const) {
  test(sentence, options, async t => {
    const { limit, redis } = await open(t, { requests: 1, seconds: 60 })
    await redis.rpush('housestyle:limit:60:acme', (Date.now() + aheadSeconds * 1000) * 1000)
    const answer = await limit.spend('acme', 0)
    assert.deepEqual(answer, { isAllowed, remaining: 0, resetSeconds })
  })
}

test(
  'rediss uses TLS for a server and sentinels, if their certificate is trusted',
  needs('redis-server', 'openssl'),
  async t => {
    const folder = await temporaryFolder()
    const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
    const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1']
    const names = ['-subj', '/CN=cache.test', '-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost']
    await promisify(execFile)('openssl', [...made, ...names, '-keyout', key, '-out', certificate])
    const files = ['--tls-cert-file', certificate, '--tls-key-file', key, '--tls-ca-cert-file', certificate]
    const encrypted = (port: number) => [...files, '--tls-auth-clients', 'no', '--port', '0', '--tls-port', `${port}`]
    const [serverPort, port] = [await freePort(), await freePort()]
    const server = await startRedis({ port: serverPort, args: encrypted(serverPort) })
    t.after(server.stop)
    const watching = [`sentinel monitor main 127.0.0.1 ${server.port} 1`]
    const sentinel = await startSentinel(port, watching, [...encrypted(port), '--tls-replication', 'yes'])
    t.after(sentinel.stop)

    for (const address of [`rediss://localhost:${server.port}`, `rediss+sentinel://127.0.0.1:${port}/main/1`]) {
      const spend = async (environment: NodeJS.ProcessEnv) => {
        const client = fork(CLIENT, [address, '3', '60', '50'], {
          env: { ...process.env, ...environment },
          silent: true,
        })
        const complaint = client.stderr ? text(client.stderr) : ''
        const [seen] = await Promise.race([once(client, 'message'), once(client, 'exit')])
        return { allowed: seen?.allowed?.length, complaint }
      }
      assert.equal((await spend({ NODE_EXTRA_CA_CERTS: certificate })).allowed, 3, address)
      assert.match(
        await (await spend({})).complaint,
        /self-signed certificate|Connection is closed|no connection could be made/,
        address,
      )
    }
  },
)

const CLIENT = `${import.meta.dirname}/limit-client.ts`

test('each kind of address reports the reason why a command fails', needs('redis-server'), async t => {
  const server = await startRedis()
  t.after(server.stop)
  const sentinelPort = await freePort()
  const config = [`sentinel monitor main 127.0.0.1 ${server.port} 1`, 'requirepass watch3r']
  const sentinel = await startSentinel(sentinelPort, config)
  t.after(sentinel.stop)
  const closed = await freePort()
  const reasons = [
    [`redis://127.0.0.1:${closed}`, /^connect ECONNREFUSED/],
    [`redis://127.0.0.1:${server.port}/9999`, /DB index is out of range/],
    [`redis+sentinel://127.0.0.1:${closed}/main`, new RegExp(`sentinel 127.0.0.1:${closed}`)],
    [`redis+sentinel://127.0.0.1:${sentinelPort}/main`, /NOAUTH/],
    [`redis+sentinel://127.0.0.1:${sentinelPort}/main?sentinel_password=s3cret`, /WRONGPASS/],
    [`redis+sentinel://127.0.0.1:${sentinelPort}/other?sentinel_password=watch3r`, /No such master with that name/],
  ] as const
  const reasonFor = async ([address, reason]: (typeof reasons)[number]) => {
    const client = await openRedisClient(limitsAt(address))
    const answer = client.evaluate({ text: 'return 1', digest: 'e0e1f9fabfc9d4800c877a703b823ac0578ff8db' }, 'key', [])
    await assert.rejects(answer, ({ message }) => reason.test(message) && !/s3cret/.test(message), address)
    client.close()
  }
  await Promise.all(reasons.map(reasonFor))
})
