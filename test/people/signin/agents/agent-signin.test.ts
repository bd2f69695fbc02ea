import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeJwt } from 'jose'
import { SCOPES } from '#brand/contract/operations.ts'
import { createClient } from '#serving/access/client/clients.ts'
import { clients, shares } from '#serving/access/families.ts'
import { send } from '../../../support/agent-client.ts'
import {
  connect,
  connectGuest,
  guest,
  privateGuide,
  refreshRequest,
  registerProgram,
  shareLink,
} from '../../../support/agent-program.ts'
import { allow, authorization, postForm, redirectOf, tokenRequest } from '../../../support/authorization.ts'
import { testService, URL_OF_SERVICE } from '../../../support/service.ts'
import { accessTo, resultOf } from '../../../support/temporary-store.ts'
import { until } from '../../../support/until.ts'
import { visitor } from '../../../support/visitor.ts'

const GUIDE = `${URL_OF_SERVICE}/acme/guidelines/-/mcp`
const PAGES = '/beta/workspace/acme/project/guidelines/pages'
const { temporary, store, clientId, program } = await privateGuide({ 'second/pages/index.md': '# Second\n' })
await temporary.publish('acme/second')

test('the holder of a share link connects a program, whose tokens cover only that guide', async () => {
  const { service, ask, clock, close } = await testService(temporary)
  const link = await shareLink(store)
  const tokens = await connect(service, await guest(service, link), program)
  const { access_token: token, refresh_token: refresh, ...rest } = tokens
  const scope = 'settings.read projects.read data.read document.read styles.read files.read'
  assert.deepEqual(rest, { token_type: 'Bearer', expires_in: 3600, scope, resource: GUIDE })
  assert.match(refresh, /^[\w-]{40,}$/)
  const { iat = 0, exp, jti, instances, connection, ...claims } = decodeJwt(token)
  assert.equal(exp, iat + 3600)
  assert.ok(typeof connection === 'string' && typeof jti === 'string' && Array.isArray(instances))
  const { urn } = store.identity
  assert.deepEqual(claims, {
    iss: urn,
    aud: [urn, GUIDE],
    sub: `share-${link.id}`,
    client_id: clientId,
    scope,
    workspace: 'acme',
    projects: ['guidelines'],
  })
  assert.equal((await ask(PAGES, { token })).status, 200)
  assert.equal((await ask('/beta/workspace/acme/project/second/pages', { token })).status, 404)
  const listed = await send(service, '/acme/guidelines/-/mcp', { method: 'tools/list', token, revision: '2025-11-25' })
  assert.equal(listed.status, 200, listed.text)
  await close()
  const uses = async () => {
    const [{ id, lastUsedAt }] = await resultOf(temporary.folder, ['connection', 'list', 'acme'])
    return [id, lastUsedAt]
  }
  await until(async () => {
    if ((await uses())[1] !== null) return true
    // On a busy machine, a process that stops may give up recording uses.
    const again = await testService(temporary)
    await again.ask(PAGES, { token })
    await again.close()
    return false
  })
  assert.deepEqual(await uses(), [connection, new Date(clock.now - (clock.now % 3_600_000)).toISOString()])
})

test('a program may ask for some scopes, and gets no others, also not at a refresh', async () => {
  const { service, ask } = await testService(temporary)
  const browser = await guest(service, await shareLink(store))
  const narrow = { ...program, scope: 'openid styles.read  offline_access' }
  const tokens = await connect(service, browser, narrow)
  assert.equal(tokens.scope, 'styles.read')
  assert.equal((await ask(PAGES, { token: tokens.access_token })).status, 403)
  const refresh = (scope: string) =>
    postForm(service, '/oauth/token', { ...refreshRequest(program, tokens.refresh_token), scope })
  for (const wider of ['styles.read files.read', 'styles.read unknown.read'])
    assert.equal((await refresh(wider)).body.error, 'invalid_scope')
  assert.equal((await refresh('openid styles.read offline_access')).body.scope, 'styles.read')
})

