import assert from 'node:assert/strict'
import { test } from 'node:test'
import { field } from '#platform/base/object.ts'
import { headersOf, type Request } from '#platform/exchange/message.ts'
import { readPlain } from '#program/http/plain/plain-request.ts'
import { projectStates } from '#publishing/status.ts'
import { issuerKey, issuerServer } from '../../../support/issuer-server.ts'
import { allowIssuer, peopleService } from '../../../support/people-service.ts'
import { receive } from '../../../support/receive.ts'
import { runningService } from '../../../support/service.ts'
import { addHosts, publishedStore, temporaryStore } from '../../../support/temporary-store.ts'
import { FORM, fieldsOf } from '../../../support/visitor.ts'

const HEADER = 'x-proxy-jwt'
const AUDIENCE = 'guides.corp.example'
const ISSUER = 'authenticate.corp.example'
const ANNA = { iss: ISSUER, aud: AUDIENCE, sub: 'anna', email: 'anna@example.com', name: 'Anna Lee' }
const [key, other] = [await issuerKey('one'), await issuerKey('one')]
const keys = await issuerServer(key)
const temporary = await publishedStore('acme/guide', {
  'workspace.yaml': 'contact: brand@acme.example\n',
  'guide/pages/index.md': '# Secret\n',
})
await allowIssuer(temporary, ISSUER, {
  way: { proxy: { header: HEADER, jwks: `${keys.url}/jwks`, audience: AUDIENCE } },
  clientSecret: undefined,
})
const service = await peopleService(temporary)

const GET: Request = {
  method: 'GET',
  path: '/',
  query: '',
  headers: { accept: 'text/html' },
  authorizations: 0,
  address: '127.0.0.1',
}

/** Requests a page with these tokens in the header of the proxy. */
async function statusWith(assertions: ReadonlyMap<string, string> | undefined, path = '/acme/guide') {
  const reply = await service.service({ ...GET, path, ...(assertions && { assertions }) })
  const { status, body } = reply
  return { status, headers: headersOf(reply), text: body instanceof Uint8Array ? Buffer.from(body).toString() : '' }
}

test('a person behind a proxy sees private guides with each signed request, and needs no cookie', async () => {
  const assertions = new Map([[HEADER, await key.sign(ANNA)]])
  const { status } = await statusWith(assertions)
  assert.equal(status, 200)
  assert.equal((await statusWith(undefined)).status, 404)
  const before = keys.asked()
  assert.equal((await statusWith(assertions)).status, 200)
  assert.equal(keys.asked(), before)
})

test('the page of an unknown address offers no sign-in if a proxy signs people in', async () => {
  assert.doesNotMatch((await statusWith(undefined)).text, /Sign in/)
})

const now = Math.floor(Date.now() / 1000)
const refused = {
  'another audience': () => key.sign({ ...ANNA, aud: 'other' }),
  'another issuer': () => key.sign({ ...ANNA, iss: 'other' }),
  'an expired token': () => key.sign({ ...ANNA, exp: now - 60 }),
  'no subject': () => key.sign({ ...ANNA, sub: undefined }),
  'an empty subject': () => key.sign({ ...ANNA, sub: '' }),
  'another key with the same id': () => other.sign(ANNA),
  'an address of another domain': () => key.sign({ ...ANNA, email: 'anna@other.example' }),
  'an unverified address': () => key.sign({ ...ANNA, email_verified: false }),
  'no signature': async () =>
    `${[
      { alg: 'none', kid: 'one' },
      { ...ANNA, exp: now + 60 },
    ]
      .map(part => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.')}.`,
  'a plain address': async () => 'anna@example.com',
  nothing: async () => '',
}
for (const [name, token] of Object.entries(refused))
  test(`a proxy header with ${name} opens nothing`, async () => {
    assert.equal((await statusWith(new Map([[HEADER, await token()]]))).status, 404)
  })

