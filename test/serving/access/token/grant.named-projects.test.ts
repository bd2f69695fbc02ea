import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { copyProject } from '#publishing/copy.ts'
import { openStore } from '#store/store.ts'
import { issuerKey, issuerServer } from '../../../support/issuer-server.ts'
import { type TestService, testService, URL_OF_SERVICE } from '../../../support/service.ts'
import { resultOf, type TemporaryStore, temporaryStore } from '../../../support/temporary-store.ts'

const PROJECTS = '/beta/workspace/acme/projects'
const GUIDE = '/beta/workspace/acme/project/guide'
const BRAND = { 'guide/pages/index.md': '# Guide\n', 'other/pages/index.md': '# Other\n' }
/** Everything is imported at the same moment, so that no clock can distinguish two projects. */
const NOW = new Date()

async function brand(): Promise<TemporaryStore> {
  const temporary = await temporaryStore()
  await publishAll(temporary)
  return temporary
}

async function publishAll({ publish, publishing }: TemporaryStore, now = NOW): Promise<void> {
  await publishing('acme/guide', BRAND, now)
  await publish('acme/other', now)
}

/** Deletes the guide and imports another with the same name. */
async function replaceGuide(temporary: TemporaryStore, now = NOW): Promise<void> {
  await resultOf(temporary.folder, ['delete', 'acme/guide', '--yes'])
  await publishAll(temporary, now)
}

/** The service of each store: one for all requests, because the website of each starts a process. */
const services = new Map<TemporaryStore, Promise<TestService>>()

async function serviceOf(temporary: TemporaryStore, trust: readonly Trust[] = []): Promise<TestService> {
  const settings = trust.length > 0 ? { trust, publicUrl: URL_OF_SERVICE } : {}
  const opened = services.get(temporary) ?? testService(temporary, settings)
  services.set(temporary, opened)
  await (await opened).follow()
  return opened
}

/** The access of a token: the guide's API and website, and the listed projects. */
async function accessOf(temporary: TemporaryStore, token: string, trust?: readonly Trust[]): Promise<Opened> {
  const { ask } = await serviceOf(temporary, trust)
  const { projects } = JSON.parse((await ask(PROJECTS, { token })).text)
  const [api, unknown, site, unknownSite] = await Promise.all(
    [GUIDE, `${GUIDE}x`, '/acme/guide', '/acme/guidex'].map(path => ask(path, { token })),
  )
  if (api?.status === 404) assert.deepEqual(bytesOf(api), bytesOf(unknown))
  if (site?.status === 404) assert.deepEqual(bytesOf(site), bytesOf(unknownSite))
  const names = projects.map(({ id }: { id: string }) => id)
  return [api?.status, site?.status, ...names]
}

type Trust = { issuer: string; workspace: string }
type Opened = [api: number | undefined, site: number | undefined, ...listed: string[]]
type Reading = { text: string; headers: Headers } | undefined

function bytesOf(seen: Reading): unknown {
  return [seen?.text, [...(seen?.headers ?? [])]]
}

async function tokenOf(temporary: TemporaryStore, { client_id: id, client_secret: secret }: Client): Promise<string> {
  const { service } = await serviceOf(temporary)
  const body = new TextEncoder().encode(`grant_type=client_credentials&client_id=${id}&client_secret=${secret}`)
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const place = { method: 'POST', path: '/oauth/token', query: '', address: '192.0.2.1' }
  const reply = await service({ ...place, headers, authorizations: 0, body })
  assert.ok(reply.body instanceof Uint8Array)
  return JSON.parse(new TextDecoder().decode(reply.body)).access_token
}

type Client = { client_id: string; client_secret: string }

const named = ['--project', 'guide', '--project', 'other']

test('a token that names a project does not cover a later one with the same name, even if imported at the same moment', async () => {
  const temporary = await brand()
  const { token } = await temporary.issue('acme', { projects: ['guide', 'other'] })
  assert.deepEqual(await accessOf(temporary, token), [200, 200, 'guide', 'other'])
  await replaceGuide(temporary)
  assert.deepEqual(await accessOf(temporary, token), [404, 404, 'other'])
  const { token: next } = await temporary.issue('acme', { projects: ['guide', 'other'] })
  assert.deepEqual(await accessOf(temporary, next), [200, 200, 'guide', 'other'])
})

test('a token without named projects also covers a later project with the same name', async () => {
  const temporary = await brand()
  const { token } = await temporary.issue('acme')
  await replaceGuide(temporary)
  assert.deepEqual(await accessOf(temporary, token), [200, 200, 'guide', 'other'])
})

