import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import test, { after } from 'node:test'
import { housestyleProcess } from '../program/cli/housestyle.ts'
import { listeningPort } from '../support/free-port.ts'
import { SWIFT, startS3 } from '../support/s3.ts'
import { temporaryFolder, writeFolder } from '../support/temporary.ts'

const { skip } = SWIFT
const server = skip ? undefined : await startS3()
after(() => server?.stop())

/** The credentials of a role or a profile: a key of the server, or one that it rejects. */
type Key = { id: string; secret: string }
const RIGHT: Key = { id: 'test:key', secret: 'secret' }
const WRONG: Key = { id: 'test:key', secret: 'wrong-key-81b5c2' }
const CONTAINER_TOKEN = 'container-token-c93a07'
const SESSION_TOKEN = 'session-token-4d17e6'

const BRAND = {
  'guidelines/project.yaml': 'name: Guidelines\nvisibility: public\n',
  'guidelines/files/notes.txt': 'Notes.\n',
}

const SOURCES = { 'the role of a container': containerCredentials, 'a profile': profileCredentials }

for (const [name, credentials] of Object.entries(SOURCES))
  test(`a bucket's credentials come from ${name}, and no command prints them`, { skip }, async () => {
    const folder = await temporaryFolder()
    const brand = join(folder, 'acme')
    await writeFolder(brand, BRAND)
    const place = ['--data', join(folder, 'data'), '--files', (await server?.newPlace()) ?? '']
    for (const key of [RIGHT, WRONG]) {
      await using source = await credentials(folder)
      await source.change(key)
      const { env } = source
      const ran = await housestyleProcess(['import', brand, ...place], { env: { ...env, HOUSESTYLE_LOG: 'debug' } })
      const output = ran.stdout + ran.stderr
      assert.equal(ran.status, key === RIGHT ? 0 : 1, output)
      for (const hidden of [WRONG.secret, CONTAINER_TOKEN, SESSION_TOKEN]) assert.ok(!output.includes(hidden))
      if (key === WRONG) assert.match(output, /\(403 SignatureDoesNotMatch\); check that AWS_ACCESS_KEY_ID/)
    }
  })

/** An agent for container credentials; it answers only requests with the right token. */
async function containerCredentials() {
  let key: Key | undefined
  const agent = createServer(({ headers }, response) => {
    if (headers.authorization !== CONTAINER_TOKEN) return void response.writeHead(401).end()
    if (!key) return void response.writeHead(400).end()
    const keys = { AccessKeyId: key.id, SecretAccessKey: key.secret, Token: SESSION_TOKEN }
    response.end(JSON.stringify({ ...keys, Expiration: new Date(Date.now() + 3_600_000).toISOString() }))
  })
  const port = await listeningPort(agent)
  return {
    env: {
      AWS_CONTAINER_CREDENTIALS_FULL_URI: `http://127.0.0.1:${port}/keys`,
      AWS_CONTAINER_AUTHORIZATION_TOKEN: CONTAINER_TOKEN,
      AWS_EC2_METADATA_DISABLED: 'true',
    },
    change: async (next?: Key) => {
      key = next
    },
    [Symbol.asyncDispose]: async () => {
      agent.closeAllConnections()
      agent.close()
    },
  }
}

async function profileCredentials(folder: string) {
  const file = join(folder, 'credentials')
  return {
    env: { AWS_SHARED_CREDENTIALS_FILE: file, AWS_CONFIG_FILE: join(folder, 'none'), AWS_PROFILE: 'brand' },
    /** Without a key, the profile is empty, as if the file were half written. */
    change: async (key?: Key) => {
      const profile = key ? `aws_access_key_id = ${key.id}\naws_secret_access_key = ${key.secret}\n` : ''
      await writeFile(file, `[default]\naws_access_key_id = other\naws_secret_access_key = other\n[brand]\n${profile}`)
    },
    [Symbol.asyncDispose]: async () => undefined,
  }
}
