import assert from 'node:assert/strict'
import test from 'node:test'
import { type TestService, testService, URL_OF_SERVICE } from '../../support/service.ts'
import { resultOf, temporaryStore } from '../../support/temporary-store.ts'
import { until } from '../../support/until.ts'

const WORDS = 'Keep one mark of space around the logo. '.repeat(100)

const temporary = await temporaryStore()
await temporary.importing('acme', {
  'workspace.yaml': 'id: acme\nname: Acme\n',
  ...projectFiles('guide', 'visibility: public\n'),
  ...projectFiles('pinned', 'visibility: public\nrevisions: served\n'),
  ...projectFiles('other', 'visibility: public\n'),
})
await temporary.importing('elsewhere', projectFiles('guide', 'visibility: public\n'))
for (const place of ['acme/guide', 'acme/pinned', 'acme/other', 'elsewhere/guide']) await temporary.publish(place)
const { token } = await temporary.issue('acme')

function projectFiles(project: string, yaml: string): Record<string, string> {
  return {
    [`${project}/project.yaml`]: yaml,
    [`${project}/pages/index.md`]: `# ${project}\n\n![Mark](../files/mark.svg)\n\n${WORDS}\n`,
    [`${project}/files/mark.svg`]: '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>\n',
    [`${project}/styles/colors.yaml`]: '- name: Ink\n  hex: "#000001"\n',
  }
}

type Usage = { bytes: number; entries: number }
type Usages = Readonly<Record<'content' | 'addresses' | 'replies' | 'pages' | 'search' | 'tokens', Usage>>

/** The content of the caches, according to /metrics. */
async function usages({ ask }: TestService): Promise<Usages> {
  const { text } = await ask('/metrics')
  const told = (what: string, cache: string) => {
    const line = new RegExp(`^housestyle_cache_${what}\\{cache="${cache}"\\} (\\d+)$`, 'm').exec(text)
    return Number(line?.[1])
  }
  const usage = (cache: string): Usage => ({ bytes: told('bytes', cache), entries: told('entries', cache) })
  return {
    content: usage('content'),
    addresses: usage('addresses'),
    replies: usage('replies'),
    pages: usage('pages'),
    search: usage('search'),
    tokens: usage('tokens'),
  }
}

/** Searches for a word. While a busy machine builds the index, the reply is 503. */
async function search({ ask }: TestService, place: string, headers: Record<string, string> = {}): Promise<number> {
  let status = 503
  await until(async () => {
    status = (await ask(`/${place}/-/search?q=logo`, { headers })).status
    return status !== 503
  })
  return status
}

/** Requests everything that is cached for a project. */
async function view(service: TestService, place: string): Promise<void> {
  const { ask } = service
  const [workspace, project] = place.split('/')
  const statuses: number[] = []
  for (const coding of ['identity', 'br', 'gzip']) {
    const headers = { 'accept-encoding': coding }
    for (const below of ['', '/pages', '/page/index', '/styles', '/files'])
      statuses.push((await ask(`/beta/workspace/${workspace}/project/${project}${below}`, { token, headers })).status)
    for (const below of ['', '.md', '/-/colors', '/-/files'])
      statuses.push((await ask(`/${place}${below}`, { headers })).status)
    statuses.push(await search(service, place, headers))
  }
  const { text } = await ask(`/beta/workspace/${workspace}/project/${project}/files`, { token })
  statuses.push((await ask(JSON.parse(text).files[0].url.slice(URL_OF_SERVICE.length))).status)
  assert.deepEqual([...new Set(statuses)], [200])
}

/** Publishes a project with a new text. */
async function publishChanged(project: string): Promise<void> {
  await temporary.importing('acme', { [`${project}/pages/index.md`]: `# Changed ${changes++}\n\n${WORDS}\n` })
  await temporary.publish(`acme/${project}`)
}

let changes = 0

async function command(...args: string[]): Promise<void> {
  await resultOf(temporary.folder, args)
}

