import assert from 'node:assert/strict'
import { test } from 'node:test'
import { field } from '#platform/base/object.ts'
import {
  guest,
  PRIVATE_BRAND,
  privateGuide,
  REDIRECT,
  registerProgram,
  shareLink,
} from '#test/support/agent-program.ts'
import { authorization, proofIn, redirectOf } from '#test/support/authorization.ts'
import { peopleService, sessionCookie } from '#test/support/people-service.ts'
import { testService, URL_OF_SERVICE } from '#test/support/service.ts'
import { publishedStore } from '#test/support/temporary-store.ts'
import { type Visitor, visitor } from '#test/support/visitor.ts'

const { temporary, store, program } = await privateGuide({ 'draft/pages/index.md': '# Secret plan\n' })
const guideOf = (path: string) => `${URL_OF_SERVICE}/${path}/-/mcp`
const ANY = { ...program, resource: `${URL_OF_SERVICE}/mcp` }

/** Begins an authorization, and returns the address of its consent page. */
async function consentAddress(browser: Visitor, asked = program): Promise<string> {
  return redirectOf(await browser.get(authorization(asked).target))
}

async function consentOf(browser: Visitor) {
  const address = await consentAddress(browser)
  return { address, proof: proofIn(await browser.get(address)) }
}

test('the page names the program, the guide, what it may read, until when and where it leads', async () => {
  const { service } = await testService(temporary)
  const browser = await guest(service, await shareLink(store))
  const { status, headers, text } = await browser.get(await consentAddress(browser))
  assert.equal(status, 200)
  assert.match(text, /<h1 dir="auto">Allow Notebook to read [^<]*Brand guidelines\?<\/h1>/)
  for (const shown of [
    'registered by the operator of this service',
    'pages, colours and type, files',
    'a share link',
    '127.0.0.1',
  ])
    assert.ok(text.includes(shown), shown)
  const policy = headers.get('content-security-policy') ?? ''
  assert.match(policy, /frame-ancestors 'none'/)
  assert.match(policy, /form-action 'self' http:\/\/127\.0\.0\.1(?:;|$)/)
  const seen = ['x-frame-options', 'cache-control', 'x-robots-tag', 'referrer-policy'].map(name => headers.get(name))
  assert.deepEqual(seen, ['DENY', 'no-store', 'noindex', 'no-referrer'])
})

test('without access, the page is the same for a private, an unpublished and an unknown guide', async () => {
  const { service } = await testService(temporary)
  const pages: string[] = []
  for (const path of ['acme/guidelines', 'acme/draft', 'acme/unknown', 'nobody/anything']) {
    const browser = visitor(service)
    const address = await consentAddress(browser, { ...program, resource: guideOf(path) })
    const { status, text } = await browser.get(address)
    assert.equal(status, 200)
    pages.push(text.replaceAll(path, 'the/guide').replace(/name="proof" value="[^"]+"/, ''))
  }
  assert.equal(new Set(pages).size, 1)
  assert.match(pages[0] ?? '', /<h1 dir="auto">Connect Notebook<\/h1>/)
  assert.doesNotMatch(pages[0] ?? '', /Sign in|Allow/)
})

test('a pasted share link gives access, and one of another guide does not', async () => {
  const { service } = await testService(temporary)
  const link = await shareLink(store)
  for (const entry of [URL_OF_SERVICE + link.path, link.path, link.secret]) {
    const browser = visitor(service)
    const { address, proof } = await consentOf(browser)
    const opened = await browser.post(address, { action: 'open', proof, place: entry })
    assert.match((await browser.get(redirectOf(opened))).text, /<h1 dir="auto">Allow Notebook/)
  }
  const other = await shareLink(store, { project: 'draft' })
  for (const entry of [other.path, `${link.path}x`, 'https://example.com/acme/guidelines', '', 'A B']) {
    const browser = visitor(service)
    const { address, proof } = await consentOf(browser)
    const { status, text } = await browser.post(address, { action: 'open', proof, place: entry })
    assert.equal(status, 200, entry)
    assert.match(text, /This entry opens nothing here\./)
  }
})

test('for the address of all guides, the page asks for a place and redirects there, and lists none', async () => {
  const { service } = await testService(temporary)
  const link = await shareLink(store)
  const browser = visitor(service)
  const address = await consentAddress(browser, ANY)
  assert.match(address, /^http:\/\/brand\.test\/oauth\/consent\/[\w-]+$/)
  const page = await browser.get(address)
  assert.match(page.text, /Which content may it read\?/)
  assert.doesNotMatch(page.text, /acme|guidelines/i)
  const uid = address.split('/').at(-1)
  const proof = proofIn(page)
  for (const [place, path] of [
    ['acme', `/oauth/consent/${uid}?workspace=acme`],
    [`${URL_OF_SERVICE}/acme`, `/oauth/consent/${uid}?workspace=acme`],
    [`${URL_OF_SERVICE}/acme/guidelines/pages/logo?x=1`, `/acme/guidelines/-/consent/${uid}`],
    [URL_OF_SERVICE + link.path, `/acme/guidelines/-/consent/${uid}`],
  ] as const)
    assert.equal(redirectOf(await browser.post(address, { action: 'open', proof, place })), URL_OF_SERVICE + path)
  const allow = await browser.get(`/acme/guidelines/-/consent/${uid}`)
  assert.match(allow.text, /Allow Notebook to read/)
})

test('only the browser that began an authorization sees and decides it', async () => {
  const { service } = await testService(temporary)
  const link = await shareLink(store)
  const [attacker, victim] = [visitor(service), await guest(service, link)]
  const address = await consentAddress(attacker)
  await victim.get(authorization(program).target)
  for (const { status, text } of [
    await victim.get(address),
    await victim.post(address, { action: 'allow', proof: 'x' }),
    await (await guest(service, link)).get(address),
  ]) {
    assert.equal(status, 400)
    assert.match(text, /began elsewhere/)
  }
})

test('no other site can send the form', async () => {
  const { service } = await testService(temporary)
  const browser = await guest(service, await shareLink(store))
  const { address, proof } = await consentOf(browser)
  const foreign = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://example.com' },
    { 'content-type': 'text/plain' },
  ]
  for (const headers of foreign) {
    const { status } = await browser.post(address, { action: 'allow', proof }, headers)
    assert.equal(status, 403, JSON.stringify(headers))
  }
  for (const wrong of ['', 'x'.repeat(43)])
    assert.equal((await browser.post(address, { action: 'allow', proof: wrong })).status, 403)
  assert.equal((await browser.post(address, { action: 'allow', proof }, { origin: 'null' })).status, 303)
})

