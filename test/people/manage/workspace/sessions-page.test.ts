import assert from 'node:assert/strict'
import test from 'node:test'
import { field } from '#platform/base/object.ts'
import { issuerKey, issuerServer } from '../../../support/issuer-server.ts'
import { signInAt, signOutAt, startPeopleIssuer } from '../../../support/people-issuer.ts'
import {
  allowIssuer,
  formOf,
  PEOPLE_URL,
  peopleService,
  SECRET,
  sessionCookie,
} from '../../../support/people-service.ts'
import { publishedStore, temporaryStore } from '../../../support/temporary-store.ts'
import { FORM, visitor } from '../../../support/visitor.ts'

const PAGE = '/acme/-/sessions'
const temporary = await temporaryStore()
for (const place of ['acme/guide', 'other/guide'])
  await temporary.publishing(place, { 'guide/pages/index.md': '# Home\n' })
const { database } = temporary.store
const [one, two] = [await peopleService(temporary), await peopleService(temporary)]

const ADA = { name: 'Ada', subject: 'ada' }
const sessionOf = (workspace: string, person: object = ADA) => sessionCookie(temporary, workspace, person)
const idOf = (cookie: string) => /=([0-9a-f]+)\./.exec(cookie)?.[1] ?? ''
const open = (cookie: string, address = PAGE) => one.ask(address, { headers: { cookie, accept: 'text/html' } })
const idsIn = (text: string) => [...text.matchAll(/name="id" value="(\w+)"/g)].map(([, id]) => id)
const worksAt = async ({ ask }: typeof one, cookie: string) =>
  (await ask('/acme/guide', { headers: { cookie } })).status === 200

/** Presses a button of the page, and returns the reply. */
async function press(cookie: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
  const token = /name="token" value="([^"]+)"/.exec((await open(cookie)).text)?.[1] ?? ''
  one.logged.length = 0
  return one.ask(PAGE, formOf({ token, ...fields }, { cookie, ...headers }))
}

test('people see their own sessions of a workspace, this one first, with their age and last use', async () => {
  const eve = { name: 'Eve', subject: 'eve' }
  const [elsewhere, here] = [await sessionOf('acme', eve), await sessionOf('acme', eve)]
  for (const foreign of [sessionOf('acme', { name: 'Ben', subject: 'ben' }), sessionOf('other', eve)]) await foreign
  const used = 'UPDATE session SET created_at = ?, used_at = ? WHERE id = ?'
  await database.run('UPDATE session SET browser = ? WHERE id = ?', 'Firefox, Windows', idOf(elsewhere))
  const ago = (minutes: number) => Date.now() - minutes * 60_000 - 30_000
  await database.run(used, ago(200), ago(40), idOf(elsewhere))
  await database.run(used, ago(61), ago(0), idOf(here))
  const { status, text, headers } = await open(here)
  assert.equal(status, 200)
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.deepEqual(idsIn(text), [idOf(here), idOf(elsewhere)])
  const entries = [...text.matchAll(/<div><strong>(.*?)<\/strong> <span>(.*?)<\/span>/g)].map(([, ...facts]) => facts)
  assert.deepEqual(entries, [
    ['This session', 'signed in 1 hour ago'],
    ['Firefox, Windows', 'signed in 3 hours ago, last used 40 minutes ago'],
  ])
  assert.match(text, /aria-label="End Firefox, Windows, signed in 3 hours ago"/)
  assert.deepEqual(idsIn((await open(here, '/acme/-/sessions?done=end')).text), idsIn(text))
})

test('a person ends another session of theirs in every process, and the log says who ended it', async () => {
  const [elsewhere, third, here] = [await sessionOf('acme'), await sessionOf('acme'), await sessionOf('acme')]
  for (const service of [one, two]) assert.ok(await worksAt(service, elsewhere))
  const reply = await press(here, { do: 'end', id: idOf(elsewhere) })
  assert.deepEqual([reply.status, reply.headers.get('location')], [303, `${PAGE}?done=end`])
  assert.deepEqual(one.logged, [
    {
      event: 'sessions-ended',
      message: 'sessions-ended',
      workspace: 'acme',
      sessions: 1,
      subject: 'ada',
      address: '127.0.0.1',
    },
  ])
  const { text } = await open(here, `${PAGE}?done=end`)
  assert.match(text, /role="status">The session has ended\.<\/p>/)
  assert.deepEqual(idsIn(text), [idOf(here), idOf(third)])
  await two.follow()
  for (const service of [one, two])
    for (const [cookie, works] of [
      [elsewhere, false],
      [third, true],
      [here, true],
    ] as const)
      assert.equal(await worksAt(service, cookie), works)
})

