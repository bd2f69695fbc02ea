import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import test from 'node:test'
import { MAIN } from '../../program/cli/housestyle.ts'
import { freePort } from '../../support/free-port.ts'
import { issuerKey } from '../../support/issuer-server.ts'
import { localServer } from '../../support/local-server.ts'
import { SMALL_BRAND, temporaryStore } from '../../support/temporary-store.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT = `00-${TRACE}-00f067aa0ba902b7-01`

test('only the log lines of its request contain a trace, and it is sent to the issuer whose keys are read', async t => {
  const temporary = await temporaryStore()
  await temporary.importing('acme', SMALL_BRAND)
  const asked: object[] = []
  const issuer = await localServer((request, response) => {
    const { traceparent, tracestate } = request.headers
    asked.push({ url: request.url, traceparent, tracestate })
    response.end(JSON.stringify({ issuer: issuer.url, jwks_uri: `${issuer.url}/jwks`, keys: [] }))
  })
  const port = await freePort()
  const args = ['serve', '--data', temporary.data, '--port', `${port}`, '--json', '--trust', `${issuer.url}=acme`]
  const child = spawn(process.execPath, [MAIN, ...args, '--public-url', 'https://brand.test'], { stdio: 'pipe' })
  t.after(() => child.kill('SIGKILL'))
  await once(createInterface({ input: child.stdout }), 'line')
  const lines = createInterface({ input: child.stderr })[Symbol.asyncIterator]()
  const key = await issuerKey('unknown')
  const token = await key.sign({
    iss: issuer.url,
    aud: 'https://brand.test/beta',
    client_id: 'a',
    jti: '1',
    iat: 1,
    sub: 'a',
  })
  const ask = async (headers: Record<string, string>) => {
    const reply = await fetch(`http://127.0.0.1:${port}/beta/workspace/acme`, {
      headers: { authorization: `Bearer ${token}`, ...headers },
    })
    assert.equal(reply.status, 401)
    const { event, traceId } = JSON.parse((await lines.next()).value ?? assert.fail('the log ends'))
    return { event, traceId }
  }
  assert.deepEqual(await ask({ traceparent: PARENT, tracestate: 'a=1' }), { event: 'token-refused', traceId: TRACE })
  assert.deepEqual(await ask({}), { event: 'token-refused', traceId: undefined })
  assert.deepEqual(await ask({ traceparent: `${PARENT}-more` }), { event: 'token-refused', traceId: undefined })
  const traceFields = { traceparent: PARENT, tracestate: 'a=1' }
  assert.deepEqual(asked, [
    { url: '/.well-known/openid-configuration', ...traceFields },
    { url: '/jwks', ...traceFields },
  ])
})
