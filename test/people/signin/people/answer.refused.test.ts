import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { beforeEach, test } from 'node:test'
import { field } from '#platform/base/object.ts'
import { endSessions, removeSignin } from '#serving/access/session/signins.ts'
import { startAlteredIssuer } from '../../../support/altered-issuer.ts'
import { allowIssuer, PEOPLE_URL, peopleService, SECRET } from '../../../support/people-service.ts'
import { accessTo, temporaryStore } from '../../../support/temporary-store.ts'
import { type Visitor, visitor } from '../../../support/visitor.ts'

/* Answers of issuers and requests of browsers that are not as they must be. */

const ANNA = { name: 'Anna Lee', email: 'anna@example.com', email_verified: true }
const issuer = await startAlteredIssuer()
const other = await startAlteredIssuer()
const temporary = await temporaryStore()
const { database } = temporary.store
await temporary.importing('acme', {
  'workspace.yaml': 'contact: brand@acme.example\n',
  'guide/pages/index.md': '# Secret plan\n',
  'web/pages/index.md': '# Web\n',
})
await temporary.importing('other', { 'guide/pages/index.md': '# Other\n' })
for (const place of ['acme/guide', 'acme/web', 'other/guide']) await temporary.publish(place)
await allowIssuer(temporary, issuer.url, { rules: { groups: [{ group: 'agency', projects: ['web'] }] } })
await allowIssuer(temporary, other.url, { workspace: 'other' })
const service = await peopleService(temporary)

beforeEach(() => {
  for (const each of [issuer, other]) {
    Object.assign(each, { metadata: {}, redirect: {}, claims: ANNA, tokens: {}, userinfo: {} })
  }
})

/** Begins at the service, and returns the address to which the issuer redirects. */
async function beginAt(anna: Visitor, workspace = 'acme', path = `/${workspace}/guide`): Promise<string> {
  const start = await anna.get(`/-/signin?${new URLSearchParams({ workspace, return: path })}`)
  assert.equal(start.status, 303, start.text)
  const answered = await fetch(start.headers.get('location') ?? '', { redirect: 'manual' })
  return answered.headers.get('location') ?? ''
}

/** Asserts that an answer signs no one in, and reveals nothing about guides. */
async function assertRefused(anna: Visitor, address: string, status: number, text: RegExp): Promise<void> {
  const answer = await anna.get(address)
  assert.equal(answer.status, status, answer.text)
  assert.match(answer.text, text)
  assert.doesNotMatch(answer.text, /Secret plan|acme\.example\/guide/)
  const hasSession = [...anna.cookies.keys()].some(name => name.includes('session'))
  assert.equal(hasSession, false)
  assert.deepEqual([answer.headers.get('cache-control'), answer.headers.get('x-robots-tag')], ['no-store', 'noindex'])
  assert.deepEqual(await database.all('SELECT id FROM session'), [])
}

const NOT_CONFIRMED = /You cancelled it, or the service that knows your account did not confirm it/
const WRONG_SETUP = /<h1>Sign-in is set up wrongly<\/h1>.*<a href="mailto:brand@acme\.example"/s
const EXPIRED = /This sign-in has expired/

const answers: Record<
  string,
  [alter: Partial<Pick<typeof issuer, 'redirect' | 'claims' | 'tokens' | 'metadata'>>, status: number, text: RegExp]
