import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { decodeJwt } from 'jose'
import { field } from '#platform/base/object.ts'
import { connect, PRIVATE_BRAND, REDIRECT, refreshRequest, registerProgram } from '#test/support/agent-program.ts'
import { type AlteredIssuer, startAlteredIssuer } from '#test/support/altered-issuer.ts'
import { authorization, postForm, redirectOf } from '#test/support/authorization.ts'
import { allowIssuer, PEOPLE_URL, peopleService } from '#test/support/people-service.ts'
import { publishedStore } from '#test/support/temporary-store.ts'
import { visitor } from '#test/support/visitor.ts'

const ANNA = { email: 'anna@example.com', email_verified: true }
const issuer = await startAlteredIssuer()
const temporary = await publishedStore('acme/guidelines', PRIVATE_BRAND)
await allowIssuer(temporary, issuer.url)
const program = {
  clientId: await registerProgram(temporary.store),
  redirectUri: REDIRECT,
  resource: `${PEOPLE_URL}/acme/guidelines/-/mcp`,
}
const GUIDE = '/beta/workspace/acme/project/guidelines/pages'

beforeEach(() => {
  Object.assign(issuer, { claims: ANNA, tokens: { refresh_token: 'first' }, userinfo: {} })
})

/** Signs Anna in at the service, and connects a program that may ask the issuer again. */
async function connectProgram() {
  const one = await peopleService(temporary)
  const browser = visitor(one.service)
  await browser.get(redirectOf(await browser.get(authorization(program).target)))
  const start = redirectOf(await browser.get('/-/signin?workspace=acme'))
  const answered = await fetch(start, { redirect: 'manual' })
  redirectOf(await browser.get(answered.headers.get('location') ?? ''))
  const tokens = await connect(one.service, browser, program)
  return { one, browser, tokens }
}

type Changes = Partial<Pick<AlteredIssuer, 'claims' | 'tokens' | 'userinfo'>>

const refusals: Record<string, [change: Changes, reason: string]> = {
  'the issuer refuses its refresh token': [{ tokens: { error: 'invalid_grant' } }, 'issuer-refused'],
  'the issuer refuses its refresh token with 401': [
    { tokens: { error: 'invalid_grant', status: 401 } },
    'issuer-refused',
  ],
  'the issuer names another person in the ID token': [{ claims: { ...ANNA, sub: 'ben' } }, 'issuer-refused'],
  'the issuer names another person in userinfo': [{ claims: {}, userinfo: { ...ANNA, sub: 'ben' } }, 'issuer-refused'],
  'the issuer names no person in the ID token': [{ claims: { ...ANNA, sub: '' } }, 'issuer-refused'],
  'the issuer gives a token that another client requested': [{ claims: { ...ANNA, azp: 'other' } }, 'issuer-refused'],
  'a rule lets the person in no more': [{ claims: { ...ANNA, email: 'anna@other.example' } }, 'not-allowed'],
}
for (const [when, [change, reason]] of Object.entries(refusals))
  test(`a connection ends with all its tokens in every process if, at a refresh, ${when}`, async () => {
    const { one, tokens } = await connectProgram()
    const other = await peopleService(temporary)
    assert.equal((await other.ask(GUIDE, { token: tokens.access_token })).status, 200)
    Object.assign(issuer, change)
    const { status, body } = await postForm(one.service, '/oauth/token', refreshRequest(program, tokens.refresh_token))
    assert.deepEqual([status, body.error], [400, 'invalid_grant'])
    assert.equal(endReason(one), reason)
    for (const { ask, follow } of [one, other]) {
      await follow()
      assert.equal((await ask(GUIDE, { token: tokens.access_token })).status, 401)
    }
  })

/** The logged reason for which the last connection ended. */
function endReason({ logged }: Awaited<ReturnType<typeof peopleService>>): unknown {
  return field(
    logged.findLast(line => field(line, 'event') === 'connection-ended'),
    'reason',
  )
}

const absences: Record<string, Changes> = {
  'no ID token': { tokens: { id_token: undefined } },
  'an ID token without the address': { claims: {} },
  'an ID token with null for the address': { claims: { email: null, email_verified: null } },
  'the same address without its verification': { claims: { email: ANNA.email } },
}
for (const [what, change] of Object.entries(absences))
  test(`a connection continues with the last claims until its session ends if a refresh gives ${what}`, async () => {
    const { one, tokens } = await connectProgram()
    Object.assign(issuer, change)
    const first = await postForm(one.service, '/oauth/token', refreshRequest(program, tokens.refresh_token))
    assert.equal(first.status, 200, JSON.stringify(first.body))
    const second = await postForm(one.service, '/oauth/token', refreshRequest(program, first.body.refresh_token))
    assert.equal(second.status, 200, JSON.stringify(second.body))
    one.clock.now += 13 * 3_600_000
    const late = await postForm(one.service, '/oauth/token', refreshRequest(program, second.body.refresh_token))
    assert.deepEqual([late.status, late.body.error], [400, 'invalid_grant'])
    assert.match(String(endReason(one)), /^(?:not-allowed|email-unverified)$/)
  })