test('a program that names no scope of the service may have all of them', async () => {
  const { service } = await testService(temporary)
  const browser = await guest(service, await shareLink(store))
  for (const scope of ['openid offline_access', '']) {
    const tokens = await connect(service, browser, { ...program, scope })
    assert.match(tokens.scope, /settings\.read .* files\.read/)
    const { body } = await postForm(service, '/oauth/token', {
      ...refreshRequest(program, tokens.refresh_token),
      scope: 'offline_access',
    })
    assert.equal(body.scope, tokens.scope, JSON.stringify(body))
  }
})

test('the scopes and the workspace of a registered program limit its connections', async () => {
  const { service } = await testService(temporary)
  const link = await shareLink(store)
  const narrow = { ...program, clientId: await registerProgram(store, { scopes: ['styles.read'] }) }
  const { scope } = await connect(service, await guest(service, link), narrow)
  assert.equal(scope, 'styles.read')
  await temporary.importing('other', { 'one/pages/index.md': '# One\n' })
  const foreign = { ...program, clientId: await registerProgram(store, { workspace: 'other' }) }
  await assert.rejects(allow(await guest(service, link), foreign), /registered for another workspace/)
})

test('a refresh token works once, and its use again ends the connection with all its tokens', async () => {
  const { service, ask, follow } = await testService(temporary)
  const first = await connectGuest(service, store, program)
  const { status, body: second } = await postForm(service, '/oauth/token', refreshRequest(program, first.refresh_token))
  assert.equal(status, 200, JSON.stringify(second))
  assert.notEqual(second.refresh_token, first.refresh_token)
  assert.equal((await ask(PAGES, { token: second.access_token })).status, 200)
  const again = await postForm(service, '/oauth/token', refreshRequest(program, first.refresh_token))
  assert.deepEqual([again.status, again.body.error], [400, 'invalid_grant'])
  await follow()
  for (const { access_token: token } of [first, second]) assert.equal((await ask(PAGES, { token })).status, 401)
  const last = await postForm(service, '/oauth/token', refreshRequest(program, second.refresh_token))
  assert.deepEqual([last.status, last.body.error], [400, 'invalid_grant'])
})

test('two simultaneous uses of a refresh token end the connection', async () => {
  const [one, other] = [await testService(temporary), await testService(temporary)]
  const { refresh_token: token } = await connectGuest(one.service, store, program)
  const replies = await Promise.all(
    [one, other].map(({ service }) => postForm(service, '/oauth/token', refreshRequest(program, token))),
  )
  assert.ok(replies.some(({ body }) => body.error === 'invalid_grant'))
  await one.follow()
  for (const { body } of replies)
    if (body.access_token) assert.equal((await one.ask(PAGES, { token: body.access_token })).status, 401)
})

test('a code works once, only with its secret, its redirect address and its program, and only for a minute', async () => {
  const { service, ask, follow, clock } = await testService(temporary)
  const browser = await guest(service, await shareLink(store))
  const refuses = async (fields: object) => {
    const { status, body } = await postForm(service, '/oauth/token', {
      ...tokenRequest(program, await allow(browser, program)),
      ...fields,
    })
    assert.deepEqual([status, body.error], [400, 'invalid_grant'])
  }
  await refuses({ code_verifier: 'x'.repeat(43) })
  await refuses({ redirect_uri: 'http://127.0.0.1/other' })
  await refuses({ client_id: await registerProgram(store) })
  await refuses({ code: 'invented' })
  const redeemed = await allow(browser, program)
  const form = tokenRequest(program, redeemed)
  const { body } = await postForm(service, '/oauth/token', form)
  assert.equal((await ask(PAGES, { token: body.access_token })).status, 200)
  assert.equal((await postForm(service, '/oauth/token', form)).body.error, 'invalid_grant')
  await follow()
  assert.equal((await ask(PAGES, { token: body.access_token })).status, 401)
  const late = await allow(browser, program)
  clock.now += 61_000
  assert.equal((await postForm(service, '/oauth/token', tokenRequest(program, late))).body.error, 'invalid_grant')
})

