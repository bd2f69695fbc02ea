import assert from 'node:assert/strict'
import { join } from 'node:path'
import test from 'node:test'
import { openStore } from '#store/store.ts'
import { makeCertificate, OPENSSL, trustCertificate } from '#test/support/certificate.ts'
import { folderWith } from '#test/support/temporary.ts'
import { resultOf, runCommand } from '#test/support/temporary-store.ts'
import { startReceiver, verifyMessage } from '#test/support/webhook-receiver.ts'

const BRAND = { 'acme/guide/pages/index.md': '# Guide\n', 'acme/spring/pages/index.md': '# Spring\n' }

async function storeFolder(): Promise<string> {
  const folder = await folderWith(BRAND)
  await runCommand(folder, ['import', 'acme'])
  return folder
}

test('a webhook is created, listed, rotated and deleted; only create and rotate print a secret', async () => {
  const folder = await storeFolder()
  const address = 'https://hooks.example.com/brand?team=web'
  const { id, url, secret } = await resultOf(folder, ['webhook', 'create', 'acme', address])
  assert.match(id, /^[0-9a-f]{16}$/)
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  assert.equal(url, address)
  const limited = await resultOf(folder, ['webhook', 'create', 'acme', address, '--project', 'guide'])
  const [first, second] = await resultOf(folder, ['webhook', 'list', 'acme'])
  const { createdAt: _, ...fields } = first
  const untried = { tried: false, failingSince: null, disabledAt: null, disabledReason: null }
  assert.deepEqual(fields, { id, workspace: 'acme', project: null, url, ...untried })
  assert.equal(second.project, 'guide')
  const rotated = await resultOf(folder, ['webhook', 'rotate', id])
  assert.deepEqual(Object.keys(rotated), ['id', 'url', 'secret'])
  assert.notEqual(rotated.secret, secret)
  assert.deepEqual(await resultOf(folder, ['webhook', 'delete', limited.id]), { id: limited.id, done: true })
  const { out } = await runCommand(folder, ['webhook', 'list'])
  assert.equal(out, `${id}  acme  never tried  ${address}\n`)
})

test('create refuses an address that deliveries would refuse, and stores nothing', async () => {
  const folder = await storeFolder()
  const create = (url: string, allow: string) =>
    runCommand(folder, ['webhook', 'create', 'acme', url, '--json'], { HOUSESTYLE_OUTGOING_ALLOW: allow })
  const places = [
    ['https://localhost:8443/hook', '127.0.0.0/8'],
    ['https://receiver.localhost', '127.0.0.1'],
    ['https://LOCALHOST./', '127.0.0.1'],
    ['https://127.1/', '127.0.0.0/8'],
    ['https://0x0a140005/hook', '10.20.0.0/16'],
    ['https://169.254.169.254/latest', '169.254.0.0/16'],
    ['https://[::1]:8443/', '::1'],
    ['https://[fd00::7]/', 'fd00::/8'],
    ['https://[::ffff:192.168.1.9]/', '192.168.0.0/16'],
  ] as const
  for (const [url] of places) {
    const { exitCode, out, err } = await create(url, '172.16.0.0/12')
    assert.deepEqual([exitCode, out, JSON.parse(err).error], [2, '', 'webhook_url_invalid'], url)
    const text = JSON.parse(err).message
    assert.match(text, /cannot be a webhook: it is private, .* permit its network with --outgoing-allow/)
  }
  assert.deepEqual(await resultOf(folder, ['webhook', 'list']), [])
  for (const [url, network] of places) assert.equal((await create(url, network)).exitCode, 0, url)
})

