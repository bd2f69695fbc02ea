import assert from 'node:assert/strict'
import test from 'node:test'
import { issuerKey, issuerServer } from '../../support/issuer-server.ts'
import { silent, testService } from '../../support/service.ts'
import { temporaryStore } from '../../support/temporary-store.ts'

const AUDIENCE = 'https://brand.example.com/beta'
const store = await temporaryStore()
await store.importing('acme', { 'guidelines/pages/index.md': '# Home\n' })

/** A service that trusts an issuer, which signs with `key`, and the warnings that it logs. */
async function trusting() {
  const key = await issuerKey('one')
  const issuer = await issuerServer(key)
  const warnings: string[] = []
  const log = { ...silent, warn: (_: object, text: string) => void warnings.push(text) }
  const trust = [{ issuer: issuer.url, workspace: 'acme', audience: AUDIENCE }]
  const now = Date.now()
  const { ask } = await testService(store, { publicUrl: 'https://brand.example.com', trust }, now, log)
  const claims = (aheadSeconds: number) => {
    const iat = Math.floor(now / 1000) + aheadSeconds
    return { iss: issuer.url, aud: AUDIENCE, sub: 'ci', scope: 'settings.read', iat, exp: iat + 600 }
  }
  const status = async (token: string) => (await ask('/beta/workspace/acme', { token })).status
  const failures = async () =>
    /^housestyle_issuer_failures_total\{kind="trusted"\} (\d+)$/m.exec((await ask('/metrics')).text)?.[1]
  return { key, issuer, warnings, claims, status, failures }
}

test('signed tokens of a trusted issuer that begin in the future are refused with one warning about the clock, forged ones without', async () => {
  const { key, warnings, claims, status } = await trusting()
  assert.equal(await status(await key.sign(claims(0))), 200)
  const forger = await issuerKey('one')
  assert.equal(await status(await forger.sign(claims(5 * 3600))), 401)
  assert.deepEqual(warnings, [])
  for (let times = 0; times < 3; times++) assert.equal(await status(await key.sign(claims(5 * 3600 + times))), 401)
  assert.deepEqual(warnings, [
    'tokens of an issuer are refused because they begin in the future: the clock of this machine may be wrong; compare it, and set it, for example with NTP',
  ])
})

test('a token of the command line on a machine whose clock is ahead is refused with a warning about the clock', async () => {
  const warnings: object[] = []
  const log = { ...silent, warn: (fields: object) => void warnings.push(fields) }
  const { ask } = await testService(store, {}, Date.now() - 5 * 3_600_000, log)
  const { token } = await store.issue('acme')
  assert.equal((await ask('/beta/workspace/acme', { token })).status, 401)
  assert.equal(warnings.length, 1)
  assert.ok(Object(warnings[0]).aheadMs > 4 * 3_600_000)
})

test('a trusted issuer that does not answer is counted', async () => {
  const { key, issuer, claims, status, failures } = await trusting()
  await issuer.stop()
  assert.equal(await failures(), '0')
  assert.equal(await status(await key.sign(claims(0))), 401)
  assert.equal(await failures(), '1')
})