> = {
  'another nonce': [{ claims: { ...ANNA, nonce: 'other' } }, 400, NOT_CONFIRMED],
  'no nonce': [{ claims: { ...ANNA, nonce: undefined } }, 400, NOT_CONFIRMED],
  'another audience': [{ claims: { ...ANNA, aud: 'other' } }, 400, NOT_CONFIRMED],
  'a token that another client requested': [{ claims: { ...ANNA, azp: 'other' } }, 400, NOT_CONFIRMED],
  'several audiences, and a token that another client requested': [
    { claims: { ...ANNA, aud: ['guides', 'other'], azp: 'other' } },
    400,
    NOT_CONFIRMED,
  ],
  'an empty subject': [{ claims: { ...ANNA, sub: '' } }, 400, NOT_CONFIRMED],
  'another issuer in the token': [{ claims: { ...ANNA, iss: 'https://other.example' } }, 400, NOT_CONFIRMED],
  'an expired token': [{ claims: { ...ANNA, exp: 1 } }, 400, NOT_CONFIRMED],
  'no ID token': [{ tokens: { id_token: undefined } }, 400, NOT_CONFIRMED],
  'a token of another key': [{ tokens: { id_token: 'eyJhbGciOiJSUzI1NiJ9.e30.AAAA' } }, 400, NOT_CONFIRMED],
  'another issuer in the answer': [{ redirect: { iss: 'https://other.example' } }, 400, NOT_CONFIRMED],
  'no issuer in the answer, although the issuer supports it': [{ redirect: { iss: undefined } }, 400, NOT_CONFIRMED],
  'an error': [{ redirect: { error: 'access_denied', code: undefined } }, 400, NOT_CONFIRMED],
  'an error about the client': [{ redirect: { error: 'unauthorized_client', code: undefined } }, 503, WRONG_SETUP],
  'an error about the scopes': [{ redirect: { error: 'invalid_scope', code: undefined } }, 503, WRONG_SETUP],
  'a refused client': [{ tokens: { error: 'invalid_client' } }, 503, WRONG_SETUP],
  'a refused redirect address': [{ tokens: { error: 'redirect_uri_mismatch' } }, 503, WRONG_SETUP],
  'a refused code': [{ tokens: { error: 'invalid_grant' } }, 400, NOT_CONFIRMED],
  'an outage': [{ tokens: { error: 'temporarily_unavailable' } }, 503, /Sign-in is not available now/],
  'another state': [{ redirect: { state: 'other' } }, 400, EXPIRED],
  'no state': [{ redirect: { state: undefined } }, 400, EXPIRED],
  'an unverified address': [{ claims: { ...ANNA, email_verified: false } }, 403, /its e-mail address is not verified/],
  'a cut list of groups': [
    { claims: { _claim_names: { groups: 'src1' }, email: 'x@y.z', email_verified: true } },
    403,
    /more groups than the sign-in can carry/,
  ],
  'an unknown person': [
    { claims: { email: 'x@y.z', email_verified: true, groups: ['none'] } },
    403,
    /<h1>You have no access<\/h1>.*<bdi>x@y\.z<\/bdi>.*may not see these guides.*href="mailto:brand@acme\.example".*Sign in again/s,
  ],
}
for (const [name, [alter, status, text]] of Object.entries(answers))
  test(`an answer with ${name} signs no one in`, async () => {
    Object.assign(issuer, alter)
    const anna = visitor(service.service)
    await assertRefused(anna, await beginAt(anna), status, text)
  })

test('the log says what the issuer said, without the code, and also if it redirects with an error', async () => {
  const described = { error: 'invalid_scope', error_description: 'no \u202escope groups' }
  for (const alter of [{ redirect: { ...described, code: undefined } }, { tokens: described }]) {
    Object.assign(issuer, { redirect: {}, tokens: {} }, alter)
    await visitorAt(503)
    assert.equal(lastLine(), 'an issuer failed: invalid_scope: no scope groups')
  }
  issuer.redirect = {}
  issuer.tokens = ({ code = '' }) => ({ error: 'invalid_grant', error_description: `the code ${code} is used` })
  await visitorAt(400)
  assert.equal(lastLine(), 'an issuer failed: invalid_grant: the code ... is used')
})

async function visitorAt(status: number): Promise<void> {
  const anna = visitor(service.service)
  assert.equal((await anna.get(await beginAt(anna))).status, status)
}

function lastLine(): unknown {
  const last = service.logged.findLast(line => String(field(line, 'message')).startsWith('an issuer failed'))
  return field(last, 'message')
}

