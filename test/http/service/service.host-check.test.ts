import assert from 'node:assert/strict'
import test from 'node:test'
import { withHostCheck } from '../../../src/http/service/service.ts'

const service = withHostCheck('Mac.local', () => ({ status: 200, headers: [], body: undefined }))

async function statusFor(host: string | undefined): Promise<number> {
  const headers = host === undefined ? {} : { host }
  const reply = await service({ method: 'GET', path: '/', query: '', headers, authorizations: 0, address: '127.0.0.1' })
  return reply.status
}

test('a local service answers to IP addresses, to localhost and to the name that it listens on', async () => {
  const names = ['127.0.0.1', 'localhost', 'LOCALHOST', 'guide.localhost', '192.168.1.7', '[::1]', 'mac.local', '']
  for (const host of [undefined, ...names.flatMap(name => [name, `${name}:4080`])])
    assert.equal(await statusFor(host), 200, String(host))
})

test('a local service refuses any other name', async () => {
  const names = ['evil.example', '127.0.0.1.evil.example', 'localhost.evil.example', 'evillocalhost', '127.1']
  for (const host of [...names, 'mac.local.evil.example', '[::1].evil.example', '2130706433', '[evil]', '0x7f.1'])
    assert.equal(await statusFor(`${host}:4080`), 421, host)
})

test('a request with a bearer token for another name is refused in JSON', async () => {
  const headers = { host: 'evil.example', authorization: 'Bearer x' }
  const { status, body } = await service({
    method: 'GET',
    path: '/',
    query: '',
    headers,
    authorizations: 1,
    address: '127.0.0.1',
  })
  assert.ok(body instanceof Uint8Array)
  assert.deepEqual([status, JSON.parse(new TextDecoder().decode(body)).error], [421, 'invalid_request'])
})
