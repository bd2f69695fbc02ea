import assert from 'node:assert/strict'
import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { test } from 'node:test'
import { importJWK, SignJWT } from 'jose'
import { SCOPES } from '../../../src/contract/operations.ts'
import { testService } from '../../support/service.ts'
import { temporaryStore } from '../../support/temporary-store.ts'

/*
 * The requirements of RFC 9068 and RFC 8725 for servers that accept tokens, one per test. test/security.md refers
 * to this file.
 */

const PUBLIC_URL = 'https://brand.example.com'
const store = await temporaryStore(PUBLIC_URL)
await store.importing('acme', { 'guidelines/pages/index.md': '# Home\n' })
await store.issue('acme')
const { ask } = await testService(store, { publicUrl: PUBLIC_URL }, Date.now())
const row = await store.store.database.get('SELECT * FROM signing_key')
const kid = String(row?.kid)
const publicJwk = JSON.parse(String(row?.public_jwk))
const key = await importJWK(JSON.parse(String(row?.private_jwk)), 'ES256')

const NOW = Math.floor(Date.now() / 1000)
const CLAIMS = {
  iss: PUBLIC_URL,
  aud: `${PUBLIC_URL}/beta`,
  sub: 'cli',
  client_id: 'cli',
  jti: 'one',
  iat: NOW,
  exp: NOW + 60,
  scope: SCOPES.join(' '),
  workspace: 'acme',
}
const HEADER = { typ: 'at+jwt', alg: 'ES256', kid }

type Parts = Readonly<Record<string, unknown>>

/** Signs with the store's own key, which only the store can use. */
function genuine(claims: Parts = {}, header: Parts = {}): Promise<string> {
  return new SignJWT({ ...CLAIMS, ...claims }).setProtectedHeader({ ...HEADER, ...header }).sign(key)
}

function encode(value: unknown): string {
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')
}

/** Makes a token. `signing` makes its signature from the first two parts. */
function forge(header: unknown, claims: unknown, signing: (input: string) => Uint8Array): string {
  const input = `${encode(header)}.${encode(claims)}`
  return `${input}.${Buffer.from(signing(input)).toString('base64url')}`
}

async function status(token: string): Promise<number> {
  return (await ask('/beta/workspace/acme', { token })).status
}

async function signAgain(header: unknown, claims: unknown): Promise<string> {
  const { subtle } = globalThis.crypto
  const input = `${encode(header)}.${encode(claims)}`
  assert.ok(!(key instanceof Uint8Array))
  const bytes = await subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, key, Buffer.from(input))
  return `${input}.${Buffer.from(bytes).toString('base64url')}`
}

test('a token with all claims required by RFC 9068 is accepted, with either spelling of its type', async () => {
  assert.equal(await status(await genuine()), 200)
  for (const typ of ['application/at+jwt', 'AT+JWT']) assert.equal(await status(await genuine({}, { typ })), 200, typ)
})

test('a token with a missing or malformed claim that RFC 9068 requires is refused', async () => {
  for (const name of ['iss', 'exp', 'aud', 'sub', 'client_id', 'iat', 'jti', 'scope', 'workspace'])
    for (const value of [undefined, null, {}, ''])
      if (name !== 'scope' || value !== '') assert.equal(await status(await genuine({ [name]: value })), 401, name)
})

test('a token of another type, or without one, is refused', async () => {
  for (const typ of ['JWT', 'jwt', 'at+JWT ', 'secevent+jwt', '', 1, undefined])
    assert.equal(await status(await signAgain({ ...HEADER, typ }, CLAIMS)), 401, String(typ))
})

test('a token whose issuer or audience is not exactly ours is refused', async () => {
  for (const iss of [`${PUBLIC_URL}/`, PUBLIC_URL.toUpperCase(), 'http://brand.example.com', [PUBLIC_URL]])
    assert.equal(await status(await signAgain(HEADER, { ...CLAIMS, iss })), 401, String(iss))
  for (const aud of [PUBLIC_URL, `${PUBLIC_URL}/beta/`, [], [1, CLAIMS.aud], { 0: CLAIMS.aud }])
    assert.equal(await status(await signAgain(HEADER, { ...CLAIMS, aud })), 401, String(aud))
  assert.equal(await status(await genuine({ aud: ['x', CLAIMS.aud] })), 200)
})