test('an ID token without a signature, or signed with the secret of the client, signs no one in', async () => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  for (const alg of ['none', 'HS256', 'RS256']) {
    issuer.metadata = { id_token_signing_alg_values_supported: ['none', 'HS256', 'RS256'] }
    const anew = await peopleService(temporary)
    const anna = visitor(anew.service)
    const start = await anna.get('/-/signin?workspace=acme')
    const location = new URL(start.headers.get('location') ?? '')
    const times = { iat: Math.floor(Date.now() / 1000), exp: Math.floor(Date.now() / 1000) + 60 }
    const claims = {
      iss: issuer.url,
      sub: 'anna',
      aud: 'guides',
      nonce: location.searchParams.get('nonce'),
      ...times,
      ...ANNA,
    }
    const signed = `${part({ alg })}.${part(claims)}`
    const mac = createHmac('sha256', SECRET).update(signed).digest('base64url')
    issuer.tokens = { id_token: `${signed}.${alg === 'none' ? '' : mac}` }
    const answered = await fetch(location, { redirect: 'manual' })
    await assertRefused(anna, answered.headers.get('location') ?? '', 400, NOT_CONFIRMED)
  }
})

test('a token that names the client as the one that requested it signs a person in', async () => {
  issuer.claims = { ...ANNA, azp: 'guides' }
  const anna = visitor(service.service)
  assert.equal((await anna.get(await beginAt(anna))).status, 303)
  await endSessions(accessTo(temporary.store), 'all', new Date())
  await database.transaction(queries => queries.run('DELETE FROM session'))
})

test('an issuer whose metadata is missing or of another issuer is set up wrongly', async () => {
  for (const metadata of [{ issuer: 'https://other.example' }, { token_endpoint: undefined }, { error: 'gone' }]) {
    issuer.metadata = metadata
    const { status, text } = await visitor((await peopleService(temporary)).service).get('/-/signin?workspace=acme')
    assert.equal(status, 503)
    assert.match(text, WRONG_SETUP)
  }
})

test('pages of sign-in, and of unknown addresses, have the language that the browser prefers', async () => {
  issuer.claims = { email: '<i>@y.z', email_verified: true, groups: [] }
  const languages: [accepted: string, html: string, refused: string, account: string, missing: string][] = [
    [
      'de-CH, en;q=0.5',
      '<html lang="de">',
      'Sie haben keinen Zugriff',
      'Ihr Konto: ',
      'Dieser Styleguide ist für die Menschen von acme',
    ],
    [
      'pl, ar;q=0.1',
      '<html lang="ar" dir="rtl">',
      'ليس لديك إذن بالوصول',
      'حسابك: ',
      'هذا الدليل مخصص للعاملين مع acme',
    ],
    ['pl, en-US', '<html lang="en">', 'You have no access', 'Your account: ', 'This guide is for people of acme'],
    ['*', '<html lang="en">', 'You have no access', 'Your account: ', 'This guide is for people of acme'],
  ]
  for (const [accepted, html, refused, account, missing] of languages) {
    const headers = { 'accept-language': accepted }
    const anna = visitor(service.service)
    const pages = [await anna.get(await beginAt(anna), headers), await anna.get('/acme/gone', headers)]
    const seen = pages.map(({ text }) => /<html.*?>/.exec(text)?.[0])
    assert.deepEqual(seen, [html, html])
    assert.match(
      pages[0]?.text ?? '',
      new RegExp(`<h1>${refused}</h1>\\n<div>\\n<p>${account}<bdi>&#60;i&#62;@y\\.z</bdi></p>`),
    )
    assert.match(pages[1]?.text ?? '', new RegExp(`<h1>${missing}</h1>`))
  }
})

test('the answer of one issuer does not complete a sign-in that began at another', async () => {
  const anna = visitor(service.service)
  const honest = new URL(await beginAt(anna))
  const attacker = visitor(service.service)
  const wrong = new URL(await beginAt(attacker, 'other'))
  honest.searchParams.set('code', wrong.searchParams.get('code') ?? '')
  honest.searchParams.set('iss', other.url)
  await assertRefused(anna, honest.href, 400, NOT_CONFIRMED)
})

test('an answer for another browser signs no one in, so that no one is signed in as someone else', async () => {
  const [anna, mallory] = [visitor(service.service), visitor(service.service)]
  const address = await beginAt(mallory)
  await assertRefused(anna, address, 400, EXPIRED)
  await beginAt(anna)
  await assertRefused(anna, address, 400, EXPIRED)
})

test('a code works once, and only with the cookie of its sign-in', async () => {
  const anna = visitor(service.service)
  const address = await beginAt(anna)
  const copied = visitor(service.service)
  for (const [name, value] of anna.cookies) copied.cookies.set(name, value)
  assert.equal((await anna.get(address)).status, 303)
  await endSessions(accessTo(temporary.store), 'all', new Date())
  await database.transaction(queries => queries.run('DELETE FROM session'))
  const again = visitor(service.service)
  await assertRefused(again, address, 400, EXPIRED)
})

