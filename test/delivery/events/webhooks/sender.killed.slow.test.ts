import assert from 'node:assert/strict'
import test from 'node:test'
import { secretOpener } from '#delivery/events/webhooks/attempt.ts'
import { webhookOutbox } from '#delivery/events/webhooks/sender.ts'
import { createWebhook, deliveryStates } from '#delivery/events/webhooks/webhooks.ts'
import { openMetrics } from '#platform/telemetry/metrics.ts'
import { unwrap } from '#program/cli/failure.ts'
import { MAIN } from '../../../program/cli/housestyle.ts'
import { makeCertificate, OPENSSL, trustCertificate } from '../../../support/certificate.ts'
import { serveIn } from '../../../support/command.ts'
import { silent } from '../../../support/service.ts'
import { accessTo, temporaryStore } from '../../../support/temporary-store.ts'
import { until } from '../../../support/until.ts'
import { localDeliverer, startReceiver, verifyMessage } from '../../../support/webhook-receiver.ts'

test('no message is lost if a service is killed before or after sending it', OPENSSL, async () => {
  const certificate = await makeCertificate('IP:127.0.0.1')
  trustCertificate(certificate)
  const receiver = await startReceiver(certificate)
  const { store, data, importing, publish } = await temporaryStore()
  await importing('acme', { 'guide/pages/index.md': '# One\n' })
  const named = { workspace: 'acme', project: undefined, url: receiver.url }
  const webhook = unwrap(await createWebhook(accessTo(store), named, new Date()))
  const start = () =>
    serveIn({ NODE_EXTRA_CA_CERTS: certificate.path }, MAIN, '--data', data, '--outgoing-allow', '127.0.0.0/8')
  const first = await start()
  process.kill(first.pid, 'SIGSTOP')
  await publish('acme/guide')
  process.kill(first.pid, 'SIGKILL')
  assert.equal(receiver.received.length, 0)
  const { promise: never } = Promise.withResolvers<{ status: number }>()
  receiver.reply = () => never
  const second = await start()
  await until(() => receiver.received.length === 1)
  process.kill(second.pid, 'SIGKILL')
  receiver.reply = () => ({ status: 204 })
  const sender = webhookOutbox({
    database: store.database,
    clock: () => Date.now() + 60_000,
    deliver: localDeliverer(),
    openSecret: secretOpener(undefined),
    log: silent,
    metrics: openMetrics(),
    reporter: () => ({ failed: error => assert.fail(String(error)), worked: () => undefined }),
  })
  const deliveries = async () => unwrap(await deliveryStates(store.database, webhook.id, false))
  await until(async () => (await deliveries())[0]?.state === 'delivered')
  await sender.stop()
  const [before, after, ...others] = receiver.received
  assert.ok(before && after)
  assert.deepEqual(others, [])
  assert.equal(after.body, before.body)
  assert.equal(after.headers['webhook-id'], before.headers['webhook-id'])
  assert.equal(verifyMessage(after, webhook.secret).data.project, 'guide')
})
