import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import test, { after } from 'node:test'
import { housestyleProcess } from '../cli/housestyle.ts'
import { writeFolder } from '../support/brand-folder.ts'
import { needs } from '../support/programs.ts'
import { startS3 } from '../support/s3.ts'
import { SMALL_BRAND } from '../support/small-brand.ts'
import { temporaryFolder } from '../support/temporary.ts'

const { skip } = needs('swift-proxy-server')
const server = skip ? undefined : await startS3()
after(() => server?.stop())

/** What a role or a profile gives: the key of the server, or one that it refuses. */
const SECRETS = { right: 'secret', wrong: 'wrong-key-81b5c2' }
const CONTAINER_TOKEN = 'container-token-c93a07'
const SESSION_TOKEN = 'session-token-4d17e6'

for (const [name, credentials] of Object.entries({ 'the role of a container': ofContainer, 'a profile': ofProfile }))
  test(`the keys of a bucket come from ${name}, and no message of a command shows them`, { skip }, async () => {
    const folder = await temporaryFolder()
    const brand = join(folder, 'acme')
    await writeFolder(brand, SMALL_BRAND)
    const place = ['--data', join(folder, 'data'), '--files', (await server?.newPlace()) ?? '']
    for (const secret of [SECRETS.right, SECRETS.wrong]) {
      await using given = await credentials(folder, secret)
      const { env } = given
      const ran = await housestyleProcess(['import', brand, ...place], { env: { ...env, HOUSESTYLE_LOG: 'debug' } })
      const said = ran.stdout + ran.stderr
      assert.equal(ran.status, secret === SECRETS.right ? 0 : 1, said)
      for (const hidden of [SECRETS.wrong, CONTAINER_TOKEN, SESSION_TOKEN]) assert.ok(!said.includes(hidden))
      if (secret === SECRETS.wrong) assert.match(said, /\(403 SignatureDoesNotMatch\); see that AWS_ACCESS_KEY_ID/)
    }
  })

/** An agent as containers have one, which answers whoever names its token. */
async function ofContainer(_folder: string, secret: string) {
  const agent = createServer(({ headers }, response) => {
    if (headers.authorization !== CONTAINER_TOKEN) return void response.writeHead(401).end()
    const keys = { AccessKeyId: 'test:key', SecretAccessKey: secret, Token: SESSION_TOKEN }
    response.end(JSON.stringify({ ...keys, Expiration: new Date(Date.now() + 3_600_000).toISOString() }))
  })
  await once(agent.listen(0, '127.0.0.1'), 'listening')
  const address = agent.address()
  const port = typeof address === 'object' ? address?.port : ''
  return {
    env: {
      AWS_CONTAINER_CREDENTIALS_FULL_URI: `http://127.0.0.1:${port}/keys`,
      AWS_CONTAINER_AUTHORIZATION_TOKEN: CONTAINER_TOKEN,
      AWS_EC2_METADATA_DISABLED: 'true',
    },
    [Symbol.asyncDispose]: async () => {
      agent.closeAllConnections()
      agent.close()
    },
  }
}

async function ofProfile(folder: string, secret: string) {
  const file = join(folder, 'credentials')
  const profile = `aws_access_key_id = test:key\naws_secret_access_key = ${secret}\n`
  await writeFile(file, `[default]\naws_access_key_id = other\naws_secret_access_key = other\n[brand]\n${profile}`)
  return {
    env: { AWS_SHARED_CREDENTIALS_FILE: file, AWS_CONFIG_FILE: join(folder, 'none'), AWS_PROFILE: 'brand' },
    [Symbol.asyncDispose]: async () => undefined,
  }
}