test('a person ends all other sessions of theirs in this workspace, and no others', async () => {
  const others = [await sessionOf('acme'), await sessionOf('acme')]
  const [inOther, ofBen] = [await sessionOf('other'), await sessionOf('acme', { subject: 'ben' })]
  const here = await sessionOf('acme')
  await database.run('UPDATE session SET used_at = 0 WHERE id = ?', idOf(others[0] ?? ''))
  const reply = await press(here, { do: 'end-others' })
  assert.deepEqual([reply.status, reply.headers.get('location')], [303, `${PAGE}?done=end-others`])
  assert.equal(field(one.logged[0], 'subject'), 'ada')
  const { text } = await open(here, `${PAGE}?done=end-others`)
  assert.match(text, /role="status">All other sessions have ended\./)
  assert.deepEqual(idsIn(text), [idOf(here)])
  assert.doesNotMatch(text, /End all other sessions/)
  await two.follow()
  for (const cookie of others) assert.equal(await worksAt(two, cookie), false)
  assert.ok(await worksAt(two, ofBen))
  assert.equal((await two.ask('/other/guide', { headers: { cookie: inOther } })).status, 200)
  assert.equal((await press(here, { do: 'end-others' })).status, 303)
  assert.deepEqual(one.logged, [], 'nothing was left to end')
})

test('a session of another person or workspace gets the same 404 as an unknown one, and continues', async () => {
  const here = await sessionOf('acme')
  const [ofBen, inOther] = [await sessionOf('acme', { subject: 'ben' }), await sessionOf('other')]
  const unknown = await press(here, { do: 'end', id: 'f'.repeat(32) })
  assert.equal(unknown.status, 404)
  assert.match(unknown.text, /role="alert">This session had already ended\./)
  for (const id of [idOf(ofBen), idOf(inOther), '']) {
    const reply = await press(here, { do: 'end', id })
    assert.deepEqual([reply.status, reply.text], [404, unknown.text])
    const seen = one.logged.map(line => [field(line, 'event'), field(line, 'reason'), field(line, 'operation')])
    assert.deepEqual(seen, [['form-refused', 'content', 'signin']])
  }
  assert.ok(await worksAt(one, ofBen))
  assert.equal((await one.ask('/other/guide', { headers: { cookie: inOther } })).status, 200)
  assert.equal((await press(here, { do: 'nothing' })).status, 400)
})

test('a form of another site or another session ends nothing, and leaves a line', async () => {
  const [elsewhere, here] = [await sessionOf('acme'), await sessionOf('acme')]
  const given = { do: 'end', id: idOf(elsewhere) }
  for (const [fields, headers, reason] of [
    [given, { origin: 'https://evil.example' }, 'cross-site'],
    [given, { 'sec-fetch-site': 'same-site' }, 'cross-site'],
    [{ ...given, token: 'x'.repeat(43) }, {}, 'session'],
  ] as const) {
    assert.equal((await press(here, fields, headers)).status, 403)
    assert.equal(field(one.logged[0], 'reason'), reason)
  }
  assert.ok(await worksAt(one, elsewhere))
})

test('without a session, the address offers to sign in, like each address of the workspace', async () => {
  const closed = await publishedStore('acme/guide', { 'guide/pages/index.md': '# Home\n' })
  await allowIssuer(closed, 'https://login.acme.example')
  const { ask, logged } = await peopleService(closed)
  const ended = await sessionCookie(closed, 'acme', { isEnded: true })
  for (const headers of [{ accept: 'text/html' }, { accept: 'text/html', cookie: ended }]) {
    const { status, text } = await ask(PAGE, { headers })
    assert.equal(status, 404)
    assert.match(text, /href="\/-\/signin\?workspace=acme">Sign in</)
    assert.equal(text, (await ask('/acme/-/nothing', { headers })).text)
  }
  assert.deepEqual(logged, [])
  const reply = await ask(PAGE, { method: 'POST', headers: { cookie: ended, 'content-type': FORM }, body: 'do=end' })
  assert.equal(reply.status, 404)
  assert.deepEqual([field(logged[0], 'event'), field(logged[0], 'reason')], ['form-refused', 'session'])
})

