import assert from 'node:assert/strict'
import { Agent, request } from 'node:http'
import { test } from 'node:test'
import { runningService } from '../../support/running.ts'
import { SMALL_BRAND } from '../../support/small-brand.ts'
import { temporaryStore } from '../../support/temporary-store.ts'

const [REQUESTS, SECONDS] = [40, 2]
const WINDOW_MS = SECONDS * 1000
/** How long the client asks: three windows and a half, so that four times as many requests as the rate has are allowed. */
const ASKING_MS = 3.5 * WINDOW_MS

type Answer = { status: number; sent: number; received: number }

const temporary = await temporaryStore()
await temporary.importing('acme', SMALL_BRAND)
await temporary.publish('acme/guidelines')
const { token } = await temporary.issue('acme')
const { token: expired } = await temporary.issue('acme', { now: new Date(Date.now() - 7_200_000) })
const { port } = await runningService(temporary, { rate: `${REQUESTS}/${SECONDS}` })

test('no window holds more than the rate, and a client without pause gets at least 99 % of it', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const counted: Answer[] = []
  const start = performance.now()
  for (let turn = 0; performance.now() - start < ASKING_MS; turn++) {
    counted.push(await ask(agent, turn % 2 === 0 ? 'GET' : 'HEAD', token))
    assert.equal((await ask(agent, 'OPTIONS', token)).status, 204)
    assert.equal((await ask(agent, 'GET', expired)).status, 401)
  }
  agent.destroy()
  const allowed = counted.filter(({ status }) => status !== 429)
  assert.ok(allowed.every(({ status }) => status === 200))
  assert.ok(counted.length > 2 * allowed.length, 'the client was slower than the rate')
  // Each was allowed after it was sent and before it was received, so this holds however busy the machine was.
  for (const [at, { sent }] of allowed.entries()) {
    const next = allowed[at + REQUESTS]
    if (next) assert.ok(next.received - sent >= WINDOW_MS, `${REQUESTS + 1} within ${next.received - sent} ms`)
  }
  const windows = Math.ceil(ASKING_MS / WINDOW_MS)
  assert.ok(allowed.length >= 0.99 * windows * REQUESTS, `${allowed.length} of ${windows * REQUESTS}`)
})

function ask(agent: Agent, method: string, bearer: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = performance.now()
    const headers = { authorization: `Bearer ${bearer}` }
    const options = { port, host: '127.0.0.1', path: '/beta/workspace/acme', method, agent, headers }
    const outgoing = request(options, reply => {
      reply.resume()
      reply.once('end', () => resolve({ status: reply.statusCode ?? 0, sent, received: performance.now() }))
    })
    outgoing.once('error', reject)
    outgoing.end()
  })
}