test('a connection ends with its share link, and no token outlives the link', async () => {
  const { service, ask, follow, clock } = await testService(temporary)
  const link = await shareLink(store)
  const tokens = await connect(service, await guest(service, link), program)
  await shares.end(accessTo(store), link.id, new Date())
  await follow()
  assert.equal((await ask(PAGES, { token: tokens.access_token })).status, 401)
  const { body } = await postForm(service, '/oauth/token', refreshRequest(program, tokens.refresh_token))
  assert.equal(body.error, 'invalid_grant')
  const short = await shareLink(store, { lifetimeSeconds: 600 })
  const shortLived = await connect(service, await guest(service, short), program)
  assert.ok(shortLived.expires_in <= 600 && shortLived.expires_in > 480)
  clock.now += 600_000
  assert.equal((await ask(PAGES, { token: shortLived.access_token })).status, 401)
  const after = await postForm(service, '/oauth/token', refreshRequest(program, shortLived.refresh_token))
  assert.equal(after.body.error, 'invalid_grant')
})

test('a deleted program loses its connections, and can begin none', async () => {
  const { service, ask, follow } = await testService(temporary)
  const gone = { ...program, clientId: await registerProgram(store) }
  const browser = await guest(service, await shareLink(store))
  const { access_token: token, refresh_token: refresh } = await connect(service, browser, gone)
  await clients.end(accessTo(store), gone.clientId, new Date())
  await follow()
  assert.equal((await ask(PAGES, { token })).status, 401)
  assert.equal((await postForm(service, '/oauth/token', refreshRequest(gone, refresh))).body.error, 'invalid_client')
  const refused = await browser.get(authorization(gone).target)
  assert.equal(refused.status, 400)
  assert.match(refused.text, /This program cannot be connected/)
})

test('an authorization may begin at one process, and end at another', async () => {
  const [one, other] = [await testService(temporary), await testService(temporary)]
  const services = [one.service, other.service]
  let turn = 0
  const both: typeof one.service = request => services[turn++ % 2]?.(request) ?? one.service(request)
  const browser = visitor(both)
  await browser.get((await shareLink(store)).path)
  const tokens = await connect(both, browser, program)
  const { status, body } = await postForm(both, '/oauth/token', refreshRequest(program, tokens.refresh_token))
  assert.equal(status, 200)
  assert.equal((await one.ask(PAGES, { token: body.access_token })).status, 200)
  assert.equal((await other.ask(PAGES, { token: body.access_token })).status, 200)
})

test('below a public URL with a path, every address begins with that URL', async () => {
  const publicUrl = 'https://brand.example.com/design'
  const { service } = await testService(temporary, { publicUrl })
  const browser = visitor(service)
  const link = await shareLink(store)
  await browser.get(`/design${link.path}`)
  const there = { ...program, resource: `${publicUrl}/acme/guidelines/-/mcp` }
  const begun = await browser.get(`/design${authorization(there).target}`)
  const consent = redirectOf(begun)
  assert.match(consent, /^https:\/\/brand\.example\.com\/design\/acme\/guidelines\/-\/consent\/[\w-]+$/)
  const set = begun.headers.getSetCookie()
  assert.match(
    set[0] ?? '',
    /^__Host-housestyle-consent=[\w-]+; path=\/; expires=[^;]+; samesite=lax; secure; httponly$/,
  )
  assert.match(
    set[1] ?? '',
    /^__Secure-housestyle-resume=[\w-]+; path=\/design\/oauth\/authorize\/[\w-]+; expires=[^;]+; samesite=lax; secure; httponly$/,
  )
  assert.equal(set.length, 2)
})

test('a program that acts for people gets no token without a person', async () => {
  const { service } = await testService(temporary)
  for (const secret of ['', 'guessed']) {
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: secret }
    const { status, body } = await postForm(service, '/oauth/token', form)
    assert.deepEqual([status, body.error], [401, 'invalid_client'])
  }
})

test('a program revokes an access token, and its refresh token continues', async () => {
  const { service, ask, follow } = await testService(temporary)
  const { access_token: token, refresh_token: refresh } = await connectGuest(service, store, program)
  const revoked = await postForm(service, '/oauth/revoke', { token, client_id: clientId })
  assert.deepEqual([revoked.status, revoked.headers.get('cache-control')], [200, 'no-store'])
  await follow()
  assert.equal((await ask(PAGES, { token })).status, 401)
  assert.equal((await postForm(service, '/oauth/token', refreshRequest(program, refresh))).status, 200)
})

