import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeJwt } from 'jose'
import { unwrap } from '#program/cli/failure.ts'
import { endSessions } from '#serving/access/session/signins.ts'
import { createShare } from '#serving/access/share/shares.ts'
import { endSession } from '#store/access/sessions.ts'
import { findLiveShare } from '#store/access/shares.ts'
import { recordChange } from '#store/catalogue/changes.ts'
import {
  connect,
  guest,
  PRIVATE_BRAND,
  REDIRECT,
  refreshRequest,
  registerProgram,
  shareLink,
} from '#test/support/agent-program.ts'
import { authorization, postForm, redirectOf } from '#test/support/authorization.ts'
import { signInAt, startPeopleIssuer } from '#test/support/people-issuer.ts'
import { allowIssuer, PEOPLE_URL, peopleService, SECRET } from '#test/support/people-service.ts'
import { accessTo, temporaryStore } from '#test/support/temporary-store.ts'
import { type Visitor, visitor } from '#test/support/visitor.ts'

const ANNA = {
  sub: 'anna',
  password: 'sesame',
  name: 'Anna Lee',
  email: 'anna@example.com',
  emailVerified: true,
  groups: ['design', 'all'],
}
const BEN = { ...ANNA, sub: 'ben', name: 'Ben', email: 'ben@example.com' }
const HOUR_MS = 3_600_000
const issuer = await startPeopleIssuer({ people: [ANNA, BEN], client: { id: 'guides', secret: SECRET } })
await issuer.setRedirects([`${PEOPLE_URL}/-/signed-in`])
const temporary = await temporaryStore()
const { store } = temporary
await temporary.importing('acme', { ...PRIVATE_BRAND, 'second/pages/index.md': '# Second\n' })
for (const place of ['acme/guidelines', 'acme/second']) await temporary.publish(place)
const SIGNIN = await allowIssuer(temporary, issuer.url, {
  rules: {
    domains: [],
    groups: [
      { group: 'design', projects: ['guidelines'] },
      { group: 'all', projects: ['guidelines', 'second'] },
      { group: 'lead', projects: ['guidelines'], manage: true },
    ],
  },
})
const clientId = await registerProgram(store)
const ALL = { clientId, redirectUri: REDIRECT, resource: `${PEOPLE_URL}/beta/workspace/acme` }
const GUIDE = { ...ALL, resource: `${PEOPLE_URL}/acme/second/-/mcp` }

/** Signs Anna in from the page of an authorization, so that her issuer gives a refresh token. */
async function signInFor(browser: Visitor, program: typeof ALL): Promise<void> {
  const page = await browser.get(redirectOf(await browser.get(authorization(program).target)))
  const [, link = ''] = /class="primary" href="([^"]*)"/.exec(page.text) ?? []
  const start = redirectOf(await browser.get(link.replaceAll('&#38;', '&')))
  const finish = await browser.get(await signInAt(issuer, start, ANNA))
  assert.match(redirectOf(finish), /\/consent\/[\w-]+/)
}

const refresh = (service: Parameters<typeof postForm>[0], token: string) =>
  postForm(service, '/oauth/token', refreshRequest(ALL, token))

const projectsIn = (token: string) => decodeJwt(token).projects

test('a person signs in at the consent page, and the program reads what they may see', async () => {
  const { service, ask } = await peopleService(temporary)
  const browser = visitor(service)
  await signInFor(browser, GUIDE)
  const page = await browser.get(redirectOf(await browser.get(authorization(GUIDE).target)))
  assert.match(page.text, /Allow Notebook to read [^<]*second\?/)
  assert.match(page.text, /Anna Lee \(anna@example\.com\)/)
  assert.doesNotMatch(page.text, /Sign in again/)
  const { access_token: token } = await connect(service, browser, GUIDE)
  assert.deepEqual(projectsIn(token), ['second'])
  assert.match(String(decodeJwt(token).sub), /^[\w-]{43}$/)
  assert.equal((await ask('/beta/workspace/acme/project/second/pages', { token })).status, 200)
  assert.equal((await ask('/beta/workspace/acme/project/guidelines/pages', { token })).status, 404)
})

