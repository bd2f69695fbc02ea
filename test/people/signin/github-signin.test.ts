import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { beforeEach, test } from 'node:test'
import { listen } from '#program/http/server.ts'
import { APP, type Github, githubService, json, startGithub, TOKEN } from '../../support/github.ts'
import { silent } from '../../support/service.ts'
import { temporaryStore } from '../../support/temporary-store.ts'
import { type Visit, type Visitor, visitor } from '../../support/visitor.ts'

const PUBLIC_URL = 'http://127.0.0.1:9'
const AUTH = '/-/edit/auth?provider=github&site_id=127.0.0.1&scope=repo%2Cuser'
const github = await startGithub()
const { answer } = github
const temporary = await temporaryStore()
const { service, clock, lines } = await githubService(temporary, github.url, PUBLIC_URL)

beforeEach(() => {
  github.answer = answer
  github.exchanges.length = 0
})

/** Begins a sign-in; returns the redirect to GitHub, and the address to which GitHub redirects. */
async function begin(anna: Visitor): Promise<{ start: Visit; back: string }> {
  const start = await anna.get(AUTH, { 'sec-fetch-site': 'same-origin' })
  assert.equal(start.status, 303, start.text)
  const agreed = await fetch(start.headers.get('location') ?? '', { redirect: 'manual' })
  return { start, back: agreed.headers.get('location') ?? '' }
}

/** The message that the window passes on, and the heading that a person reads. */
function resultOf({ text }: Visit): { message: string | undefined; heading: string | undefined } {
  const message = /data-message="([^"]*)"/.exec(text)?.[1]?.replaceAll('&#34;', '"')
  return { message, heading: /<h1>(.*?)<\/h1>/.exec(text)?.[1] }
}

const failure = (error: string) => ({
  message: `authorization:github:error:${JSON.stringify({ provider: 'github', error })}`,
  heading: error,
})

test('a sign-in at GitHub names the app, a fixed scope, a random state and a challenge, and its cookie ends after ten minutes', async () => {
  const [one, two] = [await begin(visitor(service)), await begin(visitor(service))]
  const { origin, pathname, searchParams } = new URL(one.start.headers.get('location') ?? '')
  assert.equal(origin + pathname, `${github.url}/login/oauth/authorize`)
  const { state = '', code_challenge: challenge = '', ...rest } = Object.fromEntries(searchParams)
  assert.deepEqual(rest, {
    client_id: APP.id,
    redirect_uri: `${PUBLIC_URL}/-/edit/auth/callback`,
    scope: 'repo read:user',
    code_challenge_method: 'S256',
  })
  assert.match(state, /^[\w-]{43}$/)
  assert.match(challenge, /^[\w-]{43}$/)
  assert.notEqual(new URL(two.start.headers.get('location') ?? '').searchParams.get('state'), state)
  const { 'set-cookie': cookie = '', ...headers } = Object.fromEntries(one.start.headers)
  assert.match(cookie, /^housestyle_editor_[\w-]{12}=[\w.-]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/)
  assert.ok(!cookie.includes(state))
  assert.deepEqual(headers, {
    'cache-control': 'no-store',
    location: one.start.headers.get('location'),
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex',
  })
})

test('the reply of GitHub gives the window a token for its own origin, and ends the cookie', async () => {
  const anna = visitor(service)
  const { start, back } = await begin(anna)
  const finish = await anna.get(back)
  assert.equal(finish.status, 200)
  const state = new URL(start.headers.get('location') ?? '').searchParams.get('state') ?? ''
  const { message, heading } = resultOf(finish)
  assert.equal(message, `authorization:github:success:${JSON.stringify({ provider: 'github', token: TOKEN })}`)
  assert.equal(heading, 'You are signed in.')
  const { 'content-security-policy': policy = '', ...headers } = Object.fromEntries(finish.headers)
  assert.deepEqual(headers, {
    'cache-control': 'no-store',
    'content-type': 'text/html; charset=utf-8',
    'referrer-policy': 'no-referrer',
    'set-cookie': `housestyle_editor_${state.slice(0, 12)}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax`,
    vary: 'Accept',
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'noindex',
  })
  assert.match(
    policy,
    /^default-src 'none'; script-src 'sha256-[^ ]+' 'sha256-[^ ]+'; .*frame-ancestors 'none'; .*form-action 'none'$/,
  )
  const [exchange = {}] = github.exchanges
  const { code_verifier: verifier = '', ...rest } = exchange
  const redirect_uri = `${PUBLIC_URL}/-/edit/auth/callback`
  assert.deepEqual(rest, { client_id: APP.id, client_secret: APP.secret, code: 'secretcode', redirect_uri })
  const seen = createHash('sha256').update(verifier).digest('base64url')
  assert.equal(seen, new URL(start.headers.get('location') ?? '').searchParams.get('code_challenge'))
  assert.equal(anna.cookies.size, 0)
  assert.deepEqual(resultOf(await anna.get(back)), failure('This sign-in has expired'))
  assert.equal(github.exchanges.length, 1)
})