test('a cached reply counts the bytes of each coding once, regardless of the number of requests', async () => {
  const service = await testService(temporary)
  const asked = async (coding: string) => {
    const before = (await usages(service)).replies
    const ask = () =>
      service.ask('/beta/workspace/acme/project/guide/page/index', { token, headers: { 'accept-encoding': coding } })
    const [{ bytes }] = await Promise.all([ask(), ask()])
    const after = (await usages(service)).replies
    await ask()
    assert.deepEqual((await usages(service)).replies, after)
    return { grown: after.bytes - before.bytes, entries: after.entries, bytes }
  }
  for (const coding of ['identity', 'br', 'gzip']) {
    const { grown, entries, bytes } = await asked(coding)
    assert.equal(entries, 1)
    assert.ok(grown > bytes.length && grown < bytes.length + 3000, `${grown} more for ${bytes.length} in ${coding}`)
    assert.equal(bytes.buffer.byteLength, bytes.length, 'they are a part of something larger')
  }
})

test('cached content counts each part that was read', async () => {
  const service = await testService(temporary)
  const grown: number[] = []
  for (const below of ['styles', 'pages', 'files', 'files', 'pages', 'page/index']) {
    const before = (await usages(service)).content.bytes
    await service.ask(`/beta/workspace/acme/project/guide/${below}`, { token })
    grown.push((await usages(service)).content.bytes - before)
  }
  const seen = grown.map(bytes => bytes > 0)
  assert.deepEqual(seen, [true, true, true, false, false, false])
  assert.equal((await usages(service)).content.entries, 1)
})

test('a search index counts from its creation, including its Markdown', async () => {
  const service = await testService(temporary)
  assert.deepEqual((await usages(service)).search, { bytes: 0, entries: 0 })
  await Promise.all([search(service, 'acme/guide'), search(service, 'acme/guide')])
  const { search: first } = await usages(service)
  assert.equal(first.entries, 1)
  assert.ok(first.bytes > WORDS.length, `${first.bytes} for a text of ${WORDS.length}`)
  await search(service, 'acme/guide')
  assert.deepEqual((await usages(service)).search, first)
  await search(service, 'acme/other')
  const { search: both } = await usages(service)
  assert.equal(both.entries, 2)
  assert.ok(both.bytes > first.bytes + WORDS.length)
})

test('a verified token counts until something is revoked', async () => {
  const service = await testService(temporary)
  const other = await temporary.issue('acme')
  for (const each of [token, other.token, token]) await service.ask('/beta/workspace/acme', { token: each })
  const { tokens } = await usages(service)
  assert.equal(tokens.entries, 2)
  assert.ok(tokens.bytes > token.length + other.token.length)
  await service.ask('/beta/workspace/acme', { token: `${token}x` })
  assert.deepEqual((await usages(service)).tokens, tokens)
  await command('token', 'revoke', other.jti)
  await service.follow()
  assert.deepEqual((await usages(service)).tokens, { bytes: 0, entries: 0 })
})

/** A project, an action on it, and the entries that stay cached afterwards. */
const REPLACED: readonly [name: string, change: () => Promise<void>, kept: readonly (keyof Usages)[]][] = [
  ['published anew', () => publishChanged('guide'), []],
  ['rolled back', () => command('rollback', 'acme/guide'), []],
  ['given other addresses for its files', () => command('files', 'rotate', 'acme/guide'), ['content', 'search']],
  ['unpublished', () => command('unpublish', 'acme/guide'), []],
  ['published again', () => temporary.publish('acme/guide').then(() => undefined), []],
  ['deleted', () => command('delete', 'acme/guide', '--yes'), []],
]

const services = (async () => {
  const both = [await testService(temporary), await testService(temporary)] as const
  for (const each of both) for (const place of ['acme/other', 'acme/pinned']) await view(each, place)
  return both
})()

for (const [name, change, kept] of REPLACED)
  test(`only served content stays cached for a project that is ${name}, and other projects keep all entries`, async () => {
    const [service, alone] = await services
    await alone.ask('/beta/workspace/acme/project/other', { token }) // The token, which a change removes, is cached again.
    const isServed = (await service.ask('/acme/guide')).status === 200
    if (isServed) await view(service, 'acme/guide')
    const before = await usages(service)
    await change()
    for (const each of [service, alone]) await each.follow()
    const [after, without] = [await usages(service), await usages(alone)]
    assert.deepEqual(after, {
      ...without,
      ...Object.fromEntries(Object.entries(before).filter(([cache]) => kept.some(each => each === cache))),
    })
    if (isServed) assert.notDeepEqual(before.pages, after.pages)
  })