test('a refresh asks the issuer: a removed group takes its projects away, and the last one ends the connection', async () => {
  const { service, ask, follow } = await peopleService(temporary)
  const browser = visitor(service)
  await signInFor(browser, ALL)
  const first = await connect(service, browser, ALL)
  assert.deepEqual(projectsIn(first.access_token), ['guidelines', 'second'])
  await issuer.setGroups('anna', ['design'])
  const { body: second } = await refresh(service, first.refresh_token)
  assert.deepEqual(projectsIn(second.access_token), ['guidelines'])
  await issuer.setGroups('anna', ['other'])
  const { body: third } = await refresh(service, second.refresh_token)
  assert.equal(third.error, 'invalid_grant')
  await follow()
  assert.equal((await ask('/beta/workspace/acme', { token: second.access_token })).status, 401)
  await issuer.setGroups('anna', ANNA.groups)
})

/** Makes links to both guides, as if the person of a token had made them on the manage page. */
async function linksBy({ access_token: token }: { access_token: string }) {
  const by = { subject: String(decodeJwt(token).sub), signin: SIGNIN, email: ANNA.email, name: ANNA.name }
  const made = ['guidelines', 'second'].map(project =>
    createShare(accessTo(store), { workspace: 'acme', project, lifetimeSeconds: 86_400, by }, new Date()),
  )
  return (await Promise.all(made)).map(unwrap)
}

const openLinks = async (links: readonly { id: string }[]) => {
  const found = await Promise.all(links.map(({ id }) => findLiveShare(store.database, id, new Date())))
  return found.flatMap(share => share?.project ?? [])
}

test('a refresh that finds lost rights ends the links that the person made, as a sign-in does', async () => {
  const { service } = await peopleService(temporary)
  const browser = visitor(service)
  await signInFor(browser, ALL)
  const first = await connect(service, browser, ALL)
  const links = await linksBy(first)
  await issuer.setGroups('anna', ['design', 'lead'])
  const { body: second } = await refresh(service, first.refresh_token)
  assert.deepEqual(await openLinks(links), ['guidelines'])
  await issuer.setGroups('anna', ['other'])
  assert.equal((await refresh(service, second.refresh_token)).body.error, 'invalid_grant')
  assert.deepEqual(await openLinks(links), [])
  await issuer.setGroups('anna', ANNA.groups)
})

test('the end of a person’s access ends what programs read through the links that they made', async () => {
  const { service, ask, follow } = await peopleService(temporary)
  const browser = visitor(service)
  await signInFor(browser, ALL)
  const [, link] = await linksBy(await connect(service, browser, ALL))
  const reader = await guest(service, { path: `/acme/second/-/share/${link?.linkSecret}` })
  const { access_token: token } = await connect(service, reader, GUIDE)
  assert.equal((await ask('/beta/workspace/acme/project/second/pages', { token })).status, 200)
  await endSessions(accessTo(store), { email: ANNA.email }, new Date())
  await follow()
  assert.equal((await ask('/beta/workspace/acme/project/second/pages', { token })).status, 401)
})

test('a connection outlives its session if the issuer gave a refresh token, also with one for several connections', async () => {
  const { service, clock } = await peopleService(temporary)
  const browser = visitor(service)
  await signInFor(browser, ALL)
  const one = await connect(service, browser, ALL)
  const other = await connect(service, browser, GUIDE)
  clock.now += 13 * HOUR_MS
  for (const { refresh_token: token } of [one, other]) {
    const { status, body } = await refresh(service, token)
    assert.equal(status, 200, JSON.stringify(body))
    assert.equal((await refresh(service, body.refresh_token)).status, 200)
  }
})

