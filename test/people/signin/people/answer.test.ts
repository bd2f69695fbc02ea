import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encryptKey } from '#serving/access/keys/key-encryption.ts'
import { endSessions } from '#serving/access/session/signins.ts'
import { startAlteredIssuer } from '../../../support/altered-issuer.ts'
import { signInAt, signOutAt, startPeopleIssuer } from '../../../support/people-issuer.ts'
import { allowIssuer, PEOPLE_URL, peopleService, SECRET } from '../../../support/people-service.ts'
import { accessTo, publishedStore } from '../../../support/temporary-store.ts'
import { cookieField, type Visitor, visitor } from '../../../support/visitor.ts'

const ANNA = { sub: 'anna', password: 'sesame', name: 'Anna Lee', email: 'anna@example.com', emailVerified: true }
const issuer = await startPeopleIssuer({ people: [ANNA], client: { id: 'guides', secret: SECRET } })
await issuer.setRedirects([`${PEOPLE_URL}/-/signed-in`], [`${PEOPLE_URL}/-/signout`])
const temporary = await publishedStore('acme/guide', { 'guide/pages/index.md': '# Secret\n' })

test('a person signs in from a private address, returns to it, and signs out here and at the issuer', async () => {
  await allowIssuer(temporary, issuer.url)
  const one = await peopleService(temporary)
  const two = await peopleService(temporary)
  const anna = visitor([one.service, two.service])
  const hidden = await anna.get('/acme/guide')
  assert.equal(hidden.status, 404)
  const [, link = ''] = /href="([^"]*\/-\/signin[^"]*)"/.exec(hidden.text) ?? []
  assert.equal(link, '/-/signin?workspace=acme')
  const start = await anna.get(link, { referer: `${PEOPLE_URL}/acme/guide` })
  assert.equal(start.status, 303, start.text)
  const jar = new Map<string, string>()
  const back = await signInAt(issuer, start.headers.get('location') ?? '', ANNA, jar)
  const finish = await anna.get(back)
  assert.equal(finish.status, 303, finish.text)
  assert.equal(finish.headers.get('location'), '/acme/guide')
  assert.deepEqual([...anna.cookies.keys()], ['housestyle_session_acme'])
  const guide = await anna.get('/acme/guide')
  assert.equal(guide.status, 200)
  assert.match(guide.text, /Anna Lee/)
  assert.equal(guide.headers.get('cache-control'), 'private, no-cache')

  const button = await anna.get('/-/signout?workspace=acme&return=/acme/guide')
  assert.match(button.text, /Anna Lee/)
  const out = await anna.post('/-/signout', { workspace: 'acme' })
  assert.equal(out.status, 303)
  assert.equal(anna.cookies.size, 0)
  assert.equal((await anna.get('/acme/guide')).status, 404)
  assert.equal(await signOutAt(issuer, out.headers.get('location') ?? '', jar), `${PEOPLE_URL}/-/signout`)
  assert.match((await anna.get('/-/signout')).text, /You are signed out/)
})

test('signing in again ends the earlier session of the browser in every process, but no other session', async () => {
  const one = await peopleService(temporary)
  const two = await peopleService(temporary)
  const [anna, elsewhere] = [visitor(one.service), visitor(two.service)]
  for (const browser of [anna, elsewhere]) await signIn(browser)
  const before = new Map(anna.cookies)
  assert.equal((await two.ask('/acme/guide', { headers: cookieOf(before) })).status, 200)
  await signIn(anna)
  for (const { follow, ask } of [one, two]) {
    await follow()
    assert.equal((await ask('/acme/guide', { headers: cookieOf(before) })).status, 404)
    assert.equal((await ask('/acme/guide', { headers: cookieOf(anna.cookies) })).status, 200)
    assert.equal((await ask('/acme/guide', { headers: cookieOf(elsewhere.cookies) })).status, 200)
  }
})

