import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { decodeJwt } from 'jose'
import { SCOPES } from '#brand/contract/operations.ts'
import { REFUSALS, TOKEN_REFUSALS, type TokenRefusalId } from '#brand/contract/refusals.ts'
import { golden } from '../../support/golden.ts'
import { testService, URL_OF_SERVICE } from '../../support/service.ts'
import { resultOf, SMALL_BRAND, temporaryStore } from '../../support/temporary-store.ts'

const store = await temporaryStore()
const client = { id: '', secret: '' }
const RESOURCE = `${URL_OF_SERVICE}/beta/workspace/acme`
const SCOPE = 'data.read styles.read'

before(async () => {
  await store.importing('acme', SMALL_BRAND)
  await store.importing('other', { 'one/pages/index.md': '# One\n' })
  await store.publish('acme/guidelines')
  const reach = ['--scope', 'styles.read', '--scope', 'data.read', '--project', 'guidelines']
  const made = await resultOf(store.folder, ['client', 'create', 'acme', ...reach])
  Object.assign(client, { id: made.client_id, secret: made.client_secret })
})

type Posting = { authorization?: string; type?: string; authorizations?: number; address?: string; query?: string }
type TestService = Awaited<ReturnType<typeof testService>>

/** Requests a token, and returns status, header fields and body. */
async function post(body: string, posting: Posting = {}, opened?: TestService) {
  const { service } = opened ?? (await testService(store))
  const { authorization, type = 'application/x-www-form-urlencoded', address = '192.0.2.1', query = '' } = posting
  const headers = { 'content-type': type, ...(authorization !== undefined && { authorization }) }
  const { authorizations = authorization === undefined ? 0 : 1 } = posting
  const request = { method: 'POST', path: '/oauth/token', query, headers, authorizations, address }
  const reply = await service({ ...request, body: new TextEncoder().encode(body) })
  assert.ok(reply.body instanceof Uint8Array)
  const fields = Object.fromEntries(
    reply.headers.flatMap((name, at) => (at % 2 === 0 ? [[name.toLowerCase(), reply.headers[at + 1] ?? '']] : [])),
  )
  return { status: reply.status, headers: fields, body: JSON.parse(new TextDecoder().decode(reply.body)) }
}

const FIXED = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  pragma: 'no-cache',
  'x-content-type-options': 'nosniff',
}
const CHALLENGE = { 'www-authenticate': 'Basic realm="housestyle", charset="UTF-8"' }
const GRANT = 'grant_type=client_credentials'

function basic(id = client.id, secret = client.secret): string {
  return `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
}

function inForm(more = ''): string {
  return `${GRANT}&client_id=${client.id}&client_secret=${client.secret}${more}`
}

function refusal(id: TokenRefusalId, headers: Readonly<Record<string, string>> = {}) {
  const { status, description } = TOKEN_REFUSALS[id]
  const body = { error: id, error_description: description, error_uri: `${URL_OF_SERVICE}/docs#${id}` }
  return { status, headers: { ...FIXED, ...headers }, body }
}

test('a client gets a token for all of its scopes, and the token covers the same content as the client', async () => {
  const { ask } = await testService(store)
  const { status, headers, body } = await post(inForm())
  const { access_token: token, ...rest } = body
  assert.deepEqual({ status, headers }, { status: 200, headers: FIXED })
  assert.deepEqual(rest, { token_type: 'Bearer', expires_in: 3600, scope: SCOPE, resource: RESOURCE })
  const { iat = 0, exp, jti, instances, ...claims } = decodeJwt(token)
  assert.ok(Array.isArray(instances) && instances.length === 1)
  assert.equal(exp, iat + 3600)
  const { urn } = store.store.identity
  assert.deepEqual(claims, {
    iss: urn,
    aud: urn,
    sub: client.id,
    client_id: client.id,
    scope: SCOPE,
    workspace: 'acme',
    projects: ['guidelines'],
  })
  assert.equal((await ask('/beta/workspace/acme/project/guidelines/styles', { token })).status, 200)
  assert.equal((await ask('/beta/workspace/acme', { token })).status, 403)
})