test('deliveries lists the messages of a webhook, and replay makes one due again', async () => {
  const folder = await storeFolder()
  const { id } = await resultOf(folder, ['webhook', 'create', 'acme', 'https://hooks.example.com'])
  assert.deepEqual(await resultOf(folder, ['webhook', 'deliveries', id]), [])
  await runCommand(folder, ['publish', 'acme/guide'])
  const [message] = await resultOf(folder, ['webhook', 'deliveries', id])
  const { id: messageId, createdAt, nextAttemptAt, ...fields } = message
  assert.equal(nextAttemptAt, createdAt)
  const latest = { attemptedAt: null, status: null, problem: null }
  const expected = { type: 'project.published', workspace: 'acme', project: 'guide', state: 'waiting', attempts: 0 }
  assert.deepEqual(fields, { ...expected, ...latest })
  assert.deepEqual(await resultOf(folder, ['webhook', 'deliveries', id, '--failed']), [])
  const replayed = await resultOf(folder, ['webhook', 'replay', id, messageId])
  assert.deepEqual([replayed.id, replayed.state], [messageId, 'waiting'])
  const { exitCode, err } = await runCommand(folder, ['webhook', 'replay', id, 'x', '--json'])
  assert.deepEqual([exitCode, JSON.parse(err).error], [1, 'message_unknown'])
  const { out } = await runCommand(folder, ['webhook', 'deliveries', id])
  assert.match(out, /^[0-9a-f]{24} {2}project\.published {2}acme\/guide {2}.* {2}waiting, 0 attempts\n$/)
})

test('list shows which webhooks fail or are disabled, and a disabled one gets no replay', async () => {
  const folder = await storeFolder()
  const create = () => resultOf(folder, ['webhook', 'create', 'acme', 'https://hooks.example.com'])
  const [failing, gone, broken] = [await create(), await create(), await create()]
  const { database, close } = await openStore(join(folder, '.data'))
  const now = Date.now() - 60_000
  await database.run('UPDATE webhook SET failing_since = ? WHERE id = ?', now, failing.id)
  const disable = 'UPDATE webhook SET disabled_at = ?, disabled_reason = ? WHERE id = ?'
  await database.run(disable, now, 'gone', gone.id)
  await database.run(disable, now, 'failing', broken.id)
  await close()
  const { out } = await runCommand(folder, ['webhook', 'list'])
  assert.match(out, new RegExp(`^${failing.id}  acme  failing since .* \\(1 minute ago\\) `, 'm'))
  assert.match(out, new RegExp(`^${gone.id}  acme  disabled .* \\(1 minute ago\\): it answered 410 `, 'm'))
  assert.match(out, new RegExp(`^${broken.id}  acme  disabled .*: it only failed for five days `, 'm'))
  const { exitCode, err } = await runCommand(folder, ['webhook', 'replay', gone.id, 'x', '--json'])
  assert.deepEqual([exitCode, JSON.parse(err).error], [1, 'webhook_disabled'])
})

test('test sends a signed message and reports the reply', OPENSSL, async () => {
  const certificate = await makeCertificate('IP:127.0.0.1')
  trustCertificate(certificate)
  const receiver = await startReceiver(certificate)
  const folder = await storeFolder()
  const environment = { HOUSESTYLE_OUTGOING_ALLOW: '127.0.0.0/8', HOUSESTYLE_KEY_SECRET: 'a long enough key secret' }
  const { id, secret } = await resultOf(folder, ['webhook', 'create', 'acme', receiver.url], environment)
  const state = async () => /acme {2}(\w+ \w+|works) /.exec((await runCommand(folder, ['webhook', 'list'])).out)?.[1]
  assert.equal(await state(), 'never tried')
  const { milliseconds: _, ...result } = await resultOf(folder, ['webhook', 'test', id], environment)
  assert.equal(await state(), 'works')
  const [message] = receiver.received
  assert.ok(message)
  assert.deepEqual(verifyMessage(message, secret).data, { workspace: 'acme', webhook: id })
  const sent = { webhook: id, id: message.headers['webhook-id'] }
  assert.deepEqual(result, { ...sent, delivered: true, status: 204, problem: null })
  receiver.reply = () => ({ status: 503 })
  const failed = await runCommand(folder, ['webhook', 'test', id], environment)
  assert.deepEqual([failed.exitCode, failed.out, failed.err], [1, '', 'not delivered: answered 503\n'])
  assert.equal(await state(), 'failing since')
  const other = await resultOf(folder, ['webhook', 'create', 'acme', receiver.url], environment)
  await runCommand(folder, ['webhook', 'test', other.id], environment)
  const [, second] = await resultOf(folder, ['webhook', 'list'])
  assert.ok(second.tried && second.failingSince !== null)
  const refused = await runCommand(folder, ['webhook', 'test', id], {
    HOUSESTYLE_KEY_SECRET: 'a long enough key secret',
  })
  assert.match(refused.err, /^not delivered: cannot ask .*--outgoing-allow\n$/)
})