test('while the issuer is unreachable, a connection continues with its session, and later waits without ending', async () => {
  const { service, clock } = await peopleService(temporary)
  const browser = visitor(service)
  await signInFor(browser, ALL)
  const first = await connect(service, browser, ALL)
  await issuer.stop()
  const second = await refresh(service, first.refresh_token)
  assert.equal(second.status, 200, JSON.stringify(second.body))
  clock.now += 13 * HOUR_MS
  const { status, headers, body } = await refresh(service, second.body.refresh_token)
  assert.deepEqual([status, body.error, headers.get('retry-after')], [503, 'temporarily_unavailable', '60'])
  await issuer.start()
  clock.now += 60_000
  assert.equal((await refresh(service, second.body.refresh_token)).status, 200)
})

test('a connection of a session without a refresh token ends with the session', async () => {
  const { service, ask, clock, follow } = await peopleService(temporary)
  const browser = visitor(service)
  const start = redirectOf(await browser.get('/-/signin?workspace=acme'))
  await browser.get(await signInAt(issuer, start, ANNA))
  const page = await browser.get(redirectOf(await browser.get(authorization(ALL).target)))
  assert.match(page.text, /href="\/-\/signin\?workspace=acme[^"]+consent[^"]+">Sign in again to connect it for longer</)
  const first = await connect(service, browser, ALL)
  const second = await refresh(service, first.refresh_token)
  assert.equal(second.status, 200, JSON.stringify(second.body))
  const { id } = (await store.database.get('SELECT id FROM session ORDER BY created_at DESC LIMIT 1')) ?? {}
  clock.now += 13 * HOUR_MS
  assert.equal((await refresh(service, second.body.refresh_token)).body.error, 'invalid_grant')
  clock.now -= 13 * HOUR_MS
  assert.ok(typeof id === 'string')
  const last = await connect(service, browser, ALL)
  await store.database.transaction(async queries => {
    await endSession(queries, id, new Date())
    await recordChange(queries, undefined)
  })
  await follow()
  assert.equal((await ask('/beta/workspace/acme', { token: last.access_token })).status, 401)
})

test('a connection continues with the new session if the person signs in again, and ends if another person does', async () => {
  const { service, ask, follow } = await peopleService(temporary)
  const browser = visitor(service)
  const signIn = async (person: typeof ANNA) => {
    const start = redirectOf(await browser.get('/-/signin?workspace=acme'))
    redirectOf(await browser.get(await signInAt(issuer, start, person)))
  }
  await signIn(ANNA)
  const first = await connect(service, browser, ALL)
  await signIn(ANNA)
  await follow()
  assert.equal((await ask('/beta/workspace/acme', { token: first.access_token })).status, 200)
  const second = await refresh(service, first.refresh_token)
  assert.equal(second.status, 200, JSON.stringify(second.body))
  await signIn(BEN)
  await follow()
  assert.equal((await ask('/beta/workspace/acme', { token: second.body.access_token })).status, 401)
  assert.equal((await refresh(service, second.body.refresh_token)).body.error, 'invalid_grant')
})

test('without access to a guide, a person and a guest see the same page for it as for an unknown one', async () => {
  const { service } = await peopleService(temporary)
  await issuer.setGroups('anna', ['design'])
  const browser = visitor(service)
  await signInFor(browser, ALL)
  const pages: string[] = []
  for (const name of ['second', 'unknown']) {
    const resource = `${PEOPLE_URL}/acme/${name}/-/mcp`
    const { text } = await browser.get(redirectOf(await browser.get(authorization({ ...ALL, resource }).target)))
    const same = text.replaceAll(name, 'a-guide').replace(/name="proof" value="[^"]+"/, '')
    pages.push(same.replace(/consent%2F[\w-]+/, 'consent'))
  }
  assert.equal(pages[0], pages[1])
  const link = await shareLink(store, { project: 'second' })
  const helped = await guest(service, link)
  const shared = await connect(service, helped, { ...ALL, resource: `${PEOPLE_URL}/acme/second/-/mcp` })
  assert.deepEqual(projectsIn(shared.access_token), ['second'])
  await issuer.setGroups('anna', ANNA.groups)
})