test('content that a copy shares with a project stays cached when the project is published again, and its index is not rebuilt', async () => {
  await command('copy', 'acme/other', 'acme/twin')
  const service = await testService(temporary)
  await view(service, 'acme/other')
  const { content, search } = await usages(service)
  await view(service, 'acme/twin')
  const shared = await usages(service)
  assert.deepEqual([shared.content, shared.search], [content, search])
  await publishChanged('other')
  await service.follow()
  const after = await usages(service)
  assert.deepEqual([after.content, after.search], [content, search])
  assert.equal(after.pages.entries, shared.pages.entries / 2)
  await view(service, 'acme/twin')
  const twice = await usages(service)
  await view(service, 'acme/twin')
  assert.deepEqual(await usages(service), twice)
})

test('an import that publishes nothing invalidates only the state of the project and the lists of its workspace', async () => {
  const service = await testService(temporary)
  await view(service, 'acme/other')
  const before = await usages(service)
  for (const below of ['', '/projects']) await service.ask(`/beta/workspace/acme${below}`, { token })
  await temporary.importing('acme', { 'other/pages/index.md': '# Not yet\n' })
  await service.follow()
  const { replies, ...rest } = await usages(service)
  assert.deepEqual({ ...before, ...rest }, before)
  assert.equal(replies.entries, before.replies.entries - 1)
})

test('served earlier revisions stay cached until they are retracted, but their indexes and pages do not', async () => {
  const service = await testService(temporary)
  await view(service, 'acme/pinned')
  const file = await fileOf(service, '/beta/workspace/acme/project/pinned/files')
  const before = await usages(service)
  await publishChanged('pinned')
  await service.follow()
  const after = await usages(service)
  assert.deepEqual(after, {
    ...before,
    replies: after.replies,
    pages: after.pages,
    search: { bytes: 0, entries: 0 },
    addresses: { bytes: 0, entries: 0 },
  })
  assert.equal(after.replies.entries, before.replies.entries - 1, 'all but how the project stands')
  assert.equal(after.pages.entries, 0)
  const then = await service.ask('/revision/1/beta/workspace/acme/project/pinned/page/index', { token })
  assert.match(then.text, /# pinned/)
  assert.deepEqual(await usages(service), after)
  assert.equal((await service.ask(file)).status, 200)
  await command('retract', 'acme/pinned', '1')
  await service.follow()
  const none = await usages(service)
  // The menu of languages looks at each guide of the workspace.
  assert.deepEqual([none.replies.entries, none.content.entries, none.addresses.entries], [0, 3, 1])
  assert.equal((await service.ask(file)).status, 200)
})

async function fileOf({ ask }: TestService, list: string): Promise<string> {
  const { files } = JSON.parse((await ask(list, { token })).text)
  return files[0].url.slice(URL_OF_SERVICE.length)
}

test('a failed attempt takes the same memory for every client name', async () => {
  const grown: number[] = []
  for (const client of ['x', 'x'.repeat(8000)]) {
    const service = await testService(temporary)
    const body = new TextEncoder().encode(`grant_type=client_credentials&client_id=${client}&client_secret=wrong`)
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const sent = { method: 'POST', path: '/oauth/token', query: '', headers, authorizations: 0, address: '192.0.2.1' }
    for (let at = 0; at < 3; at++) assert.equal((await service.service({ ...sent, body })).status, 401)
    const { text } = await service.ask('/metrics')
    assert.match(text, /^housestyle_cache_entries\{cache="failed-clients"\} 1$/m)
    assert.match(text, /^housestyle_cache_entries\{cache="failed-addresses"\} 1$/m)
    grown.push(Number(/^housestyle_cache_bytes\{cache="failed-clients"\} (\d+)$/m.exec(text)?.[1]))
  }
  assert.equal(grown[0], grown[1])
})
