import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as oauth from 'oauth4webapi'
import { freePort } from '../../support/free-port.ts'
import { runningService } from '../../support/service.ts'
import { resultOf, SMALL_BRAND, temporaryStore } from '../../support/temporary-store.ts'

/* An unmodified OAuth client, over a socket. */

const store = await temporaryStore()
const port = await freePort()
const issuer = new URL(`http://127.0.0.1:${port}`)
const publicUrl = issuer.origin
const options = { [oauth.allowInsecureRequests]: true }

await store.publishing('acme/guidelines', SMALL_BRAND)
await runningService(store, { port: String(port), publicUrl })
const made = await resultOf(store.folder, ['client', 'create', 'acme'])

async function discover(): Promise<oauth.AuthorizationServer> {
  const reply = await oauth.discoveryRequest(issuer, { ...options, algorithm: 'oauth2' })
  return oauth.processDiscoveryResponse(issuer, reply)
}

async function tokenFor(auth: oauth.ClientAuth, parameters: Readonly<Record<string, string>>) {
  const server = await discover()
  const client = { client_id: made.client_id }
  const reply = await oauth.clientCredentialsGrantRequest(server, client, auth, { ...parameters }, options)
  return oauth.processClientCredentialsResponse(server, client, reply)
}

for (const [name, authOf] of [
  ['client_secret_basic', oauth.ClientSecretBasic],
  ['client_secret_post', oauth.ClientSecretPost],
] as const) {
  test(`a client finds the token endpoint and gets a token with ${name}, a scope and a resource`, async () => {
    const resource = `${publicUrl}/beta/workspace/acme`
    const { access_token, ...rest } = await tokenFor(authOf(made.client_secret), { scope: 'settings.read', resource })
    assert.deepEqual(rest, { token_type: 'bearer', expires_in: 3600, scope: 'settings.read', resource })
    const reply = await fetch(resource, { headers: { authorization: `Bearer ${access_token}` } })
    assert.equal(reply.status, 200)
    await reply.arrayBuffer()
  })
}

test('a resource server that knows only the standard accepts the token (RFC 9068 §4)', async () => {
  const { access_token } = await tokenFor(oauth.ClientSecretBasic(made.client_secret), {})
  const request = new Request(`${publicUrl}/beta/workspace/acme`, {
    headers: { authorization: `Bearer ${access_token}` },
  })
  const claims = await oauth.validateJwtAccessToken(await discover(), request, `${publicUrl}/beta`, options)
  assert.deepEqual([claims.iss, claims.sub, claims.client_id], [publicUrl, made.client_id, made.client_id])
})

test('a client gets errors in the form of RFC 6749 §5.2', async () => {
  const told = (promise: Promise<unknown>) =>
    promise.then(
      () => 'no error',
      (error: unknown) => error,
    )
  const wrong = await told(tokenFor(oauth.ClientSecretBasic('wrong'), {}))
  assert.ok(wrong instanceof oauth.WWWAuthenticateChallengeError)
  assert.deepEqual([wrong.status, wrong.cause[0]?.scheme], [401, 'basic'])
  const scope = await told(tokenFor(oauth.ClientSecretPost(made.client_secret), { scope: 'admin' }))
  assert.ok(scope instanceof oauth.ResponseBodyError)
  assert.deepEqual([scope.status, scope.error], [400, 'invalid_scope'])
  const target = await told(tokenFor(oauth.ClientSecretPost(made.client_secret), { resource: 'https://x.example' }))
  assert.ok(target instanceof oauth.ResponseBodyError)
  assert.equal(target.error, 'invalid_target')
})

test('a body of more than 64 KiB gets 413 before it is read to its end', async () => {
  const body = new URLSearchParams({ grant_type: 'client_credentials', padding: 'x'.repeat(65_536) })
  const reply = await fetch(`${publicUrl}/oauth/token`, { method: 'POST', body })
  assert.deepEqual([reply.status, reply.headers.get('cache-control')], [413, 'no-store'])
  await reply.arrayBuffer()
})
