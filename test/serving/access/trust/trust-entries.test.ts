import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TrustSetting } from '#platform/settings/values.ts'
import { trustEntries } from '#serving/access/trust/trust-entries.ts'
import { golden } from '../../../support/golden.ts'
import { type IssuerServer, issuerKey, issuerServer } from '../../../support/issuer-server.ts'
import { testService } from '../../../support/service.ts'
import { temporaryStore } from '../../../support/temporary-store.ts'
import { until } from '../../../support/until.ts'

const PUBLIC_URL = 'https://brand.example.com'
const BASE_URL = `${PUBLIC_URL}/beta`
const OWN = { issuer: PUBLIC_URL, audience: BASE_URL }
const URN = { issuer: 'urn:uuid:1', audience: 'urn:uuid:1' }
const LOGIN = { issuer: 'https://login.example.com', workspace: 'acme' }

test('with a public URL, an entry needs only an issuer and a workspace', () => {
  assert.deepEqual(trustEntries([LOGIN], OWN), [
    { ...LOGIN, audience: BASE_URL, types: ['at+jwt', 'application/at+jwt'] },
  ])
})

test('the scheme of an issuer may be in upper case, and is kept in lower case, as tokens name it', () => {
  const seen = trustEntries([{ ...LOGIN, issuer: LOGIN.issuer.replace('https', 'HTTPS') }], OWN)
  assert.deepEqual(seen, trustEntries([LOGIN], OWN))
})

test('an entry may set every property', () => {
  const full = { ...LOGIN, audience: 'brand', jwks: 'https://keys.example.com/jwks', scopeClaim: 'permissions' }
  assert.deepEqual(trustEntries([{ ...full, typ: 'JWT', scopes: { read: 'styles.read, files.read' } }], URN), [
    { ...full, scopes: { read: ['styles.read', 'files.read'] }, types: ['jwt', 'application/jwt'] },
  ])
})

golden('access/trust-entries', ({ changes, own }: { changes: Partial<TrustSetting>; own?: 'urn' }) => {
  try {
    return trustEntries([{ ...LOGIN, ...changes }], own ? URN : OWN)
  } catch (error) {
    const { code, message }: { code?: string; message?: string } = Object(error)
    return `${code} ${message}`
  }
})

test('an issuer that occurs twice is refused', () => {
  const message = `trust: ${LOGIN.issuer}: there are two entries for acme with this audience: remove one`
  assert.throws(() => trustEntries([LOGIN, LOGIN], OWN), { code: 'trust_invalid', message })
})

test('http is allowed on this machine', () => {
  for (const issuer of ['http://localhost:1', 'http://127.0.0.1', 'http://[::1]:2'])
    assert.equal(trustEntries([{ ...LOGIN, issuer }], OWN).length, 1)
})

/* The tests below send tokens of such issuers to the API. */

const store = await temporaryStore(PUBLIC_URL)
for (const workspace of ['acme', 'other']) {
  await store.importing(workspace, { 'guidelines/pages/index.md': '# Home\n', 'plans/pages/index.md': '# Plans\n' })
  for (const project of ['guidelines', 'plans']) await store.publish(`${workspace}/${project}`)
}

/** Requests both workspaces with a token, and returns the two statuses. */
async function statuses(trust: readonly TrustSetting[], token: string): Promise<[acme: number, other: number]> {
  const { ask } = await testService(store, { publicUrl: PUBLIC_URL, trust })
  const status = async (workspace: string) => (await ask(`/beta/workspace/${workspace}`, { token })).status
  return [await status('acme'), await status('other')]
}

function claimsOf({ url }: IssuerServer, more: Readonly<Record<string, unknown>> = {}) {
  return { iss: url, aud: BASE_URL, sub: 'ci', scope: 'settings.read data.read', ...more }
}