test('groups that an issuer does not state stay the last stated ones, not those of the sign-in', async () => {
  const store = await publishedStore('acme/guidelines', { ...PRIVATE_BRAND, 'second/pages/index.md': '# Second\n' })
  await store.publish('acme/second')
  const groups = [{ group: 'all' }, { group: 'design', projects: ['guidelines'] }]
  await allowIssuer(store, issuer.url, { rules: { domains: [], groups, groupsClaim: 'realm.roles' } })
  const all = {
    ...program,
    clientId: await registerProgram(store.store),
    resource: `${PEOPLE_URL}/beta/workspace/acme`,
  }
  const service = await peopleService(store)
  const browser = visitor(service.service)
  issuer.claims = { realm: { roles: ['all'] } }
  const start = redirectOf(await browser.get('/-/signin?workspace=acme'))
  const answered = await fetch(start, { redirect: 'manual' })
  redirectOf(await browser.get(answered.headers.get('location') ?? ''))
  let token = (await connect(service.service, browser, all)).refresh_token
  const projects: unknown[] = []
  for (const change of [
    { claims: {} },
    { claims: { realm: { roles: ['design'] } } },
    { tokens: { refresh_token: 'second', id_token: undefined } },
    { claims: {}, tokens: {} },
    { claims: { realm: { roles: [] } } },
  ]) {
    Object.assign(issuer, change)
    const { body } = await postForm(service.service, '/oauth/token', refreshRequest(all, token))
    token = body.refresh_token
    projects.push(body.access_token ? decodeJwt(body.access_token).projects : body.error)
  }
  const one = ['guidelines']
  assert.deepEqual(projects, [undefined, one, one, one, 'invalid_grant'])
  assert.equal(endReason(service), 'not-allowed')
})

const continued: Record<string, Record<string, string>> = {
  'says that it is overloaded': { error: 'temporarily_unavailable' },
  'refuses the client of the service': { error: 'invalid_client' },
}
for (const [what, tokens] of Object.entries(continued))
  test(`a connection continues with its session while the issuer ${what}`, async () => {
    const { one, tokens: first } = await connectProgram()
    issuer.tokens = tokens
    const second = await postForm(one.service, '/oauth/token', refreshRequest(program, first.refresh_token))
    assert.equal(second.status, 200, JSON.stringify(second.body))
    one.clock.now += 13 * 3_600_000
    const late = await postForm(one.service, '/oauth/token', refreshRequest(program, second.body.refresh_token))
    assert.deepEqual([late.status, late.body.error], [503, 'temporarily_unavailable'])
  })

test('a new refresh token of the issuer is kept, although its userinfo fails', async () => {
  const { one, tokens } = await connectProgram()
  Object.assign(issuer, { claims: {}, tokens: { refresh_token: 'second' }, userinfo: { error: 'server_error' } })
  const { status, body } = await postForm(one.service, '/oauth/token', refreshRequest(program, tokens.refresh_token))
  assert.equal(status, 200, JSON.stringify(body))
  await postForm(one.service, '/oauth/token', refreshRequest(program, body.refresh_token))
  assert.equal(issuer.tokenRequests.at(-1)?.refresh_token, 'second')
})

test('a connection continues if another process has replaced the tokens of the issuer meanwhile', async () => {
  const { one, browser, tokens } = await connectProgram()
  const later = await connect(one.service, browser, program)
  const other = await peopleService(temporary)
  const refresh = ({ service }: typeof one, token: string) =>
    postForm(service, '/oauth/token', refreshRequest(program, token))
  const replies: { status: number }[] = []
  issuer.tokens = async asked => {
    issuer.tokens = ({ refresh_token }) => ({ refresh_token: refresh_token === 'first' ? 'second' : 'third' })
    replies.push(await refresh(one, tokens.refresh_token))
    return asked.refresh_token === 'first' ? { error: 'invalid_grant' } : {}
  }
  replies.push(await refresh(other, later.refresh_token))
  const statuses = replies.map(({ status }) => status)
  assert.deepEqual(statuses, [200, 200])
  const refresh_tokens = issuer.tokenRequests.slice(-3).map(({ refresh_token }) => refresh_token)
  assert.deepEqual(refresh_tokens, ['first', 'first', 'second'])
})