test('while an issuer is unreachable, sessions continue, and others learn that sign-in is not available', async () => {
  const service = await peopleService(temporary)
  const anna = visitor(service.service)
  await signIn(anna)
  const late = visitor(service.service)
  const start = await late.get('/-/signin?workspace=acme')
  const back = await signInAt(issuer, start.headers.get('location') ?? '', ANNA)
  await issuer.stop()
  assert.equal((await anna.get('/acme/guide')).status, 200)
  const unfinished = await late.get(back)
  assert.equal(unfinished.status, 503)
  assert.match(unfinished.text, /Sign-in is not available now/)
  service.clock.now += 600_000
  const unavailable = await visitor(service.service).get('/-/signin?workspace=acme&return=/acme/guide')
  assert.equal(unavailable.status, 503)
  assert.equal(unavailable.headers.get('retry-after'), '1')
  assert.match(unavailable.text, /href="\/-\/signin\?workspace=acme&#38;return=%2Facme%2Fguide"/)
  assert.match(JSON.stringify(service.logged), /ECONNREFUSED/)
  const out = await anna.post('/-/signout', { workspace: 'acme' })
  assert.equal(out.status, 200)
  assert.match(out.text, /You are signed out/)
  await issuer.start()
  service.clock.now += 5000
  await signIn(visitor(service.service))
})

test('a rotated key of the issuer works for the next sign-in', async () => {
  const service = await peopleService(temporary)
  await signIn(visitor(service.service))
  await issuer.rotateKeys()
  await signIn(visitor(service.service))
})

test('a session ends in every process, and after --session-hours', async () => {
  const [one, two] = [await peopleService(temporary, { sessionHours: 1 }), await peopleService(temporary)]
  const [anna, atTwo] = [visitor(one.service), visitor(two.service)]
  await signIn(anna)
  for (const [name, value] of anna.cookies) atTwo.cookies.set(name, value)
  assert.equal((await atTwo.get('/acme/guide')).status, 200)
  one.clock.now += 3_599_000
  assert.equal((await anna.get('/acme/guide')).status, 200)
  one.clock.now += 1000
  assert.equal((await anna.get('/acme/guide')).status, 404)
  const ended = await endSessions(accessTo(temporary.store), 'all', new Date())
  assert.ok(ended.sessions > 0)
  await two.follow()
  assert.equal((await atTwo.get('/acme/guide')).status, 404)
})

test('an encrypted client secret needs the key secret', async () => {
  const { database } = temporary.store
  const keySecret = 'sixteen letters!'
  const sealed = await encryptKey(JSON.stringify({ secret: SECRET }), keySecret)
  await database.transaction(queries => queries.run('UPDATE signin SET client_secret = ?', sealed))
  await signIn(visitor((await peopleService(temporary, { keySecret })).service))
  const without = await peopleService(temporary)
  assert.equal((await visitor(without.service).get('/-/signin?workspace=acme')).status, 503)
  assert.match(JSON.stringify(without.logged), /the client secret is encrypted/)
})

async function signIn(anna: Visitor): Promise<void> {
  const start = await anna.get('/-/signin?workspace=acme&return=/acme/guide')
  const back = await signInAt(issuer, start.headers.get('location') ?? '', ANNA)
  const finish = await anna.get(back)
  assert.equal(finish.status, 303, finish.text)
  assert.equal((await anna.get('/acme/guide')).status, 200)
}

test('an ID token verifies its own address, and no other address in userinfo', async () => {
  await temporary.importing('edov', { 'guide/pages/index.md': '# Secret\n' })
  const altered = await startAlteredIssuer()
  await allowIssuer(temporary, altered.url, { workspace: 'edov' })
  const service = await peopleService(temporary)
  const statusFor = async (claims: object, userinfo: object) => {
    Object.assign(altered, { claims, userinfo })
    const browser = visitor(service.service)
    const start = await browser.get('/-/signin?workspace=edov')
    const back = await fetch(start.headers.get('location') ?? '', { redirect: 'manual' })
    return (await browser.get(back.headers.get('location') ?? '')).status
  }
  const [anna, eve] = [{ email: 'anna@example.com' }, { email: 'eve@evil.example' }]
  assert.equal(await statusFor({ ...eve, xms_edov: true }, anna), 403)
  assert.equal(await statusFor({ ...anna, xms_edov: true }, eve), 303)
  assert.equal(await statusFor({ xms_edov: true }, anna), 403)
  assert.equal(await statusFor(eve, { ...anna, email_verified: true }), 303)
})

function cookieOf(cookies: Visitor['cookies']) {
  return { cookie: cookieField(cookies, '/acme/guide'), accept: 'text/html' }
}