test('ending the present session signs out, here and at the issuer', async () => {
  const anna = { sub: 'anna', password: 'sesame', name: 'Anna', email: 'anna@example.com', emailVerified: true }
  const issuer = await startPeopleIssuer({ people: [anna], client: { id: 'guides', secret: SECRET } })
  await issuer.setRedirects([`${PEOPLE_URL}/-/signed-in`], [`${PEOPLE_URL}/-/signout`])
  const closed = await publishedStore('acme/guide', { 'guide/pages/index.md': '# Home\n' })
  await allowIssuer(closed, issuer.url)
  const { service, logged } = await peopleService(closed)
  const browser = visitor(service)
  const jar = new Map<string, string>()
  const start = await browser.get(`/-/signin?workspace=acme&return=${PAGE}`)
  const finish = await browser.get(await signInAt(issuer, start.headers.get('location') ?? '', anna, jar))
  assert.equal(finish.headers.get('location'), PAGE)
  const { text, headers } = await browser.get(PAGE)
  assert.match(headers.get('content-security-policy') ?? '', /form-action 'self' https:/)
  const token = /name="token" value="([^"]+)"/.exec(text)?.[1] ?? ''
  const out = await browser.post(PAGE, { token, do: 'end', id: idsIn(text)[0] ?? '' })
  assert.equal(out.status, 303)
  assert.equal(browser.cookies.size, 0)
  assert.equal(field(logged.at(-1), 'event'), 'signed-out')
  assert.equal(await signOutAt(issuer, out.headers.get('location') ?? '', jar), `${PEOPLE_URL}/-/signout`)
  assert.equal((await browser.get(PAGE)).status, 404)
})

test('without an issuer that ends sessions, ending the present one redirects to the page that says so', async () => {
  const here = await sessionOf('acme')
  const reply = await press(here, { do: 'end', id: idOf(here) })
  assert.deepEqual([reply.status, reply.headers.get('location')], [303, '/-/signout?workspace=acme'])
  assert.match(reply.headers.get('set-cookie') ?? '', /housestyle_session_acme=;.*Max-Age=0/)
  assert.equal(await worksAt(one, here), false)
})

test('the header, the workspace and the page to sign out link to the sessions', async () => {
  const here = await sessionOf('acme')
  for (const address of ['/acme/guide', '/acme', '/-/signout?workspace=acme'])
    assert.match((await open(here, address)).text, /href="\/acme\/-\/sessions"/, address)
})

test('people behind a proxy have no sessions: neither the page nor a link to it exists', async () => {
  const key = await issuerKey('one')
  const { url } = await issuerServer(key)
  const closed = await publishedStore('acme/guide', { 'guide/pages/index.md': '# Home\n' })
  const way = { proxy: { header: 'x-proxy-jwt', jwks: `${url}/jwks`, audience: 'guides' } }
  await allowIssuer(closed, 'proxy.example', { way, clientSecret: undefined })
  const { service } = await peopleService(closed)
  const person = { iss: 'proxy.example', aud: 'guides', sub: 'anna', email: 'anna@example.com', name: 'Anna' }
  const assertions = new Map([['x-proxy-jwt', await key.sign(person)]])
  const pageAt = async (path: string) => {
    const headers = { accept: 'text/html' }
    const reply = await service({
      method: 'GET',
      path,
      query: '',
      headers,
      authorizations: 0,
      address: '127.0.0.1',
      assertions,
    })
    return {
      status: reply.status,
      text: reply.body instanceof Uint8Array ? new TextDecoder().decode(reply.body) : '',
    }
  }
  assert.equal((await pageAt(PAGE)).status, 404)
  for (const path of ['/acme/guide', '/acme']) {
    const { status, text } = await pageAt(path)
    assert.equal(status, 200)
    assert.match(text, /Anna/)
    assert.doesNotMatch(text, /-\/sessions/)
  }
})
