import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { housestyle } from '../../../program/cli/housestyle.ts'
import { serveIn } from '../../../support/command.ts'
import { freePort } from '../../../support/free-port.ts'
import { REDIS, startRedis } from '../../../support/redis.ts'
import { SMALL_BRAND, temporaryStore } from '../../../support/temporary-store.ts'
import { until } from '../../../support/until.ts'
import { askWithoutPause, assertWindows } from './windows.ts'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const bin = join(root, 'bin/housestyle.js')

const temporary = await temporaryStore()
const { data } = temporary
await temporary.publishing('acme/guidelines', SMALL_BRAND)
const headers = { authorization: `Bearer ${(await temporary.issue('acme')).token}` }

test('two services under constant load together allow exactly the rate', REDIS, async t => {
  const rate = { requests: 20, seconds: 1 }
  const redis = await startRedis()
  t.after(redis.stop)
  const settings = ['--data', data, '--limits', redis.url, '--rate', `${rate.requests}/${rate.seconds}`]
  const start = () => serveIn({ HOUSESTYLE_LOG: 'debug' }, bin, ...settings)
  const services = await Promise.all([start(), start()])
  t.after(() => Promise.all(services.map(each => each.stop())))
  // A service that still loads code answers with pauses.
  for (const { logged } of services) await until(() => logged().includes('the code of all requests is loaded'))
  const clients = services.map(({ baseUrl }) =>
    askWithoutPause(2, 2500, async () => {
      const reply = await fetch(`${baseUrl}/workspace/acme`, { headers })
      await reply.arrayBuffer()
      assert.match(`${reply.status} ${reply.headers.get('retry-after')}`, /^200 null$|^429 1$/)
      return reply.status === 200
    }),
  )
  assertWindows(rate, await Promise.all(clients))
  for (const { url } of services)
    assert.match(await (await fetch(`${url}/metrics`)).text(), /^housestyle_limit_shared 1$/m)
})

test('only a service with a shared limit loads the code for sharing', () => {
  const script = `
    import { registerHooks } from 'node:module'
    const urls = []
    registerHooks({ load: (url, context, next) => (urls.push(url), next(url, context)) })
    const { startService } = await import('./src/program/compose/compose.ts')
    const { withStore } = await import('./src/program/compose/store.ts')
    const { readSettings } = await import('./src/platform/settings/settings.ts')
    const log = { error() {}, warn() {}, info() {}, debug() {} }
    for (const limits of ['', 'redis://127.0.0.1:1']) {
      const flags = { data: ${JSON.stringify(data)}, limits, port: '0' }
      const settings = readSettings({ flags, environment: {}, file: {}, trust: [], readSecret: String })
      await withStore(settings, async store => (await startService(settings, store, log)).stop())
      console.log(urls.some(url => url.includes('/ioredis/')))
    }`
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: root, timeout: 300_000 })
  assert.equal(printed.toString(), 'false\ntrue\n')
})

/** Starts a cluster of two nodes, each with half of the slots. */
async function startCluster(t: { after: (end: () => Promise<unknown>) => void }) {
  const args = ['--cluster-enabled', 'yes', '--cluster-config-file', 'nodes.conf']
  const ports = [await clusterPort(), await clusterPort()]
  const nodes = await Promise.all(ports.map(port => startRedis({ port, args })))
  t.after(() => Promise.all(nodes.map(node => node.stop())))
  const ask = (port: number | undefined, ...words: string[]) =>
    execFileSync('redis-cli', ['-p', `${port}`, 'cluster', ...words], { encoding: 'utf8' })
  ask(ports[0], 'addslotsrange', '0', '8191')
  ask(ports[1], 'addslotsrange', '8192', '16383')
  ask(ports[0], 'meet', '127.0.0.1', `${ports[1]}`)
  for (const port of ports) await until(async () => /cluster_state:ok/.test(ask(port, 'info')))
  return nodes
}

/** A port whose bus port, 10000 above it, exists, too. */
async function clusterPort(): Promise<number> {
  const port = await freePort()
  return port > 55_000 ? port - 20_000 : port
}

test('a service and doctor name a node of a cluster in the words of the server', REDIS, async t => {
  for (const { url } of await startCluster(t)) {
    const service = await serveIn({ HOUSESTYLE_LOG: 'info' }, bin, '--data', data, '--limits', url, '--rate', '5/60')
    t.after(service.stop)
    const said =
      /this process counts on its own; clusters are not supported: name a server or sentinels with --limits: MOVED \d+ 127\.0\.0\.1:\d+/
    await until(async () => said.test(service.logged()))
    assert.equal(await (await fetch(`${service.url}/readyz`)).text(), 'degraded: limits\n')
    const { status, stdout } = await housestyle(['doctor', '--data', data, '--limits', url, '--json'])
    assert.equal(status, 1)
    const [problem] = JSON.parse(stdout)
    assert.match(problem.message, /^cannot be used: MOVED \d+ /)
    assert.match(problem.fix, /^clusters are not supported: name a server or sentinels with --limits; /)
  }
})

test('doctor reports an eviction policy other than noeviction', REDIS, async t => {
  for (const policy of ['noeviction', 'allkeys-lru', 'volatile-ttl']) {
    const redis = await startRedis({ args: ['--maxmemory-policy', policy] })
    t.after(redis.stop)
    const { stdout } = await housestyle(['doctor', '--data', data, '--limits', redis.url, '--json'])
    const messages = JSON.parse(stdout).map(({ message }: { message: string }) => message)
    const wanted = policy === 'noeviction' ? [] : [`has the eviction policy ${policy}, so it may forget counts`]
    assert.deepEqual(messages, wanted)
  }
})

for (const [password, said] of [
  [undefined, 'NOAUTH'],
  ['wrong', 'WRONGPASS'],
] as const)
  test(`doctor gives the reason of the server: ${said}`, REDIS, async t => {
    const redis = await startRedis({ password: 'right' })
    t.after(redis.stop)
    const url = `redis://${password === undefined ? '' : `:${password}@`}127.0.0.1:${redis.port}`
    const { stdout } = await housestyle(['doctor', '--data', data, '--limits', url, '--json'])
    const [{ message, fix }] = JSON.parse(stdout)
    assert.ok(message.startsWith(`cannot be used: ${said} `), message)
    assert.match(fix, /^give the right user and password in --limits; /)
  })
