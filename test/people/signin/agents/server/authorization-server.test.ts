import assert from 'node:assert/strict'
import { test } from 'node:test'
import { guest, privateGuide, REDIRECT, shareLink } from '#test/support/agent-program.ts'
import { allow, authorization, redirectOf } from '#test/support/authorization.ts'
import { testService, URL_OF_SERVICE } from '#test/support/service.ts'
import { visitor } from '#test/support/visitor.ts'

const redirectUris = [REDIRECT, 'https://program.example/back?a=b', 'com.example.notebook:/back']
const { temporary, store, program } = await privateGuide({}, { redirectUris })

/** Changes parameters of an authorization request; an empty value removes one. */
function changedTarget(changes: Readonly<Record<string, string>>): string {
  const [path, query] = authorization(program).target.split('?')
  const parameters = new URLSearchParams(query)
  for (const [name, value] of Object.entries(changes)) {
    parameters.delete(name)
    if (value !== '') parameters.append(name, value)
  }
  return `${path}?${parameters}`
}

test('an unknown program or redirect address gets a page, and never a redirect', async () => {
  const { service } = await testService(temporary)
  for (const changes of [
    { client_id: '' },
    { client_id: 'acme-000000000000' },
    { client_id: 'https://program.example/with a space' },
    { redirect_uri: '' },
    { redirect_uri: 'https://evil.example/callback' },
    { redirect_uri: 'https://program.example/back' },
    { redirect_uri: 'http://127.0.0.1.evil.example/callback' },
    { redirect_uri: 'http://127.0.0.1/other' },
    { redirect_uri: 'javascript:alert(1)' },
    { redirect_uri: '//evil.example' },
  ]) {
    const { status, headers, text } = await visitor(service).get(changedTarget(changes))
    assert.equal(status, 400, JSON.stringify(changes))
    assert.equal(headers.get('location'), null)
    assert.match(text, /This program cannot be connected/)
    assert.equal(headers.get('x-frame-options'), 'DENY')
    assert.deepEqual(headers.getSetCookie(), [])
  }
})

test('a wrong request of a known program redirects back to it with an error', async () => {
  const { service } = await testService(temporary)
  for (const [changes, expected] of [
    [{ code_challenge: '', code_challenge_method: '' }, 'invalid_request'],
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ response_type: 'code id_token' }, 'unsupported_response_type'],
    [{ resource: 'https://elsewhere.example/mcp' }, 'invalid_target'],
    [{ resource: `${URL_OF_SERVICE}/acme/guidelines` }, 'invalid_target'],
    [{ prompt: 'none' }, 'consent_required'],
    [{ scope: 'unknown.read' }, 'invalid_scope'],
    [{ scope: 'openid styles.read unknown.read' }, 'invalid_scope'],
    [{ scope: 'styles.read profile' }, 'invalid_scope'],
    [{ scope: 'Styles.Read' }, 'invalid_scope'],
  ] as const) {
    const back = new URL(redirectOf(await visitor(service).get(changedTarget(changes))))
    assert.equal(back.origin + back.pathname, REDIRECT)
    const { error, iss, state } = Object.fromEntries(new URLSearchParams(back.search || back.hash.slice(1)))
    assert.deepEqual({ error, iss, state }, { error: expected, iss: URL_OF_SERVICE, state: 'a-state' })
  }
})

test('a program on the same computer may listen on any port, and others have their exact address', async () => {
  const { service } = await testService(temporary)
  const browser = await guest(service, await shareLink(store))
  for (const redirectUri of ['http://127.0.0.1:49152/callback', ...redirectUris]) {
    const { code } = await allow(browser, { ...program, redirectUri })
    assert.match(code, /^[\w-]{40,}$/)
  }
})

test('unknown parameters have no effect, and a program may ask for other resources of the service', async () => {
  const { service } = await testService(temporary)
  for (const changes of [
    {
      response_mode: 'form_post',
      nonce: 'n',
      claims: '{',
      max_age: '0',
      request: 'x',
      registration: 'y',
      ui_locales: 'de',
    },
    { prompt: 'login consent' },
    { resource: '' },
    { resource: `${URL_OF_SERVICE}/mcp` },
    { resource: `${URL_OF_SERVICE}/beta/workspace/acme` },
    { resource: `${URL_OF_SERVICE}/workspace/acme` },
  ]) {
    const next = redirectOf(await visitor(service).get(changedTarget(changes)))
    assert.match(next, /\/consent\/[\w-]+/, JSON.stringify(changes))
  }
})

test('an address may begin 60 authorizations in a minute', async () => {
  const { service, clock } = await testService(temporary)
  const { target } = authorization(program)
  for (let count = 0; count < 60; count++) redirectOf(await visitor(service).get(target))
  const refused = await visitor(service).get(target)
  assert.equal(refused.status, 429)
  assert.match(refused.text, /too many requests/)
  redirectOf(await visitor(service, '192.0.2.8').get(target))
  clock.now += 60_000
  redirectOf(await visitor(service).get(target))
})

test('authorization requests count in the public limit', async () => {
  const { service } = await testService(temporary, { ratePublic: { requests: 2, seconds: 60 } })
  const browser = visitor(service)
  const consent = redirectOf(await browser.get(authorization(program).target))
  assert.equal((await browser.get(consent)).status, 200)
  assert.equal((await browser.post(consent, { action: 'cancel' })).status, 429)
  assert.equal((await browser.get(authorization(program).target)).status, 429)
})

test('only GET begins an authorization, and only its own browser continues it', async () => {
  const { service } = await testService(temporary)
  const { target } = authorization(program)
  const browser = visitor(service)
  assert.equal((await browser.post(target, {})).status, 405)
  const uid = redirectOf(await browser.get(target))
    .split('/')
    .at(-1)
  assert.equal((await visitor(service).get(`/oauth/authorize/${uid}`)).status, 400)
  // Before the decision, the page asks again.
  assert.match(redirectOf(await browser.get(`/oauth/authorize/${uid}`)), /\/-\/consent\//)
})