test('a token is refused after its expiry, before its start, and if its lifetime exceeds 366 days', async () => {
  const day = 86_400
  for (const claims of [
    { exp: NOW - 6 },
    { exp: NOW + 366 * day + 60 },
    { exp: '9999999999' },
    { nbf: NOW + 60 },
    { iat: NOW + 60 },
  ])
    assert.equal(await status(await signAgain(HEADER, { ...CLAIMS, ...claims })), 401, JSON.stringify(claims))
  assert.equal(await status(await genuine({ exp: NOW + 60.5 })), 200)
})

test('the algorithm comes from a fixed list and from the key, never only from the token', async () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  const hmacKeys = [JSON.stringify(publicJwk), publicJwk.x, '']
  const forgeries = [
    forge({ ...HEADER, alg: 'none' }, CLAIMS, () => new Uint8Array()),
    forge({ ...HEADER, alg: 'none' }, CLAIMS, () => new Uint8Array(64)),
    ...hmacKeys.map(secret =>
      forge({ ...HEADER, alg: 'HS256' }, CLAIMS, input => createHmac('sha256', secret).update(input).digest()),
    ),
    forge({ ...HEADER, alg: 'RS256' }, CLAIMS, input => sign('sha256', Buffer.from(input), rsa)),
    await signAgain({ ...HEADER, alg: 'ES384' }, CLAIMS),
    await signAgain({ ...HEADER, alg: 'es256' }, CLAIMS),
  ]
  for (const token of forgeries) assert.equal(await status(token), 401, token)
})

test('an incomplete or wrong signature is refused', async () => {
  const [header = '', claims = '', signature = ''] = (await genuine()).split('.')
  const bytes = Buffer.from(signature, 'base64url')
  const other = encode({ ...CLAIMS, workspace: 'other' })
  const wrong = [new Uint8Array(64), bytes.subarray(0, 63), Buffer.concat([bytes, bytes]), bytes.toReversed()]
  for (const each of wrong) {
    const token = `${header}.${claims}.${Buffer.from(each).toString('base64url')}`
    assert.equal(await status(token), 401, token)
  }
  for (const token of [
    `${header}.${other}.${signature}`,
    `${header}.${claims}.`,
    `${header}.${claims}`,
    `.${claims}.${signature}`,
  ])
    assert.equal(await status(token), 401, token)
})

test('a token with a key, or with a header parameter that changes how it is read, is refused', async () => {
  for (const more of [
    { jwk: publicJwk },
    { jku: `${PUBLIC_URL}/.well-known/jwks.json` },
    { x5u: PUBLIC_URL },
    { x5c: ['AAAA'] },
    { crit: ['exp'], exp: 1 },
    { b64: false },
    { zip: 'DEF' },
    { enc: 'A256GCM' },
    { kid: '../../etc/passwd' },
    { kid: "' OR 1=1 --" },
    { kid: '' },
    { kid: [kid] },
  ])
    assert.equal(await status(await signAgain({ ...HEADER, ...more }, CLAIMS)), 401, JSON.stringify(more))
})

test('a token that is not strict JSON in UTF-8 is refused', async () => {
  const text = JSON.stringify(CLAIMS)
  const bytes = Buffer.concat([
    Buffer.from(text.slice(0, -1)),
    Buffer.from(',"x":"'),
    Buffer.from([0xff]),
    Buffer.from('"}'),
  ])
  const input = `${encode(HEADER)}.${bytes.toString('base64url')}`
  assert.ok(!(key instanceof Uint8Array))
  const made = await globalThis.crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, key, Buffer.from(input))
  assert.equal(await status(`${input}.${Buffer.from(made).toString('base64url')}`), 401)
  for (const claims of [`\uFEFF${text}`, text.replace('{', '{"workspace":"other",'), '[]', 'null', `${text} x`])
    assert.equal(await status(await signAgain(HEADER, claims)), 401, claims)
})

test('an encrypted token, or one with five parts, is refused', async () => {
  const token = await genuine()
  assert.equal(await status(`${encode({ alg: 'dir', enc: 'A256GCM', typ: 'at+jwt', kid })}..AAAA.AAAA.AAAA`), 401)
  assert.equal(await status(`${token}.AAAA.AAAA`), 401)
})
