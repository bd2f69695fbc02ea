import assert from 'node:assert/strict'
import { Agent, request } from 'node:http'
import { test } from 'node:test'
import { runningService } from '../../../support/running.ts'
import { SMALL_BRAND } from '../../../support/small-brand.ts'
import { publishedStore } from '../../../support/temporary-store.ts'
import { askWithoutPause, assertWindows } from './windows.ts'

/** Even a client on a busy machine is faster than this. */
const [REQUESTS, SECONDS] = [4, 1]
/** The duration of the client's requests: three windows and a half. */
const ASKING_MS = 3500 * SECONDS

const temporary = await publishedStore('acme/guidelines', SMALL_BRAND)
const { token } = await temporary.issue('acme')
const { token: expired } = await temporary.issue('acme', { now: new Date(Date.now() - 7_200_000) })
const { port } = await runningService(temporary, { rate: `${REQUESTS}/${SECONDS}` })

test('every window holds exactly the rate for a client without pauses; other requests do not count', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const statuses: number[] = []
  const seen = await askWithoutPause(1, ASKING_MS, async () => {
    assert.equal(await ask(agent, 'OPTIONS', token), 204)
    assert.equal(await ask(agent, 'GET', expired), 401)
    const status = await ask(agent, statuses.length % 2 === 0 ? 'GET' : 'HEAD', token)
    statuses.push(status)
    return status === 200
  })
  agent.destroy()
  assert.deepEqual(new Set(statuses), new Set([200, 429]))
  assertWindows({ requests: REQUESTS, seconds: SECONDS }, [seen])
})

function ask(agent: Agent, method: string, bearer: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${bearer}` }
    const options = { port, host: '127.0.0.1', path: '/beta/workspace/acme', method, agent, headers }
    const outgoing = request(options, reply => {
      reply.resume()
      reply.once('end', () => resolve(reply.statusCode ?? 0))
    })
    outgoing.once('error', reject)
    outgoing.end()
  })
}
