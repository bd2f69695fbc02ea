import assert from 'node:assert/strict'
import { execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import test from 'node:test'
import { promisify } from 'node:util'
import { openRedisClient } from '#serving/access/limit/limit-redis.ts'
import { freePort } from '../../../support/free-port.ts'
import { needs } from '../../../support/programs.ts'
import { limitsAt, startRedis, startSentinel } from '../../../support/redis.ts'
import { temporaryFolder } from '../../../support/temporary.ts'

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
