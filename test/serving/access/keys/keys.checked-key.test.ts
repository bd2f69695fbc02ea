import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import test, { after } from 'node:test'
import { housestyle, MAIN } from '../../../program/cli/housestyle.ts'
import { serve } from '../../../support/command.ts'
import { temporaryFolder } from '../../../support/temporary.ts'
import { publishedStore } from '../../../support/temporary-store.ts'
import { until } from '../../../support/until.ts'

const temporary = await publishedStore('acme/guide', { 'guide/project.yaml': 'name: Guide\nvisibility: public\n' })
const { token } = await temporary.issue('acme')
const other = generateKeyPairSync('ec', { namedCurve: 'P-256' })

/** Columns of the signing key, and damaged values. */
const DAMAGES: Readonly<Record<string, readonly [column: string, value: string | Uint8Array]>> = {
  'a private part that is no JSON': ['private_jwk', 'x'],
  'a private part that is cut': ['private_jwk', '{"kty":"EC"'],
  'a private part of bytes': ['private_jwk', Buffer.from('x')],
  'a private part of another key': ['private_jwk', JSON.stringify(other.privateKey.export({ format: 'jwk' }))],
  'an encrypted private part that is cut': ['private_jwk', 'eyJhbGciOiJQQkVTMi1IUzI1NitBMTI4S1cifQ.x'],
  'a public part that is no JSON': ['public_jwk', 'x'],
  'a public part of another key': ['public_jwk', JSON.stringify(other.publicKey.export({ format: 'jwk' }))],
  'another algorithm': ['algorithm', 'RS256'],
  'an unknown algorithm': ['algorithm', 'ES257'],
  'another id': ['kid', 'f00d'],
}

function damage(data: string, [column, value]: readonly [string, string | Uint8Array]): void {
  using database = new DatabaseSync(join(data, 'housestyle.db'))
  database.prepare(`UPDATE signing_key SET ${column} = ?`).run(value)
  database.exec('INSERT INTO change (number) SELECT MAX(number) + 1 FROM change')
}

async function copyOfStore(): Promise<string> {
  const data = join(await temporaryFolder(), 'data')
  await cp(temporary.data, data, { recursive: true })
  return data
}

for (const [name, values] of Object.entries(DAMAGES))
  test(`a signing key with ${name} is found by doctor and token issue, which name the key`, async () => {
    const data = await copyOfStore()
    damage(data, values)
    const [problem, ...others] = JSON.parse((await housestyle(['doctor', '--json', '--data', data])).stdout)
    assert.deepEqual([problem.check, others], ['key', []])
    const [, kid = ''] = /^the signing key (\w+)$/.exec(problem.subject) ?? []
    const ran = await housestyle(['token', 'issue', 'acme', '--data', data])
    assert.equal(ran.status, 1)
    assert.match(ran.stderr, new RegExp(`^housestyle: the signing key ${kid} is damaged: make another`))
    await housestyle(['keys', 'rotate', '--data', data])
    await housestyle(['keys', 'retire', kid, '--data', data])
    assert.equal((await housestyle(['doctor', '--data', data])).stdout, 'no problems\n')
  })

test('a running service refuses the tokens of a key that is damaged with 500, logs it once, and serves pages', async () => {
  const data = await copyOfStore()
  const service = await serve(MAIN, '--data', data, '--log', 'error')
  after(service.stop)
  const statusOf = async (path: string, init?: RequestInit) => (await fetch(service.url + path, init)).status
  const headers = { authorization: `Bearer ${token}` }
  const client = JSON.parse((await housestyle(['client', 'create', 'acme', '--json', '--data', data])).stdout)
  assert.equal(await statusOf('/beta/workspace/acme', { headers }), 200)
  damage(data, ['public_jwk', 'x'])
  await until(async () => (await statusOf('/beta/workspace/acme', { headers })) === 500)
  assert.equal(await statusOf('/beta/workspace/acme', { headers }), 500)
  const { client_id, client_secret } = client
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret })
  assert.equal(await statusOf('/oauth/token', { method: 'POST', body }), 500)
  assert.equal(await statusOf('/acme/guide'), 200)
  assert.deepEqual(await (await fetch(`${service.url}/.well-known/jwks.json`)).json(), { keys: [] })
  assert.equal(await (await fetch(`${service.url}/readyz`)).text(), 'degraded: database\n')
  await service.stop()
  const lines = (await service.log).split('\n').filter(line => line.includes('requests for it fail'))
  assert.equal(lines.length, 1)
})
