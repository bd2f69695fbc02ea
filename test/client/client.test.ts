import assert from 'node:assert/strict'
import test from 'node:test'
import { OPERATIONS } from '#brand/contract/operations.ts'
import {
  type ClientCredentials,
  type ClientOptions,
  createClient,
  HousestyleError,
  type Token,
} from '../../client/src/client.ts'
import { runningService } from '../support/service.ts'
import { publishedStore, resultOf, SMALL_BRAND } from '../support/temporary-store.ts'
import { caughtUp } from '../support/until.ts'

const SERVED = { ...SMALL_BRAND, 'guidelines/project.yaml': 'name: Brand guidelines\nrevisions: served\n' }
const BLUE = { 'guidelines/styles/colors.yaml': '- name: Blue\n  hex: "#0000ff"\n' }

const temporary = await publishedStore('acme/guidelines', { ...SERVED, ...BLUE })
await temporary.publishing('acme/guidelines', SERVED)
const { url } = await runningService(temporary, { rate: '600/60' })
const baseUrl = `${url}/beta`
const { token } = await temporary.issue('acme')

/** A client that records the status and the path of its requests. */
function watchedClient(credentials: { token: Token | ClientCredentials } | ClientCredentials) {
  const seen: string[] = []
  const recording: ClientOptions['fetch'] = async (address, init) => {
    const response = await fetch(address, init)
    seen.push(`${response.status} ${new URL(address).pathname.replace('/beta/workspace/acme', '')}`)
    return response
  }
  return { brand: createClient({ baseUrl, workspace: 'acme', fetch: recording, ...credentials }), seen }
}