test('id and secret come in the form or as Basic, whose parts may be percent-encoded', async () => {
  const encoded = (text: string) => text.replace(/[-_a-z]/g, letter => `%${letter.charCodeAt(0).toString(16)}`)
  for (const [body, authorization] of [
    [inForm(), undefined],
    [GRANT, basic()],
    [GRANT, basic(encoded(client.id), encoded(client.secret))],
    [GRANT, basic().replace('Basic ', 'bAsIc  ')],
    [`${GRANT}&client_id=${client.id}`, basic()],
    [inForm('&scope=&resource='), undefined],
  ] as const) {
    const { status } = await post(body, authorization === undefined ? {} : { authorization })
    assert.equal(status, 200, `${body} ${authorization}`)
  }
  assert.equal((await post(inForm(), { type: 'application/x-www-form-urlencoded; charset=UTF-8' })).status, 200)
})

test('a scope restricts the token, scopes keep their order, and the requested resource joins the audience', async () => {
  const { body } = await post(inForm(`&scope=styles.read&resource=${encodeURIComponent(RESOURCE)}`))
  assert.deepEqual([body.scope, body.resource], ['styles.read', RESOURCE])
  const { aud, scope } = decodeJwt(body.access_token)
  assert.deepEqual({ aud, scope }, { aud: [store.store.identity.urn, RESOURCE], scope: 'styles.read' })
  assert.equal((await post(inForm('&scope=styles.read%20data.read'))).body.scope, SCOPE)
})

test('a resource may omit the API path, as clients of the original do, and the reply repeats it unchanged', async () => {
  const sent = `${URL_OF_SERVICE}/workspace/acme`
  const { status, body } = await post(inForm(`&resource=${encodeURIComponent(sent)}`))
  assert.deepEqual([status, body.resource], [200, sent])
  assert.deepEqual(decodeJwt(body.access_token).aud, [store.store.identity.urn, sent])
})

test('with a public URL, the audience of a token for a resource is the API and the resource as sent', async () => {
  const publicUrl = 'https://x.example/brand'
  const opened = await testService(store, { publicUrl })
  for (const sent of [`${publicUrl}/beta/workspace/acme`, `${publicUrl}/workspace/acme`, `${publicUrl}/mcp`]) {
    const { body } = await post(inForm(`&resource=${encodeURIComponent(sent)}`), {}, opened)
    assert.equal(body.resource, sent)
    assert.deepEqual(decodeJwt(body.access_token).aud, [`${publicUrl}/beta`, sent])
    const styles = await opened.ask('/beta/workspace/acme/project/guidelines/styles', { token: body.access_token })
    assert.equal(styles.status, 200)
  }
  const { body } = await post(inForm(), {}, opened)
  assert.equal(body.resource, `${publicUrl}/beta/workspace/acme`)
  assert.equal(decodeJwt(body.access_token).aud, `${publicUrl}/beta`)
})

type Case = Omit<Posting, 'address'> & { form: string; basic?: string }

/** Requests with {id}, {secret} and the address of the {service}, and the whole refusals. `basic` is for Basic, in base64. */
golden('access/token-endpoint', ({ form, basic, ...posting }: Case) => {
  const service = encodeURIComponent(URL_OF_SERVICE)
  const filled = (text: string) =>
    text.replaceAll('{id}', client.id).replaceAll('{secret}', client.secret).replaceAll('{service}', service)
  const authorization = basic === undefined ? {} : { authorization: `Basic ${btoa(filled(basic))}` }
  return post(filled(form), { ...posting, ...authorization })
})

