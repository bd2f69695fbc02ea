import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { connect, guest, PRIVATE_BRAND, REDIRECT, refreshRequest, shareLink } from '#test/support/agent-program.ts'
import { allow, authorization, postForm, redirectOf, tokenRequest } from '#test/support/authorization.ts'
import { makeCertificate, OPENSSL, secureServer, trustCertificate } from '#test/support/certificate.ts'
import { testService, URL_OF_SERVICE } from '#test/support/service.ts'
import { publishedStore } from '#test/support/temporary-store.ts'
import { visitor } from '#test/support/visitor.ts'

const { skip } = OPENSSL
const temporary = await publishedStore('acme/guidelines', PRIVATE_BRAND)
const certificate = skip ? undefined : await makeCertificate('IP:127.0.0.1')
if (certificate) trustCertificate(certificate)
/** The replies of the host of the documents by path, and its requests. */
const documents = new Map<string, { status?: number; body: string | Uint8Array; location?: string; coding?: string }>()
const requests: string[] = []
const port = certificate
  ? await secureServer(certificate, ({ url = '' }, reply) => {
      requests.push(url)
      const { status = 404, body = '', location, coding } = { status: 200, ...documents.get(url) }
      const coded = coding !== undefined && { 'content-encoding': coding }
      reply.writeHead(documents.has(url) ? status : 404, { ...(location !== undefined && { location }), ...coded })
      reply.end(body)
    })
  : 0
const settings = { outgoingAllow: [{ address: '127.0.0.0', prefix: 8, family: 'ipv4' } as const] }
const resource = `${URL_OF_SERVICE}/acme/guidelines/-/mcp`
const PAGES = '/beta/workspace/acme/project/guidelines/pages'

/** Publishes the document of a program, and returns the program. */
function publish(path: string, changes: object = {}) {
  const clientId = `https://127.0.0.1:${port}${path}`
  const document = { client_id: clientId, client_name: 'Notebook', redirect_uris: [REDIRECT], ...changes }
  documents.set(path, { body: JSON.stringify(document) })
  return { clientId, redirectUri: REDIRECT, resource }
}