test('a used link of a sign-in redirects to the same page again while its session is live in this browser', async () => {
  await endSessions(accessTo(temporary.store), 'all', new Date())
  const anna = visitor(service.service)
  const [guide, missing] = [await beginAt(anna), await beginAt(anna, 'acme', '/acme/guide/missing?a=b')]
  const requests = issuer.tokenRequests.length
  for (const at of ['first', 'again', 'once more']) {
    const { status, headers } = await anna.get(guide)
    const seen = [status, headers.get('location'), headers.get('cache-control')]
    assert.deepEqual(seen, [303, '/acme/guide', 'no-store'], at)
  }
  assert.equal(issuer.tokenRequests.length, requests + 1)
  const [session] = [...anna.cookies.values()]
  assert.equal((await anna.get(missing)).headers.get('location'), '/acme/guide/missing?a=b')
  assert.notEqual([...anna.cookies.values()][0]?.value, session?.value)
  // The later sign-in has ended the session of the earlier one.
  assert.equal((await anna.get(guide)).status, 400)
  for (const other of [missing.replace('state=', 'state=a'), missing.replace(/state=[^&]*/, 'state=')])
    assert.equal((await anna.get(other)).status, 400, other)
  assert.equal((await visitor(service.service).get(missing)).status, 400)
  await endSessions(accessTo(temporary.store), 'all', new Date())
  await service.follow()
  assert.equal((await anna.get(missing)).status, 400)
  await database.transaction(queries => queries.run('DELETE FROM session'))
})

test('two tabs can sign in, and the oldest of many sign-ins under way is forgotten', async () => {
  issuer.claims = ANNA
  const store = await temporaryStore()
  await store.importing('acme', { 'guide/pages/index.md': '# Guide\n' })
  await allowIssuer(store, issuer.url)
  const { service: tabs } = await peopleService(store)
  const anna = visitor(tabs)
  const long = `/acme/guide?q=${'a'.repeat(1900)}`
  const addresses: string[] = []
  for (const path of ['/acme/one', '/acme/two', long, '/acme/four', '/acme/five']) {
    addresses.push(await beginAt(anna, 'acme', path))
    const sizes = Array.from(anna.cookies, ([name, { value }]) => name.length + value.length)
    assert.ok(Math.max(...sizes) < 4096 && sizes.length <= 4, String(sizes))
  }
  assert.match((await anna.get(addresses[0] ?? '')).text, EXPIRED)
  assert.equal((await anna.get(addresses[3] ?? '')).headers.get('location'), '/acme/four')
  assert.equal((await anna.get(addresses[2] ?? '')).headers.get('location'), long)
})

test('after signing in at a long address, people return to it without its query, or to the workspace', async () => {
  issuer.claims = ANNA
  const store = await temporaryStore()
  await store.importing('acme', { 'guide/pages/index.md': '# Guide\n' })
  await allowIssuer(store, issuer.url)
  const { service: tabs } = await peopleService(store)
  for (const [path, kept] of [
    [`/acme/guide?q=${'a'.repeat(3000)}`, '/acme/guide'],
    [`/acme/${'a'.repeat(3000)}`, '/acme'],
  ] as const) {
    const anna = visitor(tabs)
    assert.equal((await anna.get(await beginAt(anna, 'acme', path))).headers.get('location'), kept)
  }
})

test('a sign-in expires after ten minutes', async () => {
  const late = await peopleService(temporary)
  const anna = visitor(late.service)
  const address = await beginAt(anna)
  late.clock.now += 600_000
  await assertRefused(anna, address, 400, EXPIRED)
})

