import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startAlteredIssuer } from '../../../support/altered-issuer.ts'
import { allowIssuer, PEOPLE_URL, peopleService } from '../../../support/people-service.ts'
import { addHosts, temporaryStore } from '../../../support/temporary-store.ts'
import { browserOf } from '../../../support/visitor.ts'

const issuer = await startAlteredIssuer()
issuer.claims = { name: 'Anna Lee', email: 'anna@example.com', email_verified: true }
const [GUIDE, OTHER] = ['http://guide.test:9', 'http://other.test:9']

/** A workspace with two private guides that have hosts, and another workspace that has one. */
async function setup(options: Parameters<typeof allowIssuer>[2] = { manage: true }) {
  const temporary = await temporaryStore()
  for (const project of ['guide', 'other'])
    await temporary.publishing(`acme/${project}`, {
      [`${project}/pages/logo.md`]: `# Logo of ${project}\n`,
      [`${project}/files/files.yaml`]: 'old.txt: { until: 2020-01-01 }\n',
      [`${project}/files/old.txt`]: 'Old\n',
    })
  await addHosts(temporary, { 'guide.test': 'acme/guide', 'other.test': 'acme/other' })
  await allowIssuer(temporary, issuer.url, options)
  const service = await peopleService(temporary)
  const anna = browserOf(service.service)
  const signIn = async (url: string) => anna.follow(await anna.get(url), url)
  return { ...service, temporary, anna, signIn }
}

test('a person who signs in at a host returns to its page, and has a session only there', async () => {
  const { anna, signIn } = await setup()
  assert.equal((await anna.get(`${GUIDE}/logo`)).status, 404)
  const { status, url, text } = await signIn(`${GUIDE}/-/signin?return=/logo`)
  assert.deepEqual([status, url], [200, `${GUIDE}/logo`])
  assert.match(text, /Logo of guide/)
  for (const elsewhere of [`${OTHER}/logo`, `${PEOPLE_URL}/acme/guide/logo`, `${PEOPLE_URL}/acme`])
    assert.equal((await anna.get(elsewhere)).status, 404, elsewhere)
  const manage = await anna.get(`${GUIDE}/-/manage`)
  assert.equal(manage.status, 200)
  const [, feed = ''] = /href="([^"]+)" type="application\/atom\+xml">Follow/.exec(manage.text) ?? []
  const { text: atom } = await anna.get(new URL(feed, GUIDE).href)
  assert.match(
    atom,
    /<link rel="self" type="application\/atom\+xml" href="http:\/\/guide\.test:9\/-\/manage\/rights\.atom"\/>/,
  )
  assert.equal((await anna.get(`${GUIDE}/-/sessions`)).status, 200)
})

test('a person who signs in at a host without a page returns to its first page', async () => {
  const { signIn } = await setup()
  for (const query of ['', '?return=//evil.test', '?return=https://evil.test/'])
    assert.equal((await signIn(`${GUIDE}/-/signin${query}`)).url, `${GUIDE}/`, query)
})

test('a person who signs in at the public URL for a page with its own host is signed in there, too, and reads it', async () => {
  const { anna, signIn, temporary, follow } = await setup()
  const from = (path: string) => `${PEOPLE_URL}/-/signin?${new URLSearchParams({ workspace: 'acme', return: path })}`
  for (const [path, shown] of [
    ['/acme/guide/logo?a=b', `${GUIDE}/logo?a=b`],
    ['/acme/guide/-/manage', `${GUIDE}/-/manage`],
    ['/acme/-/sessions', `${PEOPLE_URL}/acme/-/sessions`],
    ['/acme', `${PEOPLE_URL}/acme`],
  ] as const) {
    const { status, url } = await signIn(from(path))
    assert.deepEqual([status, url], [200, shown])
  }
  await addHosts(temporary, { 'all.test': 'acme' })
  await follow()
  const home = await signIn(`${PEOPLE_URL}/-/signin?workspace=acme`)
  assert.deepEqual([home.status, home.url], [200, 'http://all.test:9/'])
  assert.equal((await anna.get(`${PEOPLE_URL}/acme/-/sessions`)).status, 200)
})

test('a manager of a public guide signs in from the unknown pages of its host, and returns to the same address', async () => {
  const { anna, temporary, follow } = await setup()
  await temporary.publishing('acme/open', {
    'open/project.yaml': 'name: Open\nvisibility: public\n',
    'open/pages/index.md': '# Home\n',
  })
  await addHosts(temporary, { 'open.test': 'acme/open' })
  await follow()
  const url = 'http://open.test:9/-/manage'
  const missing = await anna.get(url)
  assert.deepEqual([missing.status, missing.headers.get('referrer-policy')], [404, 'same-origin'])
  const [, link = ''] = /href="([^"]*\/-\/signin[^"]*)"/.exec(missing.text) ?? []
  assert.equal(link, '/-/signin?workspace=acme')
  const done = await anna.follow(await anna.get(new URL(link, url).href, { referer: url }), url)
  assert.deepEqual([done.status, done.url], [200, url])
})