test('revoking a refresh token ends the connection', async () => {
  const { service, ask, follow } = await testService(temporary)
  const { access_token: token, refresh_token: refresh } = await connectGuest(service, store, program)
  assert.equal((await postForm(service, '/oauth/revoke', { token: refresh, client_id: clientId })).status, 200)
  await follow()
  assert.equal((await ask(PAGES, { token })).status, 401)
  assert.equal((await postForm(service, '/oauth/token', refreshRequest(program, refresh))).body.error, 'invalid_grant')
})

test('another program revokes nothing, and unknown tokens get the same reply', async () => {
  const { service, ask, follow } = await testService(temporary)
  const { access_token: token, refresh_token: refresh } = await connectGuest(service, store, program)
  const other = await registerProgram(store)
  for (const each of [token, refresh, 'invented', `${token}x`])
    assert.equal((await postForm(service, '/oauth/revoke', { token: each, client_id: other })).status, 200)
  await follow()
  assert.equal((await ask(PAGES, { token })).status, 200)
  assert.equal((await postForm(service, '/oauth/token', refreshRequest(program, refresh))).status, 200)
  for (const fields of [{ token }, { token, client_id: 'unknown' }, { token: refresh, client_id: 'unknown' }]) {
    const { status, body } = await postForm(service, '/oauth/revoke', fields)
    assert.ok(status === 400 || status === 401, JSON.stringify(fields))
    assert.ok(['invalid_client', 'invalid_request'].includes(body.error))
  }
  assert.equal((await postForm(service, '/oauth/revoke', { client_id: clientId })).body.error, 'invalid_request')
  assert.equal((await ask('/oauth/revoke')).status, 405)
})

test('a client with a secret revokes its token, and needs the secret', async () => {
  const { service, ask, follow } = await testService(temporary)
  const made = await createClient(accessTo(store), 'acme', { scopes: SCOPES }, new Date())
  const client = { client_id: made.client_id, client_secret: made.client_secret ?? '' }
  const { body } = await postForm(service, '/oauth/token', { grant_type: 'client_credentials', ...client })
  const token = body.access_token
  const wrong = await postForm(service, '/oauth/revoke', { token, ...client, client_secret: 'wrong' })
  assert.deepEqual([wrong.status, wrong.body.error], [401, 'invalid_client'])
  await follow()
  assert.equal((await ask(PAGES, { token })).status, 200)
  assert.equal((await postForm(service, '/oauth/revoke', { token, ...client })).status, 200)
  await follow()
  assert.equal((await ask(PAGES, { token })).status, 401)
})

test('guesses of a secret count as in the token endpoint', async () => {
  const { service } = await testService(temporary)
  const guess = { token: 'a.b.c', client_id: 'acme-000000000000', client_secret: 'guessed' }
  const statuses: number[] = []
  for (let count = 0; count < 21; count++) statuses.push((await postForm(service, '/oauth/revoke', guess)).status)
  assert.deepEqual([new Set(statuses.slice(0, 20)), statuses[20]], [new Set([401]), 429])
  const { status } = await postForm(service, '/oauth/token', { ...guess, grant_type: 'client_credentials' })
  assert.equal(status, 429)
})

test('a client revokes a token of which the restored store has no record', async () => {
  const { service, ask, follow } = await testService(temporary)
  const made = await createClient(accessTo(store), 'acme', { scopes: SCOPES }, new Date())
  const client = { client_id: made.client_id, client_secret: made.client_secret ?? '' }
  const { body } = await postForm(service, '/oauth/token', { grant_type: 'client_credentials', ...client })
  await store.database.transaction(queries => queries.run('DELETE FROM token WHERE client = ?', made.client_id))
  const token = body.access_token
  await follow()
  assert.equal((await ask(PAGES, { token })).status, 200)
  assert.equal((await postForm(service, '/oauth/revoke', { token, ...client })).status, 200)
  await follow()
  assert.equal((await ask(PAGES, { token })).status, 401)
})