test('people choose an issuer by its name or the workspace, and a sign-in under way ends with its settings', async () => {
  const id = await allowIssuer(temporary, other.url, { workspace: 'acme', name: 'Other' })
  await service.follow()
  const anna = visitor(service.service)
  const choice = await anna.get('/-/signin?workspace=acme&return=/acme/web')
  assert.equal(choice.status, 200)
  assert.match(
    choice.text,
    new RegExp(`href="/-/signin\\?workspace=acme&#38;return=%2Facme%2Fweb&amp;with=${id}">Other</a>`),
  )
  assert.equal(choice.text.match(/<li>/g)?.length, 2)
  // The other issuer has no name.
  assert.match(choice.text, />acme<\/a><\/li>/i)
  assert.doesNotMatch(choice.text, /127\.0\.0\.1|localhost/)
  const third = await allowIssuer(temporary, other.url, { workspace: 'acme' })
  await service.follow()
  const numbered = await anna.get('/-/signin?workspace=acme')
  for (const number of [1, 2]) assert.match(numbered.text, new RegExp(`<bdi>acme</bdi> \\(${number}\\)</a>`, 'i'))
  await removeSignin(accessTo(temporary.store), third, new Date())
  const start = await anna.get(`/-/signin?workspace=acme&with=${id}`)
  const answered = await fetch(start.headers.get('location') ?? '', { redirect: 'manual' })
  await removeSignin(accessTo(temporary.store), id, new Date())
  await service.follow()
  await assertRefused(anna, answered.headers.get('location') ?? '', 400, EXPIRED)
})

test('groups may be in a nested claim, of the ID token or of userinfo', async () => {
  const store = await temporaryStore()
  await store.importing('acme', { 'guide/pages/index.md': '# Secret plan\n' })
  const rules = { domains: [], groups: [{ group: 'designers' }], groupsClaim: 'realm_access.roles' }
  await allowIssuer(store, issuer.url, { rules })
  const { service: nested, logged } = await peopleService(store)
  const realm = { realm_access: { roles: ['designers'] } }
  for (const [claims, userinfo, status] of [
    [realm, {}, 303],
    [{ realm_access: { other: [] } }, realm, 303],
    [{ realm_access: null }, realm, 303],
    [{ realm_access: { roles: [] } }, realm, 403],
    [{ realm_access: { roles: 7 } }, {}, 403],
  ] as const) {
    Object.assign(issuer, { claims, userinfo })
    const anna = visitor(nested)
    assert.equal((await anna.get(await beginAt(anna))).status, status, JSON.stringify([claims, userinfo]))
  }
  assert.equal(field(logged.at(-1), 'reason'), 'groups-unreadable')
})

test('a group opens only its projects', async () => {
  issuer.claims = { name: 'Ben', email: 'ben@agency.example', groups: ['agency'] }
  const ben = visitor(service.service)
  assert.equal((await ben.get(await beginAt(ben, 'acme', '/acme/web'))).headers.get('location'), '/acme/web')
  assert.equal((await ben.get('/acme/web')).status, 200)
  const hidden = await ben.get('/acme/guide')
  assert.equal(hidden.status, 404)
  assert.match(hidden.text, /You are signed in as <bdi>Ben<\/bdi>/)
  assert.equal(hidden.text.replaceAll('guide', 'gone'), (await ben.get('/acme/gone')).text.replaceAll('guide', 'gone'))
})

test('groups and an address that are missing in the ID token come from userinfo, but only of the same person', async () => {
  Object.assign(issuer, { claims: {}, userinfo: { ...ANNA, groups: ['agency'] } })
  const anna = visitor(service.service)
  assert.equal((await anna.get(await beginAt(anna))).status, 303)
  assert.equal((await anna.get('/acme/guide')).status, 200)
  await endSessions(accessTo(temporary.store), 'all', new Date())
  await database.transaction(queries => queries.run('DELETE FROM session'))
  issuer.userinfo = { ...ANNA, sub: 'someone else' }
  const wrong = visitor(service.service)
  await assertRefused(wrong, await beginAt(wrong), 400, NOT_CONFIRMED)
})

test('a workspace without issuers offers no sign-in', async () => {
  const anna = visitor(service.service)
  for (const workspace of ['gone', '', 'acme%00', '-']) {
    const answer = await anna.get(`/-/signin?workspace=${workspace}`)
    assert.equal(answer.status, 404)
    assert.doesNotMatch(answer.text, /Sign in/)
  }
})