test('an answer with another state, in another browser or after ten minutes exchanges no code', async () => {
  const anna = visitor(service)
  const { back } = await begin(anna)
  const expired = failure('This sign-in has expired')
  const changed = new URL(back)
  changed.searchParams.set('state', 'x')
  for (const [browser, address] of [
    [visitor(service), back],
    [anna, changed.href],
    [anna, `${PUBLIC_URL}/-/edit/auth/callback?code=secretcode`],
    [anna, `${PUBLIC_URL}/-/edit/auth/callback`],
  ] as const) {
    const reply = await browser.get(address)
    assert.deepEqual([reply.status, resultOf(reply)], [400, expired])
  }
  const late = visitor(service)
  const { back: lateBack } = await begin(late)
  clock.now += 600_001
  assert.deepEqual(resultOf(await late.get(lateBack)), expired)
  assert.deepEqual(github.exchanges, [])
})

const REFUSED: readonly [what: string, answer: Github['answer'], status: number, heading: string][] = [
  ['a refused code', json({ error: 'bad_verification_code' }), 400, 'You are not signed in'],
  ['wrong credentials', json({ error: 'incorrect_client_credentials' }), 503, 'Sign-in is set up wrongly'],
  ['a token with a space', json({ access_token: 'a b' }), 400, 'You are not signed in'],
  ['a page', response => void response.end('<p>down</p>'), 503, 'Sign-in is not available now'],
  ['a huge reply', response => void response.end('x'.repeat(300_000)), 503, 'Sign-in is not available now'],
  ['no reply', () => undefined, 503, 'Sign-in is not available now'],
]
for (const [what, reply, status, heading] of REFUSED)
  test(`a GitHub that answers the exchange with ${what} gives no token, and the page and the editor learn why`, async () => {
    github.answer = reply
    const anna = visitor(service)
    const finish = await anna.get((await begin(anna)).back)
    assert.deepEqual([finish.status, resultOf(finish)], [status, failure(heading)])
  })

test('a person who cancels at GitHub gets no token', async () => {
  const anna = visitor(service)
  const back = new URL((await begin(anna)).back)
  back.searchParams.delete('code')
  back.searchParams.set('error', 'access_denied')
  const finish = await anna.get(back.href)
  assert.deepEqual([finish.status, resultOf(finish)], [400, failure('You are not signed in')])
  assert.deepEqual(github.exchanges, [])
})

test('a link of another site begins no sign-in', async () => {
  for (const site of ['cross-site', 'same-site', 'none']) {
    const { status, headers } = await visitor(service).get(AUTH, { 'sec-fetch-site': site })
    assert.deepEqual([status, headers.get('set-cookie')], [400, null])
    assert.match(lines.at(-1) ?? '', /"event":"sign-in-refused","reason":"cross-site"/)
  }
})

test('a link of another site begins no sign-in over kept and closed connections', async t => {
  const server = await listen({ host: '127.0.0.1', port: 0, log: silent, observe: () => undefined })
  t.after(() => server.stop())
  server.answerWith(service, PUBLIC_URL)
  for (const connection of ['keep-alive', 'close'])
    for (const [site, status] of [
      ['cross-site', 400],
      ['same-site', 400],
      ['same-origin', 303],
    ] as const) {
      const headers = { 'sec-fetch-site': site, connection }
      const sent = get({ host: '127.0.0.1', port: server.port, path: AUTH, headers, agent: false })
      const [response]: IncomingMessage[] = await once(sent, 'response')
      response?.resume()
      assert.deepEqual([connection, site, response?.statusCode], [connection, site, status])
    }
})

test('no log line has a code, a state, a token or the secret of the app', async () => {
  const anna = visitor(service)
  const { start, back } = await begin(anna)
  await anna.get(back)
  const state = new URL(start.headers.get('location') ?? '').searchParams.get('state') ?? ''
  assert.ok(lines.some(line => line.includes('sign-in-refused')))
  for (const secret of ['secretcode', state, TOKEN, APP.secret]) {
    const unexpected = lines.filter(line => line.includes(secret))
    assert.deepEqual(unexpected, [])
  }
})

test('without an app, the addresses are as unknown ones', async () => {
  const without = await githubService(temporary, github.url, PUBLIC_URL, false)
  const anna = visitor(without.service)
  for (const path of ['/-/edit/auth', '/-/edit/auth/callback?code=a&state=b']) {
    const [reply, unknown] = [await anna.get(path), await anna.get('/-/unknown')]
    assert.deepEqual([reply.status, reply.text, [...reply.headers]], [404, unknown.text, [...unknown.headers]])
  }
})

test('a service that people reach by plain http from other machines begins no sign-in', async () => {
  const open = await githubService(temporary, github.url, 'http://brand.example')
  const reply = await visitor(open.service).get(AUTH)
  assert.deepEqual([reply.status, resultOf(reply)], [403, failure('Sign-in needs https')])
})
