import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, get, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { MAIN } from '../../program/cli/housestyle.ts'
import { type Running, serve } from '../../support/command.ts'
import { resultOf, SMALL_BRAND, temporaryStore } from '../../support/temporary-store.ts'

/*
 * Two services share a data folder, and what one ends, the other ends. Each answers over one keep-alive connection, and
 * commands run in this process. Tests of keys, files and projects show each kind of access in one service.
 */

const { data, folder, importing, publish } = await temporaryStore()
const STYLES = '/workspace/acme/project/guidelines/styles'
const services: { running: Running; agent: Agent; ports: Set<number> }[] = []

before(async () => {
  await importing('acme', { ...SMALL_BRAND, 'secret/project.yaml': 'name: Secret\n' })
  for (const project of ['guidelines', 'hidden', 'secret']) await publish(`acme/${project}`)
  const running = await Promise.all([1, 2].map(() => serve(MAIN, '--data', data, '--log', 'silent', '--rate', 'off')))
  for (const each of running)
    services.push({ running: each, agent: new Agent({ keepAlive: true, maxSockets: 1 }), ports: new Set() })
})

after(async () => {
  for (const { agent, running } of services) {
    agent.destroy()
    await running.stop()
  }
})

/** Runs a command in this process and returns its output. */
function housestyle(...args: string[]) {
  return resultOf(folder, args)
}

/** Requests an API resource from both services with a token. Returns the statuses. */
async function statuses(token: string, path = STYLES): Promise<number[]> {
  return statusesOf(`/beta${path}`, { authorization: `Bearer ${token}` })
}

/** Requests a path from both services. Returns the statuses. */
async function statusesOf(path: string, headers: OutgoingHttpHeaders = {}): Promise<number[]> {
  const asked = services.map(async ({ running, agent, ports }) => {
    const request = get(`${running.url}${path}`, { agent, headers })
    const [reply]: IncomingMessage[] = await once(request, 'response')
    assert.ok(reply)
    ports.add(reply.socket.localPort ?? 0)
    reply.resume()
    await once(reply, 'end')
    return reply.statusCode ?? 0
  })
  return Promise.all(asked)
}

/** Waits until both services answer with this status, or a time limit ends. */
async function become(status: number, token: string, path?: string): Promise<void> {
  return becomes(status, () => statuses(token, path))
}

async function becomes(status: number, ask: () => Promise<number[]>): Promise<void> {
  let last: number[] = []
  for (let at = 0; at < 250; at++) {
    last = await ask()
    if (last.every(each => each === status)) return
    await sleep(20)
  }
  assert.deepEqual(last, [status, status])
}

/** A token that the first service issues to a client; undefined if it refuses. */
async function tokenFrom({ client_id, client_secret }: { client_id: string; client_secret: string }): Promise<string> {
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret })
  const reply = await fetch(`${services[0]?.running.url}/oauth/token`, { method: 'POST', body })
  return String(JSON.parse(await reply.text()).access_token)
}

test('the first token of a store works at once in services that started before its signing key existed', async () => {
  const { token } = await housestyle('token', 'issue', 'acme')
  const several = await Promise.all([statuses(token), statuses(token), statuses(token)])
  assert.deepEqual(several, [
    [200, 200],
    [200, 200],
    [200, 200],
  ])
})

test('a token from a new key or a new client works at once in every service', async () => {
  await housestyle('keys', 'rotate')
  const { token } = await housestyle('token', 'issue', 'acme')
  assert.deepEqual(await statuses(token), [200, 200])
  const made = await housestyle('client', 'create', 'acme')
  assert.deepEqual(await statuses(await tokenFrom(made)), [200, 200])
})

test('a revoked token stops working in every service', async () => {
  const { token, jti } = await housestyle('token', 'issue', 'acme')
  assert.deepEqual(await statuses(token), [200, 200])
  await housestyle('token', 'revoke', jti)
  await become(401, token)
})

test('a deleted client and its tokens stop working in every service', async () => {
  const made = await housestyle('client', 'create', 'acme')
  const token = await tokenFrom(made)
  assert.deepEqual(await statuses(token), [200, 200])
  await housestyle('client', 'delete', made.client_id)
  await become(401, token)
  assert.equal(await tokenFrom(made), 'undefined')
})

test('a token never covers more than its client does today, in every service', async () => {
  const made = await housestyle('client', 'create', 'acme', '--project', 'guidelines', '--project', 'hidden')
  const token = await tokenFrom(made)
  assert.deepEqual(await statuses(token), [200, 200])
  await housestyle('client', 'update', made.client_id, '--project', 'hidden')
  await become(404, token)
  assert.deepEqual(await statuses(token, '/workspace/acme/project/hidden/styles'), [200, 200])
  await housestyle('client', 'update', made.client_id, '--scope', 'data.read', '--all-projects')
  await become(403, token)
  await become(200, token, '/workspace/acme/project/guidelines')
})

test('a share link opens a private project in every service, with the cookie of any service, until it is revoked', async () => {
  const { id, url } = await housestyle('share', 'acme/secret')
  const { pathname } = new URL(url)
  await becomes(303, () => statusesOf(pathname))
  const reply = await fetch(`${services[0]?.running.url}${pathname}`, { redirect: 'manual' })
  const [cookie = ''] = reply.headers.get('set-cookie')?.split(';') ?? []
  assert.deepEqual(await statusesOf('/acme/secret', { cookie }), [200, 200])
  await housestyle('share', 'revoke', id)
  await becomes(404, () => statusesOf('/acme/secret', { cookie }))
  await becomes(404, () => statusesOf(pathname))
})

test('all requests of this file used one connection to each service', () => {
  for (const { ports } of services) assert.equal(ports.size, 1)
})