test('a client that names a project does not cover a later one with the same name until it is updated, and its old tokens never do', async () => {
  const temporary = await brand()
  const client = await resultOf(temporary.folder, ['client', 'create', 'acme', ...named])
  const token = await tokenOf(temporary, client)
  assert.deepEqual(await accessOf(temporary, token), [200, 200, 'guide', 'other'])
  await replaceGuide(temporary)
  assert.deepEqual(await accessOf(temporary, token), [404, 404, 'other'])
  assert.deepEqual(await accessOf(temporary, await tokenOf(temporary, client)), [404, 404, 'other'])
  const update = (...what: string[]) => resultOf(temporary.folder, ['client', 'update', client.client_id, ...what])
  await update(...['projects.read', 'data.read', 'document.read', 'settings.read'].flatMap(scope => ['--scope', scope]))
  assert.deepEqual(await accessOf(temporary, await tokenOf(temporary, client)), [404, 404, 'other'])
  await update(...named)
  assert.deepEqual(await accessOf(temporary, await tokenOf(temporary, client)), [200, 200, 'guide', 'other'])
  assert.deepEqual(await accessOf(temporary, token), [404, 404, 'other'])
})

test('a token of a client whose projects are named later covers only these projects', async () => {
  const temporary = await brand()
  const client = await resultOf(temporary.folder, ['client', 'create', 'acme'])
  const token = await tokenOf(temporary, client)
  await resultOf(temporary.folder, ['client', 'update', client.client_id, ...named])
  assert.deepEqual(await accessOf(temporary, token), [200, 200, 'guide', 'other'])
  await replaceGuide(temporary)
  assert.deepEqual(await accessOf(temporary, token), [404, 404, 'other'])
})

test('tokens that name a project still cover it after a copy over it', async () => {
  const temporary = await brand()
  const { token } = await temporary.issue('acme', { projects: ['guide'] })
  const [source, target] = [
    { workspace: 'acme', project: 'other' },
    { workspace: 'acme', project: 'guide' },
  ]
  const options = { now: () => NOW, signal: new AbortController().signal, progress: () => undefined }
  await copyProject(temporary.store, source, target, options)
  assert.deepEqual(await accessOf(temporary, token), [200, 200, 'guide'])
})

test('in a restored store, tokens cover their named projects, and no later ones', async () => {
  const temporary = await brand()
  const { token } = await temporary.issue('acme', { projects: ['guide'] })
  const file = join(temporary.folder, 'store.tar')
  await resultOf(temporary.folder, ['backup', file])
  await replaceGuide(temporary)
  const { token: later } = await temporary.issue('acme', { projects: ['guide'] })
  const data = join(temporary.folder, '.restored')
  await resultOf(temporary.folder, ['restore', file, '--data', data])
  const store = await openStore(data)
  temporary.beforeEnd(() => store.close())
  const restored = { ...temporary, store, data }
  assert.deepEqual(await accessOf(restored, token), [200, 200, 'guide'])
  assert.deepEqual(await accessOf(restored, later), [404, 404])
  await resultOf(temporary.folder, ['delete', 'acme/guide', '--yes', '--data', data])
  await resultOf(temporary.folder, ['import', 'acme', '--data', data])
  await resultOf(temporary.folder, ['publish', 'acme/guide', '--data', data])
  for (const earlier of [token, later]) assert.deepEqual(await accessOf(restored, earlier), [404, 404])
})

test('a token of another issuer covers a named project only if it was not issued before the project was created', async () => {
  const temporary = await temporaryStore(URL_OF_SERVICE)
  const made = new Date(Math.floor(Date.now() / 1000) * 1000 - 60_000)
  await publishAll(temporary, made)
  const key = await issuerKey('one')
  const server = await issuerServer(key)
  const trust = [{ issuer: server.url, workspace: 'acme' }]
  const about = { iss: server.url, aud: `${URL_OF_SERVICE}/beta`, sub: 'ci', projects: ['guide'] }
  const scope = 'projects.read data.read document.read settings.read'
  const opens = async (iat: number | undefined) =>
    accessOf(temporary, await key.sign({ ...about, scope, ...(iat !== undefined && { iat }) }), trust)
  const seconds = made.getTime() / 1000
  for (const iat of [seconds, seconds + 0.5, seconds + 30]) assert.deepEqual(await opens(iat), [200, 200, 'guide'])
  for (const iat of [seconds - 1, seconds - 0.001, 0, -1, undefined]) assert.deepEqual(await opens(iat), [404, 404])
  await replaceGuide(temporary, new Date(made.getTime() + 10_001))
  assert.deepEqual(await opens(seconds + 10), [404, 404])
  assert.deepEqual(await opens(seconds + 11), [200, 200, 'guide'])
})