test('a token of a trusted issuer opens only the issuer’s workspace', async () => {
  const key = await issuerKey('one')
  const server = await issuerServer(key)
  const trust = [{ issuer: server.url, workspace: 'acme' }]
  const token = (more: Readonly<Record<string, unknown>>) => key.sign(claimsOf(server, more))
  assert.deepEqual(await statuses(trust, await token({})), [200, 404])
  assert.deepEqual(await statuses(trust, await token({ workspace: 'acme' })), [200, 404])
  assert.deepEqual(await statuses(trust, await token({ workspace: 'other' })), [401, 401])
  assert.deepEqual(await statuses(trust, await token({ workspace: 1 })), [401, 401])
  assert.deepEqual(await statuses(trust, await token({ aud: ['x', BASE_URL] })), [200, 404])
  assert.deepEqual(await statuses(trust, await token({ aud: 'x' })), [401, 401])
  assert.deepEqual(await statuses(trust, await token({ aud: undefined })), [401, 401])
  assert.deepEqual(await statuses(trust, await token({ iss: `${server.url}/` })), [401, 401])
  assert.deepEqual(await statuses(trust, await token({ scope: 'styles.read' })), [403, 403])
  assert.deepEqual(await statuses(trust, await key.sign(claimsOf(server), 'JWT')), [401, 401])
  assert.deepEqual(
    await statuses(
      [{ ...trust[0], ...LOGIN, issuer: server.url, typ: 'JWT' }],
      await key.sign(claimsOf(server), 'JWT'),
    ),
    [200, 404],
  )
})

test('a token that lists projects covers only these', async () => {
  const key = await issuerKey('one')
  const server = await issuerServer(key)
  const { ask } = await testService(store, { publicUrl: PUBLIC_URL, trust: [{ ...LOGIN, issuer: server.url }] })
  const iat = Math.ceil(Date.now() / 1000)
  const token = await key.sign(claimsOf(server, { projects: ['guidelines'], iat }))
  assert.equal((await ask('/beta/workspace/acme/project/guidelines', { token })).status, 200)
  assert.equal((await ask('/beta/workspace/acme/project/plans', { token })).status, 404)
})

for (const [what, entry, claims, status] of [
  ['in scp as a list', {}, { scope: undefined, scp: ['settings.read'] }, 200],
  ['in scp as a string', {}, { scope: undefined, scp: 'data.read settings.read' }, 200],
  ['in a custom claim', { scopeClaim: 'permissions' }, { permissions: ['settings.read'], scope: '' }, 200],
  ['in a claim other than the named one', { scopeClaim: 'permissions' }, {}, 403],
  [
    'by names that the entry maps to ours',
    { scopes: { 'brand:read': 'settings.read data.read' } },
    { scope: 'x brand:read' },
    200,
  ],
  ['by our names, which the entry does not map', { scopes: { a: 'data.read' } }, { scope: 'settings.read' }, 403],
  [
    'by the name of a property of every object',
    { scopes: { a: 'data.read' } },
    { scope: 'constructor __proto__' },
    403,
  ],
  ['nowhere', {}, { scope: undefined }, 403],
] as const) {
  test(`a token whose scopes are ${what} gets ${status}`, async () => {
    const key = await issuerKey('one')
    const server = await issuerServer(key)
    const trust = [{ ...LOGIN, ...entry, issuer: server.url }]
    assert.equal((await statuses(trust, await key.sign(claimsOf(server, claims))))[0], status)
  })
}

test('a token of one issuer never opens a workspace that only another is trusted for', async () => {
  const [keyA, keyB] = [await issuerKey('same'), await issuerKey('same')]
  const [a, b] = [await issuerServer(keyA), await issuerServer(keyB)]
  const trust = [
    { issuer: a.url, workspace: 'acme' },
    { issuer: b.url, workspace: 'other', audience: 'b' },
  ]
  assert.deepEqual(await statuses(trust, await keyA.sign(claimsOf(a))), [200, 404])
  assert.deepEqual(await statuses(trust, await keyB.sign(claimsOf(b, { aud: 'b' }))), [404, 200])
  for (const claims of [
    { iss: b.url, aud: 'b' },
    { iss: b.url },
    { aud: 'b' },
    { aud: 'b', workspace: 'other' },
    { workspace: 'other' },
    { iss: [a.url, b.url] },
    { iss: PUBLIC_URL, workspace: 'other' },
  ])
    assert.deepEqual(await statuses(trust, await keyA.sign(claimsOf(a, claims))), [401, 401], JSON.stringify(claims))
})