test('each operation has a method of its name, whose reply has the data, the revision and the snapshot', async () => {
  const { brand, seen } = watchedClient({ token })
  const replies = {
    getWorkspace: await brand.getWorkspace(),
    listProjects: await brand.listProjects(),
    getProject: await brand.getProject('guidelines'),
    listPages: await brand.listPages('guidelines'),
    getPage: await brand.getPage('guidelines', 'logo/misuse'),
    getStyles: await brand.getStyles('guidelines'),
    listFiles: await brand.listFiles('guidelines'),
  }
  const expected = OPERATIONS.map(({ id }) => id)
  assert.deepEqual(Object.keys(replies), expected)
  const { snapshot } = replies.getProject
  assert.match(snapshot, /^[0-9a-f]{64}$/)
  for (const [name, { revision, snapshot: found }] of Object.entries(replies)) {
    const isAboutWorkspace = name === 'getWorkspace' || name === 'listProjects'
    assert.deepEqual([revision, found], isAboutWorkspace ? [undefined, undefined] : [2, snapshot], name)
  }
  assert.deepEqual(replies.getWorkspace.data, { workspace: 'acme', name: 'Acme GmbH' })
  assert.deepEqual(replies.listProjects.data.projects, [{ id: 'guidelines', name: 'Brand guidelines' }])
  assert.equal(replies.getProject.data.status, 'UpToDate')
  assert.equal(replies.listPages.data.pages[1]?.id, 'logo')
  assert.match(replies.getPage.data.content, /^# Misuse/)
  assert.deepEqual(replies.getStyles.data.colors.map(({ name, hex }) => [name, hex])[0], ['Blue', '#1d70b8'])
  const filenames = replies.listFiles.data.files.map(({ filename }) => filename)
  assert.deepEqual(filenames, ['notes.txt', 'pixel.png', 'mark.svg'])
  assert.equal(seen[4], '200 /project/guidelines/page/logo%2Fmisuse')
})

test('a client reads an earlier revision', async () => {
  const { brand } = watchedClient({ token })
  const { data, revision } = await brand.revision(1).getStyles('guidelines')
  assert.deepEqual([revision, data.colors[0]?.hex], [1, '#0000ff'])
  await assert.rejects(brand.revision(9).listPages('guidelines'), { status: 404, code: 'not_found' })
})

test('a repeated request gets 304, and its data belongs to the caller', async () => {
  const { brand, seen } = watchedClient({ token })
  const first = await brand.getStyles('guidelines')
  const before = structuredClone(first)
  first.data.colors.pop()
  assert.deepEqual(await brand.getStyles('guidelines'), before)
  assert.deepEqual(seen, ['200 /project/guidelines/styles', '304 /project/guidelines/styles'])
})

test('an error has the status, code, description, documentation, request id and limit', async () => {
  const { token } = await temporary.issue('acme', { scopes: ['styles.read'] })
  const error = await watchedClient({ token })
    .brand.listFiles('guidelines')
    .catch(error => error)
  assert.ok(error instanceof HousestyleError)
  const { status, code, description, uri, requestId, limit } = error
  assert.deepEqual([status, code, uri], [403, 'access_denied', `${url}/docs#access_denied`])
  assert.match(description, /^The token lacks the scope .* files\.read$/)
  assert.equal(
    error.message,
    `cannot get ${baseUrl}/workspace/acme/project/guidelines/files: 403 ${code}: ${description}`,
  )
  assert.match(requestId ?? '', /^[\w-]+$/)
  assert.ok(limit && limit.remaining > 0 && limit.resetSeconds >= 0)
})

test('a client of the service gets its token itself, once; its id and secret are the token or options', async () => {
  const made = await resultOf(temporary.folder, ['client', 'create', 'acme'])
  await caughtUp(url, temporary.store)
  const credentials = { clientId: made.client_id, clientSecret: made.client_secret }
  for (const { brand, seen } of [watchedClient({ token: credentials }), watchedClient(credentials)]) {
    await Promise.all([brand.getWorkspace(), brand.getStyles('guidelines'), brand.getStyles('guidelines')])
    await brand.getProject('guidelines')
    assert.deepEqual(seen.toSorted(), [
      '200 ',
      '200 /oauth/token',
      '200 /project/guidelines',
      '200 /project/guidelines/styles',
    ])
  }
})

test('a client downloads a file of the list, and continues after a lost connection', async () => {
  const { brand } = watchedClient({ token })
  const { data } = await brand.listFiles('guidelines')
  const [file = assert.fail()] = data.files
  const response = await brand.download(file)
  assert.deepEqual([response.headers.get('content-type'), await response.text()], ['text/plain', 'Notes.\n'])

  let requests = 0
  const failing: ClientOptions['fetch'] = async (address, init) => {
    const response = await fetch(address, init)
    if (requests++ > 0) return response
    const [start] = (await response.bytes()).subarray(0, 3)
    return new Response(Uint8Array.of(start ?? 0), response)
  }
  const unlucky = createClient({ baseUrl, workspace: 'acme', token, fetch: failing })
  assert.equal(await (await unlucky.download(file.url)).text(), 'Notes.\n')
  assert.equal(requests, 2)
})

test('watch without projects.read gives the published revision and the next one', async () => {
  const { token } = await temporary.issue('acme', { scopes: ['document.read'] })
  const found: string[] = []
  for await (const { type, project, revision } of watchedClient({ token }).brand.watch({
    project: 'guidelines',
    interval: 10,
  })) {
    found.push(`${type} ${project} ${revision}`)
    if (found.length === 2) break
    await temporary.publishing('acme/guidelines', { ...SERVED, 'guidelines/pages/new.md': '# New\n' })
  }
  assert.deepEqual(found, ['state guidelines 2', 'published guidelines 3'])
})

test('options and ids that cannot work are refused before a request', async () => {
  const options = { baseUrl, workspace: 'acme', token }
  assert.throws(() => createClient({ ...options, baseUrl: url }), /does not end with \/beta/)
  assert.throws(() => createClient({ ...options, baseUrl: '/beta' }), TypeError)
  assert.throws(() => createClient({ ...options, workspace: '' }), TypeError)
  for (const token of ['', { clientId: 'app', clientSecret: '' }])
    assert.throws(() => createClient({ ...options, token }), /Give a token, or clientId and clientSecret/)
  for (const timeout of [0, -1, Number.NaN, Number.POSITIVE_INFINITY])
    assert.throws(() => createClient({ ...options, timeout }), TypeError)
  const { brand, seen } = watchedClient({ token })
  for (const interval of [0, Number.NaN, Number.POSITIVE_INFINITY])
    await assert.rejects(brand.watch({ interval }).next(), TypeError)
  for (const revision of [0, 1.5, Number.NaN]) assert.throws(() => brand.revision(revision), TypeError)
  await assert.rejects(brand.getProject('..'), TypeError)
  await assert.rejects(brand.getStyles(''), TypeError)
  await assert.rejects(brand.getPage('guidelines', '.'), TypeError)
  assert.deepEqual(seen, [])
})