test('a token request form of more than 8 KiB gets 413, and one with many parameters gets invalid_request', async () => {
  const form = inForm('&scope=styles.read&x=')
  assert.equal((await post(form.padEnd(8192, 'x'))).status, 200)
  const { status, body } = await post(form.padEnd(8193, 'x'))
  const { error, description } = REFUSALS['form-too-large']
  const expected = { error, error_description: description, error_uri: `${URL_OF_SERVICE}/docs#${error}` }
  assert.deepEqual({ status, body }, { status: 413, body: expected })
  assert.equal((await post(inForm('&'.repeat(20)))).status, 200)
  assert.deepEqual(await post(inForm('&'.repeat(40))), refusal('invalid_request'))
})

test('a known client of people that asks with another grant gets unsupported_grant_type, an unknown one invalid_client', async () => {
  const program = ['client', 'create', 'acme', '--name', 'Notebook', '--redirect-uri', 'http://127.0.0.1/cb']
  const { client_id: id } = await resultOf(store.folder, program)
  for (const grant of ['password', 'urn:ietf:params:oauth:grant-type:device_code'])
    assert.deepEqual(await post(`grant_type=${grant}&client_id=${id}`), refusal('unsupported_grant_type'))
  assert.deepEqual(await post('grant_type=password&client_id=acme-000000000000'), refusal('invalid_client', CHALLENGE))
  const wrong = `grant_type=password&client_id=${client.id}&client_secret=wrong`
  assert.deepEqual(await post(wrong), refusal('invalid_client', CHALLENGE))
})

test('a secret works only for its own client', async () => {
  const other = await resultOf(store.folder, ['client', 'create', 'acme'])
  assert.equal((await post(GRANT, { authorization: basic(other.client_id) })).status, 401)
})

test('an address may send twenty wrong secrets a minute before it must wait, and a right secret always passes', async () => {
  const opened = await testService(store)
  const attempt = (secret: string, address = '192.0.2.1', id = client.id) =>
    post(GRANT, { authorization: basic(id, secret), address }, opened)
  const late = refusal('too_many_requests', { 'retry-after': '60' })
  for (let at = 0; at < 20; at++) assert.deepEqual(await attempt('wrong'), refusal('invalid_client', CHALLENGE))
  for (const [secret, id] of [['wrong'], [''], [client.secret, 'acme-000000000000']] as const)
    assert.deepEqual(await attempt(secret, '192.0.2.1', id), late)
  assert.equal((await attempt(client.secret)).status, 200)
  assert.equal((await attempt('wrong', '192.0.2.2')).status, 401)
  opened.clock.now += 59_001
  assert.deepEqual(await attempt('wrong'), refusal('too_many_requests', { 'retry-after': '1' }))
  opened.clock.now += 999
  assert.equal((await attempt('wrong')).status, 401)
})

test('a client may send sixty wrong secrets a minute before it must wait, and a right secret always passes', async () => {
  const opened = await testService(store)
  const attempt = (secret: string, address: string) =>
    post(GRANT, { authorization: basic(client.id, secret), address }, opened)
  for (let at = 0; at < 60; at++) assert.equal((await attempt('wrong', `192.0.2.${at}`)).status, 401)
  assert.deepEqual(await attempt('wrong', '198.51.100.1'), refusal('too_many_requests', { 'retry-after': '60' }))
  assert.equal((await attempt(client.secret, '198.51.100.1')).status, 200)
})

test('a client with 10,000 unexpired tokens must wait until one expires, and expired tokens leave the store', async () => {
  const { database } = store.store
  const other = await resultOf(store.folder, ['client', 'create', 'acme'])
  const opened = await testService(store)
  const attempt = (id = client.id, secret = client.secret) => post(GRANT, { authorization: basic(id, secret) }, opened)
  const expiry = opened.clock.now + 90_000
  await database.run(
    `INSERT INTO token (jti, client, workspace, scope, issued_at, expires_at)
     WITH RECURSIVE n (at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < 10000)
     SELECT 'many-' || at, ?, 'acme', '', 0, ? FROM n`,
    client.id,
    expiry,
  )
  assert.deepEqual(await attempt(), refusal('too_many_requests', { 'retry-after': '90' }))
  assert.equal((await attempt(other.client_id, other.client_secret)).status, 200)
  const left = async () => (await database.get("SELECT COUNT(*) AS count FROM token WHERE jti LIKE 'many-%'"))?.count
  assert.equal(await left(), 10_000)
  opened.clock.now = expiry + 60_001
  assert.equal((await attempt()).status, 200)
  assert.equal(await left(), 0)
})