test('a refused form of the consent page leaves a line that names the program, the workspace and the reason', async () => {
  const { service, logged } = await peopleService(temporary, { publicUrl: URL_OF_SERVICE })
  const browser = await guest(service, await shareLink(store))
  const { address, proof } = await consentOf(browser)
  const linesOf = async (form: Record<string, string>, headers = {}) => {
    logged.length = 0
    await browser.post(address, { action: 'allow', ...form }, headers)
    return logged.filter(line => field(line, 'event') === 'form-refused')
  }
  const [foreign] = await linesOf({ proof }, { 'sec-fetch-site': 'cross-site' })
  const { event, reason, operation, workspace, client } = Object(foreign)
  const shown = [event, reason, operation, workspace, client]
  assert.deepEqual(shown, ['form-refused', 'cross-site', 'consent', 'acme', program.clientId])
  const seen = (await linesOf({ proof: 'x' })).map(line => field(line, 'reason'))
  assert.deepEqual(seen, ['session'])
  browser.cookies.delete('housestyle-consent')
  const found = (await linesOf({ proof })).map(line => field(line, 'reason'))
  assert.deepEqual(found, ['session'])
})

test('a proof for a page without access does not allow anything after a share link is opened', async () => {
  const { service } = await testService(temporary)
  const browser = visitor(service)
  const { address, proof } = await consentOf(browser)
  await browser.get((await shareLink(store)).path)
  const { status, text } = await browser.post(address, { action: 'allow', proof })
  assert.equal(status, 403)
  assert.match(text, /load the page again/)
})

test('a form still allows after the same person signs in again in another tab, but not for somebody else', async () => {
  const { service } = await testService(temporary)
  const browser = visitor(service)
  const signIn = async (subject: string) => {
    const [name = '', secret = ''] = (await sessionCookie(temporary, 'acme', { subject })).split('=')
    browser.cookies.set(name, { value: secret, path: '/' })
  }
  await signIn('anna')
  const { address, proof } = await consentOf(browser)
  await signIn('ben')
  assert.equal((await browser.post(address, { action: 'allow', proof })).status, 403)
  await signIn('anna')
  assert.match(redirectOf(await browser.post(address, { action: 'allow', proof })), /\/oauth\//)
})

test('a refusal redirects back to the program, which learns only that', async () => {
  const { service } = await testService(temporary)
  const browser = visitor(service)
  const { address, proof } = await consentOf(browser)
  const decided = await browser.post(address, { action: 'cancel', proof })
  const back = new URL(redirectOf(await browser.get(redirectOf(decided))))
  assert.equal(back.origin + back.pathname, REDIRECT)
  const { error, state, iss } = Object.fromEntries(back.searchParams)
  assert.deepEqual({ error, state, iss }, { error: 'access_denied', state: 'a-state', iss: URL_OF_SERVICE })
})

test('a second click decides nothing again, and an authorization waits for a quarter of an hour', async () => {
  const { service, clock } = await testService(temporary)
  const browser = await guest(service, await shareLink(store))
  const { address, proof } = await consentOf(browser)
  const [first, second] = [
    await browser.post(address, { action: 'allow', proof }),
    await browser.post(address, { action: 'cancel', proof }),
  ]
  assert.equal(redirectOf(first), redirectOf(second))
  assert.match(redirectOf(await browser.get(redirectOf(first))), /[?&]code=/)
  const late = await consentAddress(browser)
  clock.now += 15 * 60_000 + 1
  assert.equal((await browser.get(late)).status, 400)
})

test('a page with the theme of a guide does not appear at the address of another one', async () => {
  const { service } = await testService(temporary)
  const browser = await guest(service, await shareLink(store))
  const address = await consentAddress(browser)
  const elsewhere = address.replace('/acme/guidelines/', '/acme/unknown/')
  assert.equal(redirectOf(await browser.get(elsewhere)), address)
  assert.equal((await browser.get('/acme/guidelines/-/consent/invented')).status, 400)
})

test('a person who may see the guide gets the page in its language', async () => {
  const german = await publishedStore('acme/guidelines', {
    ...PRIVATE_BRAND,
    'guidelines/project.yaml': 'name: Marke\nlang: de\n',
  })
  const { service } = await testService(german)
  const known = { ...program, clientId: await registerProgram(german.store) }
  const [stranger, reader] = [visitor(service), await guest(service, await shareLink(german.store))]
  const shown = await Promise.all(
    [stranger, reader].map(async browser => (await browser.get(await consentAddress(browser, known))).text),
  )
  assert.match(shown[0] ?? '', /<html lang="en">[\s\S]*Connect Notebook/)
  assert.match(shown[1] ?? '', /<html lang="de">[\s\S]*<h1 dir="auto">Darf Notebook Acme GmbH – Marke lesen\?<\/h1>/)
  assert.doesNotMatch(shown[1] ?? '', /lang="en"/)
})