test('a program whose id is the address of its metadata connects, and the page names its host', { skip }, async () => {
  const { service, ask } = await testService(temporary, settings)
  const fields = {
    logo_uri: 'https://127.0.0.1/logo',
    scope: 'openid profile',
    sector_identifier_uri: 'https://127.0.0.1/s',
  }
  const program = publish('/program.json', {
    ...fields,
    grant_types: ['authorization_code', 'refresh_token', 'implicit'],
  })
  const browser = await guest(service, await shareLink(temporary.store))
  const page = await browser.get(redirectOf(await browser.get(authorization(program).target)))
  assert.ok(page.text.includes(`a program of 127.0.0.1:${port}`))
  assert.doesNotMatch(page.text, /logo"/)
  const tokens = await connect(service, browser, program)
  assert.equal((await ask(PAGES, { token: tokens.access_token })).status, 200)
  const { status } = await postForm(service, '/oauth/token', refreshRequest(program, tokens.refresh_token))
  assert.equal(status, 200)
  assert.deepEqual(requests, ['/program.json'])
})

test('the name of a program is shown without control characters, shortened and escaped', { skip }, async () => {
  const { service } = await testService(temporary, settings)
  const name = `\u202e<b>Evil</b>\u0000\u2066\u200b\ud800 "${'x'.repeat(200)}`
  const browser = await guest(service, await shareLink(temporary.store))
  const program = publish('/hostile.json', { client_name: name })
  const { text } = await browser.get(redirectOf(await browser.get(authorization(program).target)))
  assert.match(text, /<h1 dir="auto">Allow &#60;b&#62;Evil&#60;\/b&#62; &#34;x{47} \(127\.0\.0\.1:\d+\) to read /)
})

for (const [about, document] of [
  ['names another client', { client_id: 'https://elsewhere.example/program.json' }],
  ['has no redirect address', { redirect_uris: [] }],
  ['has a secret', { client_secret: 'secret' }],
  ['has a redirect address that everyone can read', { redirect_uris: [REDIRECT, 'http://notebook.example/'] }],
  ['has a redirect address with a script', { redirect_uris: [REDIRECT, 'javascript:alert(1)'] }],
  ['has a redirect address that the operating system opens', { redirect_uris: [REDIRECT, 'search-ms:query=x'] }],
  ['has another kind of authentication', { token_endpoint_auth_method: 'client_secret_basic' }],
] as const)
  test(`a document that ${about} is refused`, { skip }, async () => {
    const { service } = await testService(temporary, settings)
    const program = publish(`/refused-${about.replaceAll(' ', '-')}.json`, document)
    const { status, headers } = await visitor(service).get(authorization(program).target)
    assert.deepEqual([status, headers.get('location')], [400, null])
  })

test('a program may return to the scheme of a known program, or to one with a dot', { skip }, async () => {
  const { service } = await testService(temporary, settings)
  const addresses = ['cursor://anysphere.cursor-mcp/oauth/callback', 'com.example.notebook:/callback']
  const program = publish('/schemes.json', { redirect_uris: addresses })
  const browser = await guest(service, await shareLink(temporary.store))
  for (const redirectUri of addresses) {
    const { code } = await allow(browser, { ...program, redirectUri })
    assert.match(code, /^[\w-]{40,}$/)
  }
})

test('a document that is missing, too large, elsewhere or no JSON is refused', { skip }, async () => {
  const { service } = await testService(temporary, settings)
  const target = (path: string) => authorization({ ...publish(path) }).target
  for (const [path, reply] of [
    ['/missing.json', { status: 404, body: '' }],
    ['/moved.json', { status: 302, body: '', location: '/program.json' }],
    ['/text.json', { body: 'text' }],
    ['/large.json', { body: JSON.stringify({ filler: 'x'.repeat(70_000) }) }],
  ] as const) {
    const asked = target(path)
    documents.set(path, reply)
    assert.equal((await visitor(service).get(asked)).status, 400, path)
  }
})

test('a document has at most 64 KiB, with all its fields, and is not compressed', { skip }, async () => {
  const { service } = await testService(temporary, settings)
  const size = (length: number) => {
    const path = `/${length}.json`
    const rest = publish(path, { filler: '' })
    const { body = '' } = documents.get(path) ?? {}
    publish(path, { filler: 'x'.repeat(length - body.length) })
    return rest
  }
  const status = async (program: ReturnType<typeof publish>) =>
    (await visitor(service).get(authorization(program).target)).status
  assert.equal(await status(size(64 << 10)), 303)
  assert.equal(await status(size((64 << 10) + 1)), 400)
  assert.equal(await status(size(200_000)), 400)
  const compressed = publish('/compressed.json')
  const { body = '' } = documents.get('/compressed.json') ?? {}
  documents.set('/compressed.json', { body: gzipSync(body), coding: 'gzip' })
  assert.equal(await status(compressed), 400)
})

test('without --outgoing-allow, a document on this machine is not read', { skip }, async () => {
  const { service } = await testService(temporary)
  const program = publish('/private.json')
  const { status, text } = await visitor(service).get(authorization(program).target)
  assert.equal(status, 400)
  assert.doesNotMatch(text, /ECONN|127\.0\.0\.1/)
  assert.ok(!requests.includes('/private.json'))
})

test('a network may cause 60 requests for documents in a minute', { skip }, async () => {
  const { service } = await testService(temporary, settings)
  const form = { grant_type: 'refresh_token', refresh_token: 'x' }
  const before = requests.length
  for (let count = 0; count < 62; count++)
    await postForm(service, '/oauth/token', { ...form, client_id: `https://127.0.0.1:${port}/unknown-${count}` })
  assert.equal(requests.length - before, 60)
})

test('a program may sign assertions with the keys of its document, each once within an hour', { skip }, async () => {
  const { service } = await testService(temporary, settings)
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  documents.set('/keys.json', {
    body: JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256' }] }),
  })
  const keys = { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: `https://127.0.0.1:${port}/keys.json` }
  const program = publish('/signing.json', keys)
  const assertion = (lifetime: string, id: string) =>
    new SignJWT({})
      .setProtectedHeader({ alg: 'ES256', kid: 'one' })
      .setIssuer(program.clientId)
      .setSubject(program.clientId)
      .setAudience(URL_OF_SERVICE)
      .setJti(id)
      .setIssuedAt()
      .setExpirationTime(lifetime)
      .sign(privateKey)
  const signed = (value: string) => ({
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: value,
  })
  const browser = await guest(service, await shareLink(temporary.store))
  const redeemed = await allow(browser, program)
  const request = tokenRequest(program, redeemed)
  for (const fields of [{}, signed(await assertion('2h', 'a')), signed(`${await assertion('5m', 'b')}x`)]) {
    const { body } = await postForm(service, '/oauth/token', { ...request, ...fields })
    assert.equal(body.error, 'invalid_client', JSON.stringify(fields))
  }
  const good = signed(await assertion('5m', 'c'))
  const { status, body } = await postForm(service, '/oauth/token', { ...request, ...good })
  assert.equal(status, 200, JSON.stringify(body))
  const again = await postForm(service, '/oauth/token', { ...refreshRequest(program, body.refresh_token), ...good })
  assert.equal(again.body.error, 'invalid_client')
})