test('a right secret never counts, even if it is sent often', async () => {
  const opened = await testService(store)
  for (let at = 0; at < 70; at++) assert.equal((await post(inForm(), {}, opened)).status, 200)
  assert.equal((await post(inForm('x'), {}, opened)).status, 401)
})

test('a request without credentials to check does not count against any client or address', async () => {
  const opened = await testService(store)
  for (let at = 0; at < 30; at++) assert.equal((await post('', {}, opened)).status, 401)
  assert.equal((await post(inForm(), {}, opened)).status, 200)
})

test('other methods get 405 with Allow, and OPTIONS gets 204', async () => {
  const { ask } = await testService(store)
  for (const method of ['GET', 'HEAD', 'PUT', 'DELETE']) {
    const { status, headers } = await ask('/oauth/token', { method })
    assert.deepEqual([status, headers.get('allow'), headers.get('cache-control')], [405, 'POST, OPTIONS', 'no-store'])
  }
  const { status, headers, text } = await ask('/oauth/token', { method: 'OPTIONS' })
  assert.deepEqual([status, headers.get('allow'), text], [204, 'POST, OPTIONS', ''])
})

test('the metadata describes where and how to get tokens', async () => {
  const { ask } = await testService(store, { publicUrl: 'https://brand.example.com' })
  const { status, headers, text } = await ask('/.well-known/oauth-authorization-server')
  assert.deepEqual([status, headers.get('content-type')], [200, 'application/json'])
  const methods = ['none', 'private_key_jwt', 'client_secret_basic', 'client_secret_post']
  const algorithms = ['ES256', 'EdDSA', 'PS256', 'RS256']
  assert.deepEqual(JSON.parse(text), {
    issuer: 'https://brand.example.com',
    authorization_endpoint: 'https://brand.example.com/oauth/authorize',
    token_endpoint: 'https://brand.example.com/oauth/token',
    revocation_endpoint: 'https://brand.example.com/oauth/revoke',
    jwks_uri: 'https://brand.example.com/.well-known/jwks.json',
    scopes_supported: [...SCOPES],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: methods,
    token_endpoint_auth_signing_alg_values_supported: algorithms,
    revocation_endpoint_auth_methods_supported: methods,
    revocation_endpoint_auth_signing_alg_values_supported: algorithms,
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    service_documentation: 'https://brand.example.com/docs',
  })
  const head = await ask('/.well-known/oauth-authorization-server', { method: 'HEAD' })
  assert.deepEqual([head.status, head.text], [200, ''])
})

test('a service that cannot open its signing key answers temporarily_unavailable', async () => {
  const sealed = await temporaryStore()
  await sealed.importing('acme', SMALL_BRAND)
  await resultOf(sealed.folder, ['keys', 'rotate', '--key-secret', 'correct horse battery staple'])
  const made = await resultOf(sealed.folder, ['client', 'create', 'acme'])
  const authorization = basic(made.client_id, made.client_secret)
  const closed = await post(GRANT, { authorization }, await testService(sealed))
  assert.deepEqual(closed, refusal('temporarily_unavailable'))
  const keySecret = 'correct horse battery staple'
  assert.equal((await post(GRANT, { authorization }, await testService(sealed, { keySecret }))).status, 200)
})

test('every code of the token endpoint has an anchor in the documentation', async () => {
  const { ask } = await testService(store)
  const { text } = await ask('/docs')
  for (const id of Object.keys(TOKEN_REFUSALS)) assert.ok(text.includes(`id="${id}"`), id)
})