test('signing in at the public URL does not name the host of a guide that the person may not read', async t => {
  const before = issuer.claims
  t.after(() => Object.assign(issuer, { claims: before }))
  issuer.claims = { ...before, groups: ['press'] }
  const { signIn } = await setup({ rules: { domains: [], groups: [{ group: 'press', projects: ['other'] }] } })
  for (const path of ['/acme/guide/logo', '/acme/nothing/logo']) {
    const query = new URLSearchParams({ workspace: 'acme', return: path })
    const { status, url } = await signIn(`${PEOPLE_URL}/-/signin?${query}`)
    assert.deepEqual([status, url], [404, PEOPLE_URL + path])
  }
})

test('the cookie of a host opens nothing at another host, nor that of the public URL at a host', async () => {
  const { service, anna, signIn } = await setup()
  await signIn(`${GUIDE}/-/signin`)
  await signIn(`${PEOPLE_URL}/-/signin?workspace=acme`)
  const cookieAt = async (url: string) => {
    const shown = await anna.get(url)
    assert.ok(shown.status < 400, url)
    return anna.cookieOf(url)
  }
  const [atGuide, atPublic] = [await cookieAt(`${GUIDE}/logo`), await cookieAt(`${PEOPLE_URL}/acme`)]
  const ask = async (host: string, path: string, cookie: string) =>
    (await browserOf(service).get(`http://${host}${path}`, { cookie })).status
  assert.equal(await ask('guide.test:9', '/logo', atGuide), 200)
  assert.equal(await ask('other.test:9', '/logo', atGuide), 404)
  assert.equal(await ask('127.0.0.1:9', '/acme/guide', atGuide), 404)
  assert.equal(await ask('127.0.0.1:9', '/acme/guide', atPublic), 308)
  assert.equal(await ask('guide.test:9', '/logo', atPublic), 404)
})

test('the code for a session works once, at its host, in the browser that began there, for a minute', async () => {
  const { service, clock, anna } = await setup()
  const begin = async () => {
    let [reply, url] = [await anna.get(`${GUIDE}/-/signin?return=/logo`), '']
    while (!url.startsWith(`${GUIDE}/-/signed-in`)) {
      url = reply.headers.get('location') ?? assert.fail()
      if (!url.startsWith(GUIDE)) reply = url.startsWith(PEOPLE_URL) ? await anna.get(url) : await anna.fetched(url)
    }
    return url
  }
  const url = await begin()
  assert.equal((await browserOf(service).get(url)).status, 400)
  assert.equal((await anna.get(url.replace(GUIDE, OTHER))).status, 400)
  assert.equal((await anna.get(`${url}0`)).status, 400)
  const first = await anna.get(url)
  assert.deepEqual([first.status, first.headers.get('location')], [303, '/logo'])
  assert.equal((await anna.get(url)).status, 400)
  const late = await begin()
  clock.now += 61_000
  assert.equal((await anna.get(late)).status, 400)
  assert.doesNotMatch((await anna.get(`${GUIDE}/-/sessions`)).text, /Another session/)
})

test('signing out at a host ends its session', async () => {
  const { anna, signIn } = await setup()
  await signIn(`${GUIDE}/-/signin`)
  const origin = { origin: PEOPLE_URL, 'sec-fetch-site': undefined }
  assert.equal((await anna.post(`${GUIDE}/-/signout`, { workspace: 'acme' }, origin)).status, 403)
  assert.equal((await anna.get(`${GUIDE}/logo`)).status, 200)
  await anna.post(`${GUIDE}/-/signout`, { workspace: 'acme' })
  assert.equal((await anna.get(`${GUIDE}/logo`)).status, 404)
})

test('signing out at a host needs no name of a workspace, and none that is given counts', async () => {
  const { anna, signIn } = await setup()
  for (const workspace of [undefined, 'other']) {
    await signIn(`${GUIDE}/-/signin`)
    const query = workspace === undefined ? '' : `?workspace=${workspace}`
    assert.match((await anna.get(`${GUIDE}/-/signout${query}`)).text, /name="workspace" value="acme"/)
    await anna.post(`${GUIDE}/-/signout`, workspace === undefined ? {} : { workspace })
    assert.equal((await anna.get(`${GUIDE}/logo`)).status, 404)
  }
})

test('a host signs people in only to its own workspace, and returns to no other site', async () => {
  const { anna } = await setup()
  const other = await anna.get(`${GUIDE}/-/signin?workspace=other&return=https://evil.test/`)
  const start = new URL(other.headers.get('location') ?? '')
  assert.equal(start.searchParams.get('workspace'), 'acme')
  for (const back of ['https://evil.test/-/signed-in?state=', `${OTHER}/logo?state=`]) {
    const state = 'x'.repeat(43)
    const query = new URLSearchParams({ workspace: 'acme', return: back + state })
    const reply = await anna.follow(await anna.get(`${PEOPLE_URL}/-/signin?${query}`), PEOPLE_URL)
    assert.equal(reply.url, `${PEOPLE_URL}/acme`)
  }
})