test('a person whom the rules refuse reads their address, the reason and whom to ask, at any private address', async () => {
  const claims = { ...ANNA, email: 'Anna@Other.example' }
  for (const [change, reason] of [
    [{}, /may not see these guides/],
    [{ email: 'anna@example.com', email_verified: false }, /its e-mail address is not verified/],
  ] as const) {
    const assertions = new Map([[HEADER, await key.sign({ ...claims, ...change })]])
    for (const path of ['/acme/guide', '/acme/gone', '/acme', '/acme/guide/a.b']) {
      const { status, headers, text } = await statusWith(assertions, path)
      assert.equal(status, 404)
      assert.match(text, /<h1>You have no access<\/h1>/)
      assert.match(text, 'email' in change ? /<bdi>anna@example\.com<\/bdi>/ : /<bdi>anna@other\.example<\/bdi>/)
      assert.match(text, reason)
      assert.match(text, /<a href="mailto:brand@acme\.example"/)
      assert.doesNotMatch(text, /Secret|Sign in/)
      assert.equal(headers[headers.indexOf('Cache-Control') + 1], 'no-store')
    }
  }
  assert.doesNotMatch((await statusWith(undefined)).text, /no access|example\.com|brand@/)
  const nameless = new Map([[HEADER, await key.sign({ ...ANNA, email: undefined, name: '<b>Ben' })]])
  assert.match((await statusWith(nameless)).text, /<bdi>&#60;b&#62;Ben<\/bdi>/)
  const refusals = service.logged.filter(line => JSON.stringify(line).includes('"reason":"not-allowed"'))
  assert.equal(JSON.stringify(refusals).includes('other.example'), false)
})

for (const [right, opens, expected] of [
  ['manage', 'its manage page and its draft', [200, 200, 404, 404]],
  ['edit', 'its draft, but no manage page', [404, 200, 404, 404]],
] as const)
  test(`a person behind a proxy whose group may ${right} a project opens ${opens}, and none of another`, async () => {
    const store = await temporaryStore()
    await store.importing('acme', { 'guide/pages/index.md': '# Secret\n', 'web/pages/index.md': '# Web\n' })
    await allowIssuer(store, ISSUER, {
      way: { proxy: { header: HEADER, jwks: `${keys.url}/jwks`, audience: AUDIENCE } },
      clientSecret: undefined,
      rules: { groups: [{ group: 'editors', projects: ['guide'], [right]: true }] },
    })
    const { service: answer } = await peopleService(store)
    const statusAt = async (path: string, groups: readonly string[]) => {
      const assertions = new Map([[HEADER, await key.sign({ ...ANNA, groups })]])
      return (await answer({ ...GET, path, assertions })).status
    }
    const paths = ['guide/-/manage', 'guide/-/draft', 'web/-/manage', 'web/-/draft'].map(path => `/acme/${path}`)
    const statuses = (groups: readonly string[]) => Promise.all(paths.map(path => statusAt(path, groups)))
    assert.deepEqual(await statuses(['editors']), expected)
    assert.deepEqual(await statuses(['others']), [404, 404, 404, 404])
  })

test('a person behind a proxy reads and manages a guide at its host, and its old address redirects there', async () => {
  const store = await publishedStore('acme/guide', { 'guide/pages/index.md': '# Secret\n' })
  await addHosts(store, { 'guide.test': 'acme/guide', 'all.test': 'acme' })
  await allowIssuer(store, ISSUER, {
    way: { proxy: { header: HEADER, jwks: `${keys.url}/jwks`, audience: AUDIENCE } },
    clientSecret: undefined,
    manage: true,
  })
  const { service: answer } = await peopleService(store)
  const assertions = new Map([[HEADER, await key.sign(ANNA)]])
  const ask = async (host: string, path: string, proved: Partial<Request>) => {
    const reply = await answer({ ...GET, ...proved, path, headers: { ...GET.headers, host } })
    return [reply.status, fieldsOf(headersOf(reply)).get('location')]
  }
  for (const [host, path, found] of [
    ['guide.test', '/', [200, null]],
    ['guide.test', '/-/manage', [200, null]],
    ['all.test', '/guide', [308, 'http://guide.test:9/']],
    ['127.0.0.1', '/acme/guide/-/colors', [308, 'http://guide.test:9/-/colors']],
    ['127.0.0.1', '/acme/guide/-/manage', [308, 'http://guide.test:9/-/manage']],
  ] as const) {
    assert.deepEqual(await ask(host, path, { assertions }), found, host + path)
    assert.deepEqual(await ask(host, path, {}), [404, null], host + path)
  }
})

test('behind a proxy, the claim of groups may be nested, and the log names an unusable form', async () => {
  const store = await publishedStore('acme/guide', { 'guide/pages/index.md': '# Secret\n' })
  await allowIssuer(store, ISSUER, {
    way: { proxy: { header: HEADER, jwks: `${keys.url}/jwks`, audience: AUDIENCE } },
    clientSecret: undefined,
    rules: { domains: [], groups: [{ group: 'editors' }], groupsClaim: 'custom.groups' },
  })
  const { service: answer, logged } = await peopleService(store)
  const statuses: number[] = []
  for (const groups of [['editors'], { editors: {} }, 'staff,editors', 'editors', [{ name: 'editors' }]]) {
    const assertions = new Map([[HEADER, await key.sign({ ...ANNA, custom: { groups } })]])
    statuses.push((await answer({ ...GET, path: '/acme/guide', assertions })).status)
  }
  assert.deepEqual(statuses, [200, 200, 200, 200, 404])
  assert.equal(field(logged.at(-1), 'reason'), 'groups-unreadable')
})

test('a token in another header opens nothing', async () => {
  assert.equal((await statusWith(new Map([['x-other', await key.sign(ANNA)]]))).status, 404)
})

test('a token of a proxy works until it expires', async () => {
  const exp = Math.floor(service.clock.now / 1000) + 60
  const assertions = new Map([[HEADER, await key.sign({ ...ANNA, exp })]])
  assert.equal((await statusWith(assertions)).status, 200)
  service.clock.now += 120_000
  assert.equal((await statusWith(assertions)).status, 404)
})

test('a token of a proxy that begins more than five seconds ahead opens nothing', async () => {
  const now = Math.floor(service.clock.now / 1000)
  const statusFor = async (times: object) =>
    (await statusWith(new Map([[HEADER, await key.sign({ ...ANNA, exp: now + 90_000, ...times })]]))).status
  for (const [times, status] of [
    [{ iat: now + 4 }, 200],
    [{ iat: now + 10 }, 404],
    [{ iat: now + 86_400 }, 404],
    [{ iat: now, nbf: now + 4 }, 200],
    [{ iat: now, nbf: now + 20 }, 404],
  ] as const)
    assert.deepEqual([times, await statusFor(times)], [times, status])
})

test('over a socket, the header of a proxy opens a guide, and a repeated one does not', async () => {
  const { url } = await runningService(temporary)
  const token = await key.sign(ANNA)
  const status = async (...values: string[]) => {
    const headers = new Headers({ accept: 'text/html' })
    for (const value of values) headers.append('X-Proxy-Jwt', value)
    return (await fetch(`${url}/acme/guide`, { headers })).status
  }
  assert.deepEqual([await status(token), await status(), await status('anna@example.com')], [200, 404, 404])
  const port = Number(new URL(url).port)
  const fields = ['X-Proxy-Jwt', token, 'X-Proxy-Jwt', token, 'Accept', 'text/html']
  assert.equal((await receive(port, '/acme/guide', { fields })).status, 404)
  assert.equal((await receive(port, '/acme/guide', { fields: fields.slice(2) })).status, 200)
})

test('the reader of plain requests leaves requests with a JWT in any field to the other reader', () => {
  const read = (field: string) => readPlain(Buffer.from(`GET / HTTP/1.1\r\nHost: a\r\n${field}\r\n\r\n`), '127.0.0.1')
  assert.equal(read('X-Proxy-Jwt: eyJhbGciOiJFUzI1NiJ9.e30.x'), undefined)
  assert.ok(read('X-Proxy-Jwt: other'))
})

test('a person behind a proxy loses answers and links with the group that allowed them', async () => {
  const rules = { domains: [], groups: [{ group: 'editors', manage: true }, { group: 'readers' }] } as const
  const proxied = await publishedStore('acme/guide', { 'guide/pages/index.md': '# One\n' })
  await proxied.importing('acme', { 'guide/pages/index.md': '# Two\n' })
  await allowIssuer(proxied, ISSUER, {
    way: { proxy: { header: HEADER, jwks: `${keys.url}/jwks`, audience: AUDIENCE } },
    clientSecret: undefined,
    rules,
  })
  const { service: answer, follow } = await peopleService(proxied)
  const visit = async (
    groups: readonly string[],
    path: string,
    fields?: Readonly<Record<string, string>>,
    cookie = '',
  ) => {
    const [target = '', query = ''] = path.split('?')
    const assertions = new Map([[HEADER, await key.sign({ ...ANNA, groups })]])
    const headers = { ...GET.headers, 'sec-fetch-site': 'same-origin', cookie, ...(fields && { 'content-type': FORM }) }
    const form = fields && { method: 'POST', body: Buffer.from(`${new URLSearchParams(fields)}`) }
    const reply = await answer({ ...GET, ...form, headers, path: target, query, assertions })
    const text = reply.body instanceof Uint8Array ? Buffer.from(reply.body).toString() : ''
    return { status: reply.status, text, fields: fieldsOf(headersOf(reply)) }
  }
  const press = async (path: string, fields: Readonly<Record<string, string>>) => {
    const { text } = await visit(['editors'], path)
    const hidden = text.matchAll(/<input type="hidden" name="(token|draft)" value="([^"]*)">/g)
    return visit(['editors'], path, { ...Object.fromEntries(Array.from(hidden, ([, ...pair]) => pair)), ...fields })
  }
  const approved = async () => (await projectStates(proxied.store, {}))[0]?.approved
  for (const lost of [['readers'], ['others']]) {
    assert.equal((await press('/acme/guide/-/draft/-/changes', { do: 'approve' })).status, 303)
    const made = await press('/acme/guide/-/manage', { do: 'share', of: 'draft', expires: '7d' })
    const [cookie] = made.fields.getSetCookie()
    const shown = await visit(['editors'], made.fields.get('location') ?? '', undefined, cookie)
    const [link = ''] = /\/acme\/guide\/-\/draft\/-\/share\/[\w-]+/.exec(shown.text) ?? []
    const opened = async () => (await answer({ ...GET, path: link })).status
    assert.deepEqual([await approved(), await opened()], [true, 303])
    await visit(lost, '/acme/guide')
    await follow()
    assert.deepEqual([await approved(), await opened()], [false, 404], `${lost}`)
  }
})