test('if two issuers have the same key, each token still opens only its issuer’s workspace', async () => {
  const key = await issuerKey('shared')
  const [a, b] = [await issuerServer(key), await issuerServer(key)]
  const trust = [
    { issuer: a.url, workspace: 'acme' },
    { issuer: b.url, workspace: 'other' },
  ]
  assert.deepEqual(await statuses(trust, await key.sign(claimsOf(a))), [200, 404])
  assert.deepEqual(await statuses(trust, await key.sign(claimsOf(b))), [404, 200])
  assert.deepEqual(await statuses(trust, await key.sign(claimsOf(a, { workspace: 'other' }))), [401, 401])
})

test('one issuer may be trusted for several workspaces: the audience or a workspace claim selects one', async () => {
  const key = await issuerKey('one')
  const server = await issuerServer(key)
  const entry = (workspace: string, audience: string) => ({ issuer: server.url, workspace, audience })
  const apart = [entry('acme', 'for-acme'), entry('other', 'for-other')]
  const token = (claims: Readonly<Record<string, unknown>>) => key.sign(claimsOf(server, claims))
  assert.deepEqual(await statuses(apart, await token({ aud: 'for-acme' })), [200, 404])
  assert.deepEqual(await statuses(apart, await token({ aud: 'for-other' })), [404, 200])
  assert.deepEqual(await statuses(apart, await token({ aud: ['for-acme', 'for-other'] })), [401, 401])
  assert.deepEqual(await statuses(apart, await token({ aud: 'for-acme', workspace: 'other' })), [401, 401])
  const together = [entry('acme', 'both'), entry('other', 'both')]
  assert.deepEqual(await statuses(together, await token({ aud: 'both', workspace: 'other' })), [404, 200])
  assert.deepEqual(await statuses(together, await token({ aud: 'both' })), [401, 401])
})

test('entries of one issuer share its keys, which are read when a token needs them', async () => {
  const key = await issuerKey('one')
  const server = await issuerServer(key)
  const trust = [
    { issuer: server.url, workspace: 'acme', audience: 'a' },
    { issuer: server.url, workspace: 'other', audience: 'b' },
  ]
  const { ask } = await testService(store, { publicUrl: PUBLIC_URL, trust })
  assert.equal(server.asked(), 0)
  for (const aud of ['a', 'b']) {
    const token = await key.sign(claimsOf(server, { aud }))
    await ask('/beta/workspace/acme', { token })
  }
  assert.equal(server.asked(), 1)
})

test('tokens with known keys keep working while the issuer is down, and stop when it withdraws the key', async () => {
  const key = await issuerKey('one')
  const server = await issuerServer(key)
  const { ask, clock } = await testService(store, { publicUrl: PUBLIC_URL, trust: [{ ...LOGIN, issuer: server.url }] })
  const exp = Math.floor(clock.now / 1000) + 7 * 86_400
  const token = await key.sign(claimsOf(server, { exp }))
  const status = async () => (await ask('/beta/workspace/acme', { token })).status
  assert.equal(await status(), 200)
  server.set.keys = []
  clock.now += 11 * 60_000
  await status()
  await until(async () => (await status()) === 401)
  server.set.keys = [key.jwk]
  clock.now += 31_000
  assert.equal(await status(), 200)
  await server.stop()
  clock.now += 86_400_000
  for (let at = 0; at < 3; at++) assert.equal(await status(), 200)
  const later = await key.sign(claimsOf(server, { exp, jti: 'another' }))
  assert.equal((await ask('/beta/workspace/acme', { token: later })).status, 200)
})

test('tokens of an unreachable issuer are refused, and it is contacted again after half a minute', async () => {
  const key = await issuerKey('one')
  const server = await issuerServer()
  const { ask, clock } = await testService(store, { publicUrl: PUBLIC_URL, trust: [{ ...LOGIN, issuer: server.url }] })
  const token = await key.sign(claimsOf(server))
  for (let at = 0; at < 3; at++) assert.equal((await ask('/beta/workspace/acme', { token })).status, 401)
  assert.equal(server.asked(), 1)
  server.set.keys = [key.jwk]
  clock.now += 31_000
  assert.equal((await ask('/beta/workspace/acme', { token })).status, 200)
  assert.equal(server.asked(), 2)
})
