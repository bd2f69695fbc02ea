import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import test, { after } from 'node:test'
import { signatures } from '#delivery/events/webhooks/attempt.ts'
import { localServer } from '../support/local-server.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { blocksOf } from './blocks.ts'

const root = join(import.meta.dirname, '../..')
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const receivers = blocksOf(readFileSync(join(root, 'docs/webhooks.md'), 'utf8')).filter(
  ({ language }) => language === 'js',
)
const folder = await temporaryFolder()
await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
for (const { title, text } of receivers) await writeFile(join(folder, title), text)

/** A server of another company, which records requests. */
async function startTarget() {
  const requests: { line: string; fields: Record<string, string | string[] | undefined>; body: string }[] = []
  const target = { url: '', requests, status: 200 }
  const { url } = await localServer(async (request, response) => {
    const { method, url, headers } = request
    requests.push({ line: `${method} ${url}`, fields: headers, body: await text(request) })
    response.writeHead(target.status).end('{}')
  })
  target.url = url
  return target
}

/** Runs a receiver of the page; returns a function that sends it a message, and gives the status of its reply. */
async function startReceiver(name: string, env: Record<string, string>) {
  const child = spawn(process.execPath, [name], {
    cwd: folder,
    env: { ...process.env, PORT: '0', WEBHOOK_SECRET: SECRET, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  after(() => child.kill())
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  const url = `http://127.0.0.1:${String(line).split(' ').at(-1)}`
  return async (type: string, revision: number, secret = SECRET) => {
    const data = { workspace: 'acme', project: 'guide', revision, snapshot: 'a'.repeat(64), publishedAt: '' }
    const payload = JSON.stringify({ type, timestamp: new Date().toISOString(), data })
    const signed = { id: `message-${revision}`, timestamp: Math.floor(Date.now() / 1000), payload }
    const headers = {
      'webhook-id': signed.id,
      'webhook-timestamp': String(signed.timestamp),
      'webhook-signature': signatures(signed, [secret]),
    }
    return (await fetch(url, { method: 'POST', headers, body: payload })).status
  }
}

for (const [name, env, expected] of [
  [
    'purge-fastly.mjs',
    { FASTLY_SERVICE: 'service', FASTLY_TOKEN: 'key', API: 'FASTLY_API' },
    { line: 'POST /service/service/purge', fields: { 'fastly-key': 'key', 'surrogate-key': 'acme/guide' }, body: /^$/ },
  ],
  [
    'purge-cloudflare.mjs',
    { CLOUDFLARE_ZONE: 'zone', CLOUDFLARE_TOKEN: 'key', API: 'CLOUDFLARE_API' },
    {
      line: 'POST /zones/zone/purge_cache',
      fields: { authorization: 'Bearer key' },
      body: /^\{"tags":\["acme\/guide"\]\}$/,
    },
  ],
  [
    'dispatch-github.mjs',
    { GITHUB_REPOSITORY: 'acme/site', GITHUB_TOKEN: 'key', API: 'GITHUB_API' },
    {
      line: 'POST /repos/acme/site/dispatches',
      fields: { authorization: 'Bearer key', accept: 'application/vnd.github+json' },
      body: /^\{"event_type":"brand-published","client_payload":\{"workspace":"acme","project":"guide","revision":2,"snapshot":"a+"\}\}$/,
    },
  ],
  [
    'dispatch-gitlab.mjs',
    { GITLAB_PROJECT: 'acme/site', GITLAB_TRIGGER: 'key', API: 'GITLAB_API' },
    {
      line: 'POST /projects/acme%2Fsite/trigger/pipeline',
      fields: { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' },
      body: /^token=key&ref=main&variables%5BBRAND%5D=acme%2Fguide&variables%5BBRAND_REVISION%5D=2$/,
    },
  ],
  [
    'chat.mjs',
    { BRAND_URL: 'https://brand.example.com', API: 'CHAT_URL' },
    {
      line: 'POST /',
      fields: { 'content-type': 'application/json' },
      body: /^\{"text":"acme\/guide: revision 2 was published: https:\/\/brand\.example\.com\/acme\/guide\/-\/changes"\}$/,
    },
  ],
] as const)
  test(`the receiver ${name} of docs/webhooks.md passes on a publication once`, async () => {
    const target = await startTarget()
    const { API, ...settings } = env
    const deliver = await startReceiver(name, { ...settings, [API]: target.url })
    target.status = 500
    assert.equal(await deliver('project.published', 2), 500)
    target.status = 200
    assert.equal(await deliver('project.published', 2), 204)
    const [, request] = target.requests
    assert.equal(request?.line, expected.line)
    for (const [field, value] of Object.entries(expected.fields)) assert.equal(request?.fields[field], value)
    assert.match(request?.body ?? '', expected.body)
    for (const revision of [2, 1]) assert.equal(await deliver('project.published', revision), 204)
    assert.equal(await deliver('webhook.test', 3), 204)
    assert.equal(await deliver('project.published', 3, `whsec_${Buffer.alloc(32).toString('base64')}`), 401)
    assert.equal(target.requests.length, 2)
  })

test('every receiver of docs/webhooks.md is run by a test', () => {
  const tested = [
    'receiver.mjs',
    'purge-fastly.mjs',
    'purge-cloudflare.mjs',
    'dispatch-github.mjs',
    'dispatch-gitlab.mjs',
    'chat.mjs',
  ]
  const titles = receivers.map(({ title }) => title)
  assert.deepEqual(titles, tested)
})
