import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import test from 'node:test'
import { clientTokens, givenTokens } from '../../client/src/token.ts'
import { scriptedServer, testPlatform } from './platform.ts'

const CREDENTIALS = { clientId: 'app', clientSecret: 'a+b&c=d' }

/** A token endpoint that counts its tokens. */
function tokenServer() {
  return scriptedServer((response, _, count) =>
    response.end(JSON.stringify({ access_token: `token-${count}`, expires_in: 3600 })),
  )
}

test('concurrent requests share a token of a client, which later requests use until a minute before it expires', async () => {
  const { url, requests } = await tokenServer()
  const platform = testPlatform()
  const tokens = clientTokens(platform, url, CREDENTIALS)
  assert.deepEqual(await Promise.all([tokens(), tokens(), tokens()]), Array(3).fill('token-1'))
  platform.clock.now += 3_539_999
  assert.equal(await tokens(), 'token-1')
  platform.clock.now++
  assert.deepEqual(await Promise.all([tokens(), tokens()]), Array(2).fill('token-2'))
  assert.equal(requests.length, 2)
})

test('a token request is a form with the id and the secret', async () => {
  let form = Promise.resolve('')
  const { url } = await scriptedServer((response, request) => {
    form = text(request)
    response.end('{"access_token":"a","expires_in":3600}')
  })
  await clientTokens(testPlatform(), url, CREDENTIALS)()
  assert.equal(await form, 'grant_type=client_credentials&client_id=app&client_secret=a%2Bb%26c%3Dd')
})

test('several requests with the same refused token get one new token', async () => {
  const { url, requests } = await tokenServer()
  const tokens = clientTokens(testPlatform(), url, CREDENTIALS)
  const first = await tokens()
  assert.equal(await tokens(first), 'token-2')
  assert.equal(await tokens(first), 'token-2')
  assert.equal(requests.length, 2)
})

for (const [reply, expected] of [
  [[401, '{"error":"invalid_client","error_description":"Wrong."}'], { status: 401, code: 'invalid_client' }],
  [[302, ''], { status: 302, code: 'redirect' }],
  [[200, '<h1>Hello</h1>'], { status: 200, code: 'invalid_reply' }],
  [[200, '{"access_token":"a"}'], { status: 200, code: 'invalid_reply' }],
] as const) {
  test(`a token endpoint that answers ${reply.join(' ')} gives ${expected.code} once, and is asked again later`, async () => {
    const other = await scriptedServer(response => response.end())
    const { url, requests } = await scriptedServer(response => {
      response.writeHead(reply[0], reply[0] === 302 ? { location: other.url } : {}).end(reply[1])
    })
    const tokens = clientTokens(testPlatform(), url, CREDENTIALS)
    await assert.rejects(tokens(), expected)
    assert.equal(requests.length, 1)
    await assert.rejects(tokens(), expected)
    assert.deepEqual([requests.length, other.requests.length], [2, 0])
  })
}

test('a function is called for each request, after a 401 with the refused token', async () => {
  const calls: unknown[] = []
  const tokens = givenTokens(refused => {
    calls.push(refused)
    return Promise.resolve(`token-${calls.length}`)
  })
  assert.deepEqual([await tokens(), await tokens('token-1')], ['token-1', 'token-2'])
  assert.deepEqual(calls, [undefined, 'token-1'])
})

test('an empty token is an error', async () => {
  await assert.rejects(givenTokens('')(), TypeError)
  await assert.rejects(givenTokens(() => '')(), TypeError)
})