test('another site cannot sign a person out', async () => {
  const anna = visitor(service.service)
  await anna.get(await beginAt(anna))
  const form = { workspace: 'acme' }
  const foreign = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
    {},
  ]
  for (const headers of foreign)
    assert.equal((await anna.post('/-/signout', form, { 'sec-fetch-site': undefined, ...headers })).status, 403)
  const line = service.logged.findLast(each => field(each, 'event') === 'form-refused')
  const seen = ['reason', 'operation', 'workspace'].map(name => field(line, name))
  assert.deepEqual(seen, ['cross-site', 'signin', 'acme'])
  assert.equal(typeof field(line, 'subject'), 'string')
  assert.equal((await anna.get('/acme/guide')).status, 200)
  assert.equal((await anna.get('/-/signout?workspace=acme')).status, 200)
  assert.equal((await anna.get('/acme/guide')).status, 200)
  assert.equal((await anna.post('/-/signout', form, { 'sec-fetch-site': undefined, origin: PEOPLE_URL })).status, 200)
  assert.equal((await anna.get('/acme/guide')).status, 404)
})

test('other methods sign no one in or out, and the reply names the ones that do', async () => {
  for (const [path, allow] of [
    ['/-/signin', 'GET, OPTIONS'],
    ['/-/signed-in', 'GET, OPTIONS'],
    ['/-/signout', 'GET, POST, OPTIONS'],
  ] as const) {
    for (const method of ['HEAD', 'PUT', 'DELETE', 'OPTIONS']) {
      const { status, headers } = await service.ask(path, { method })
      assert.deepEqual([status, headers.get('allow')], [method === 'OPTIONS' ? 204 : 405, allow])
    }
  }
  assert.equal((await visitor(service.service).post('/-/signin', { workspace: 'acme' })).status, 405)
})

test('over plain http from other machines, no one can sign in', async () => {
  const open = await peopleService(temporary, { publicUrl: 'http://brand.test' })
  const answer = await visitor(open.service).get('/-/signin?workspace=acme')
  assert.equal(answer.status, 403)
  assert.match(answer.text, /Sign-in needs https/)
})

test('below a base path and behind https, addresses have the path, and cookies the prefix of the host', async () => {
  const publicUrl = 'https://brand.example/guides'
  const below = await peopleService(temporary, { publicUrl })
  const { text } = await below.ask('/guides/acme/guide?page=2', { headers: { accept: 'text/html' } })
  const path = '/guides/-/signin?workspace=acme'
  assert.ok(text.includes(`href="${path}"`), text)
  const start = await below.ask(path)
  const location = new URL(start.headers.get('location') ?? '')
  assert.equal(location.searchParams.get('redirect_uri'), `${publicUrl}/-/signed-in`)
  assert.deepEqual(
    ['response_type', 'code_challenge_method', 'scope', 'client_id'].map(name => location.searchParams.get(name)),
    ['code', 'S256', 'openid profile email', 'guides'],
  )
  const [cookie = ''] = start.headers.getSetCookie()
  assert.match(
    cookie,
    /^__Host-housestyle_signin_[\w-]{12}=[\w.-]+; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  )
})

test('sign-ins count against the public limit', async () => {
  const limited = await peopleService(temporary, { ratePublic: { requests: 2, seconds: 60 } })
  const statuses = []
  for (let at = 0; at < 3; at++) statuses.push((await limited.ask('/-/signin?workspace=acme')).status)
  assert.deepEqual(statuses, [303, 303, 429])
})

test('no log line contains a code, a state, a token, a secret or an address', async () => {
  const anna = visitor(service.service)
  const address = new URL(await beginAt(anna))
  await anna.get(address.href)
  const lines = JSON.stringify(service.logged)
  assert.match(lines, /"event":"signed-in"/)
  assert.match(lines, /"event":"sign-in-refused"/)
  for (const secret of [
    address.searchParams.get('code'),
    address.searchParams.get('state'),
    'anna@',
    'eyJ',
    'the secret',
  ])
    assert.equal(lines.includes(secret ?? '?'), false, `${secret}`)
})

test('the log has e-mail addresses only if the operator enables them', async () => {
  const open = await peopleService(temporary, { logEmail: true })
  const anna = visitor(open.service)
  await anna.get(await beginAt(anna))
  assert.match(JSON.stringify(open.logged), /"event":"signed-in".*"email":"anna@example\.com"/)
})
