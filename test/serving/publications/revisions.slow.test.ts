import assert from 'node:assert/strict'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { unpublish } from '#publishing/change-project.ts'
import { retract, rollback } from '#publishing/history.ts'
import { servedRevisions } from '#serving/publications/revisions.ts'
import { findProject } from '#store/catalogue/catalogue.ts'
import { recordChange } from '#store/catalogue/changes.ts'
import { markRevision } from '#store/catalogue/history.ts'
import { MAIN } from '../../program/cli/housestyle.ts'
import { command, serve } from '../../support/command.ts'
import { type Answer, type Asking, testService, URL_OF_SERVICE } from '../../support/service.ts'
import { temporaryStore } from '../../support/temporary-store.ts'

const GUIDE = { workspace: 'acme', project: 'guide' }
const BELOW = ['pages', 'page/index', 'page/extra', 'styles', 'files']
const CODINGS = ['identity', 'gzip', 'br']
const SERVED = 'name: Guide\nrevisions: served\n'

const temporary = await temporaryStore()
const { store } = temporary
const service = await testService(temporary)

/** The API replies while each revision was current, by number, path and coding. */
const then = new Map<number, Map<string, Answer>>()

await temporary.publishing('acme/closed', {
  'guide/project.yaml': 'name: Old guide\n',
  'guide/pages/index.md': '# One\n\n[Extra](extra.md) ![Mark](../files/mark.svg)\n',
  'guide/pages/extra.md': '# Extra\n',
  'guide/styles/colors.yaml': '- name: One\n  hex: "#000001"\n',
  'guide/files/mark.svg': mark(1),
  'guide/files/always.txt': 'Always.\n',
  'closed/pages/index.md': '# Closed\n',
  'draft/project.yaml': SERVED,
  'draft/pages/index.md': '# Draft\n',
})
const { token } = await temporary.issue('acme')
await publishGuide({})
await publishGuide({
  'guide/project.yaml': SERVED,
  'guide/pages/index.md': '# Two\n\n![Mark](../files/mark.svg)\n',
  'guide/pages/extra.md': '---\nid: more\n---\n# More\n',
  'guide/files/mark.svg': mark(2),
})
await publishGuide({ 'guide/styles/colors.yaml': '- name: Three\n  hex: "#000003"\n', 'guide/files/mark.svg': mark(3) })
await rollback(store, GUIDE, 1, new Date())
await keepAnswers(4)
await publishGuide({ 'guide/pages/index.md': '# Five\n', 'guide/files/mark.svg': mark(5) })

function mark(width: number): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="1"/>\n`
}

async function publishGuide(contents: Readonly<Record<string, string>>): Promise<void> {
  const { revision } = await temporary.publishing('acme/guide', contents)
  await keepAnswers(revision)
}

async function keepAnswers(revision: number): Promise<void> {
  await service.follow()
  const kept = new Map<string, Answer>()
  for (const below of BELOW)
    for (const coding of CODINGS) {
      const asking = { token, headers: { 'accept-encoding': coding } }
      kept.set(`${below} ${coding}`, await service.ask(`/beta/workspace/acme/project/guide/${below}`, asking))
    }
  then.set(revision, kept)
}

function at(revision: number | string, below = 'styles', project = 'guide'): string {
  return `/revision/${revision}/beta/workspace/acme/project/${project}/${below}`
}

function whole({ status, headers, bytes }: Answer): object {
  return { status, headers: [...headers], bytes: Buffer.from(bytes).toString('latin1') }
}

async function filesAt(revision: number): Promise<Map<string, string>> {
  const { text } = await service.ask(at(revision, 'files'), { token })
  const { files }: { files: { filename: string; url: string }[] } = JSON.parse(text)
  return new Map(files.map(({ filename, url }) => [filename, url.slice(URL_OF_SERVICE.length)]))
}

async function statusOf(target: string | undefined, asking?: Asking): Promise<number> {
  return (await service.ask(target ?? '', asking)).status
}

for (const [name, open] of [
  ['the process that served it', async () => service],
  ['a process that starts later', () => testService(temporary)],
] as const)
  test(`${name} answers for a revision byte for byte as while it was current`, async () => {
    const { ask } = await open()
    for (const [revision, answers] of then)
      for (const [key, before] of answers) {
        const [below = '', coding = ''] = key.split(' ')
        const asking = { token, headers: { 'accept-encoding': coding } }
        assert.deepEqual(whole(await ask(at(revision, below), asking)), whole(before), `${revision} ${key}`)
        const head = await ask(at(revision, below), { ...asking, method: 'HEAD' })
        assert.deepEqual(whole(head), { ...whole(before), bytes: '' })
        const held = { ...asking.headers, 'if-none-match': before.headers.get('etag') ?? '"none"' }
        assert.equal(await statusOf(at(revision, below), { token, headers: held }), before.status === 200 ? 304 : 404)
      }
  })

test('revisions differ, and each reply names its own', () => {
  const tags = Array.from(then.values(), answers => answers.get('page/index br')?.headers.get('housestyle-revision'))
  const seen = tags.map(tag => tag?.split(';')[0])
  assert.deepEqual(seen, ['1', '2', '3', '4', '5'])
  assert.equal(then.get(2)?.get('page/extra br')?.status, 404)
  assert.equal(new Set(Array.from(then.values(), each => each.get('page/index br')?.headers.get('etag'))).size, 4)
})

test('once the history of a project was read, its revisions are found without waiting', async () => {
  const record = await findProject(store.database, GUIDE.workspace, GUIDE.project)
  assert.ok(record)
  const { find } = servedRevisions(store.database)
  const first = find(record, 2)
  assert.ok(first instanceof Promise)
  assert.equal((await first)?.published.revision, 2)
  assert.deepEqual(find(record, 2), await first)
})

test('the file addresses of each revision give its bytes to clients that may see the current revision', async () => {
  for (const [revision, width] of [1, 2, 3, 1].entries()) {
    const files = await filesAt(revision + 1)
    const got = await service.ask(files.get('mark.svg') ?? '')
    assert.deepEqual([got.status, got.text, got.headers.get('cache-control')], [200, mark(width), 'private, no-cache'])
    assert.equal(files.get('always.txt'), (await filesAt(5)).get('always.txt'))
    const { text } = await service.ask(at(revision + 1, 'page/index'), { token })
    assert.ok(text.includes(`${URL_OF_SERVICE}${files.get('mark.svg')}`))
  }
  await temporary.importing('acme', { 'guide/project.yaml': `${SERVED}visibility: public\n` })
  await publishGuide({})
  const { headers } = await service.ask((await filesAt(2)).get('mark.svg') ?? '')
  assert.equal(headers.get('cache-control'), 'public, max-age=3600')
})

const { token: narrow } = await temporary.issue('acme', { projects: ['closed'] })
const { token: styles } = await temporary.issue('acme', { scopes: ['styles.read'] })
await temporary.publishing('other/guide', { 'guide/project.yaml': SERVED, 'guide/pages/index.md': '# Other\n' })
await service.follow()

const NOTHING: readonly [name: string, target: string, token?: string][] = [
  ['a number that is not given yet', at(700)],
  ['a number past what a number holds', at('9007199254740993')],
  ['a number that is endless', at('9'.repeat(1000))],
  ['a revision of a draft', at(1, 'pages', 'draft')],
  ['a revision of a project that the token does not cover', at(1), narrow],
  ['a revision of another workspace', '/revision/1/beta/workspace/other/project/guide/pages'],
  ['a page that the revision does not have', at(2, 'page/extra')],
  ['a page that only the current revision has', at(1, 'page/more')],
  ['a project of the name of a property', at(1, 'pages', '__proto__')],
]

for (const [name, target, other] of NOTHING)
  test(`${name} gets the same reply as something that does not exist`, async () => {
    const unknown = await service.ask('/beta/workspace/acme/project/unknown', { token })
    assert.equal(unknown.status, 404)
    assert.deepEqual(whole(await service.ask(target, { token: other ?? token })), whole(unknown))
  })

test('only a token that covers a project without `revisions: served` learns that it is missing', async () => {
  const { token: other } = await temporary.issue('acme', { projects: ['guide'] })
  const unknown = await service.ask(at(1, 'pages', 'unknown'), { token })
  for (const [revision, below] of [
    [1, 'pages'],
    [7, 'page/x'],
    [1, 'styles'],
    [1, 'files'],
  ] as const) {
    const target = at(revision, below, 'closed')
    for (const covering of [token, narrow]) {
      const { status, text } = await service.ask(target, { token: covering })
      const { error, error_description: description } = JSON.parse(text)
      assert.deepEqual([status, error], [404, 'not_found'])
      assert.match(description, / The project has no `revisions: served`: .* in its project\.yaml\.$/)
    }
    assert.deepEqual(whole(await service.ask(target, { token: other })), whole(unknown))
  }
})

test('requests for revisions are checked in the same order as other API requests', async () => {
  const cases: readonly [target: string, asking: Asking, status: number][] = [
    [at(1).replace('/styles', '//styles'), { method: 'POST' }, 400],
    ['/revision//beta/workspace/acme', {}, 400],
    ['/revision/', {}, 400],
    ['/revision/1/beta/workspace/acme/project', {}, 400],
    [at('0'), { method: 'POST' }, 404],
    [at('01'), {}, 404],
    [at('latest'), {}, 404],
    ['/revision', {}, 404],
    ['/revision/1', {}, 404],
    ['/revision/1/beta/workspace/acme', {}, 404],
    ['/revision/1/beta/workspace/acme/projects', {}, 404],
    ['/revision/1/beta/workspace/acme/project/guide', {}, 404],
    ['/beta/revision/1/beta/workspace/acme/project/guide/styles', { token }, 404],
    [at(700), { method: 'POST' }, 405],
    [at(700), { method: 'OPTIONS' }, 204],
    [at(1), {}, 401],
    [at(700), { token: 'x.y.z' }, 401],
    [at(700, 'pages'), { token: styles }, 403],
    [at(1), { token: styles }, 200],
  ]
  for (const [target, asking, status] of cases)
    assert.equal(await statusOf(target, asking), status, `${asking.method ?? 'GET'} ${target}`)
})

test('requests for revisions count as API requests', async () => {
  const { ask } = await testService(temporary, { rate: { requests: 3, seconds: 60 } })
  const left: (string | null)[] = []
  for (const target of [at(1), '/beta/workspace/acme', at(700), at(2)]) {
    const { status, headers } = await ask(target, { token })
    left.push(`${status} ${headers.get('ratelimit')?.split(';')[1]}`)
  }
  assert.deepEqual(left, ['200 r=2', '200 r=1', '404 r=0', '429 r=0'])
})

test('pages of an allowed origin may read revisions', async () => {
  const origin = 'https://app.example.com'
  const { ask } = await testService(temporary, { cors: [origin] })
  const asked = { origin, 'access-control-request-method': 'GET' }
  const preflight = await ask(at(1), { method: 'OPTIONS', headers: asked })
  assert.deepEqual([preflight.status, preflight.headers.get('access-control-allow-origin')], [204, origin])
  const { headers } = await ask(at(1), { token, headers: { origin } })
  assert.match(headers.get('access-control-expose-headers') ?? '', /Housestyle-Revision/)
})

for (const [name, number, take] of [
  ['taken back', 2, () => retract(store, GUIDE, 2, new Date())],
  ['freed', 3, () => freeRevision(3)],
] as const)
  test(`a revision that is ${name} is not found, and neither are files that only it has`, async () => {
    const unknown = whole(await service.ask(at(700), { token }))
    const files = await filesAt(number)
    await take()
    await service.follow()
    for (const below of BELOW) assert.deepEqual(whole(await service.ask(at(number, below), { token })), unknown, below)
    assert.deepEqual([await statusOf(files.get('mark.svg')), await statusOf(files.get('always.txt'))], [404, 200])
    for (const other of [1, 4, 5, 6]) assert.equal(await statusOf(at(other), { token }), 200)
  })

async function freeRevision(number: number): Promise<void> {
  await store.database.transaction(async queries => {
    await markRevision(queries, { ...GUIDE, number }, 'freed_at', new Date())
    await recordChange(queries, 'acme')
  })
}

test('a retracted revision leaves its snapshot to other revisions that share it', async () => {
  const files = await filesAt(1)
  await retract(store, GUIDE, 1, new Date())
  await service.follow()
  assert.deepEqual([await statusOf(at(1), { token }), await statusOf(at(4), { token })], [404, 200])
  assert.deepEqual([await statusOf(files.get('mark.svg')), await filesAt(4)], [200, files])
})

test('a project that no longer serves its revisions, or is unpublished, serves none until it does again', async () => {
  const unknown = await service.ask(at(700), { token })
  const old = (await filesAt(4)).get('mark.svg')
  const served = async () => {
    await service.follow()
    const answers = [await service.ask(at(4), { token }), await service.ask(at(6), { token })]
    for (const { status, text } of answers)
      assert.equal(text.startsWith(unknown.text.slice(0, unknown.text.indexOf('"error_uri"') - 2)), status !== 200)
    return [...answers.map(({ status }) => status), await statusOf(old)]
  }
  assert.deepEqual(await served(), [200, 200, 200])
  await temporary.importing('acme', { 'guide/project.yaml': 'name: Guide\nrevisions: private\n' })
  assert.deepEqual(await served(), [200, 200, 200])
  await temporary.publish('acme/guide')
  assert.deepEqual(await served(), [404, 404, 404])
  await temporary.publishing('acme/guide', { 'guide/project.yaml': SERVED })
  assert.deepEqual(await served(), [200, 200, 200])
  await unpublish(store, GUIDE, new Date())
  assert.deepEqual(await served(), [404, 404, 404])
  await temporary.publish('acme/guide')
  assert.deepEqual(await served(), [200, 200, 200])
})

/* Two services share a data folder, and commands run in child processes. */

test('every process follows changes by commands to revisions and to files that only revisions have', async t => {
  const { data, issue, publishing } = await temporaryStore()
  for (const text of ['One.\n', 'Two.\n', 'Three.\n']) {
    await publishing('acme/guide', { 'guide/project.yaml': 'revisions: served\n', 'guide/files/note.txt': text })
  }
  const { token } = await issue('acme')
  const services = await Promise.all([1, 2].map(() => serve(MAIN, '--data', data, '--log', 'silent')))
  t.after(() => Promise.all(services.map(({ stop }) => stop())))
  const ask = (url: string) => fetch(url, { headers: { authorization: `Bearer ${token}` } })
  const listAt = (url: string, revision: number) =>
    ask(`${url}/revision/${revision}/beta/workspace/acme/project/guide/files`)

  /** The address of the note in a revision, without the part that differs between the services. */
  const fileAt = async (revision: number): Promise<string> => {
    const { files } = JSON.parse(await (await listAt(services[0]?.url ?? '', revision)).text())
    return new URL(files[0].url).pathname
  }
  const notes = [await fileAt(1), await fileAt(2), await fileAt(3)]

  const statuses = async (): Promise<number[][]> => {
    const numbers = [1, 2, 3]
    const asked = services.map(({ url }) =>
      Promise.all([
        ...numbers.map(async number => (await listAt(url, number)).status),
        ...notes.map(async note => (await ask(url + note)).status),
      ]),
    )
    return Promise.all(asked)
  }
  const become = async (...wanted: number[]) => {
    for (let at = 0; at < 250; at++) {
      const all = await statuses()
      if (all.every(each => each.join() === wanted.join())) return
      await sleep(20)
    }
    assert.deepEqual(await statuses(), [wanted, wanted])
  }

  await become(200, 200, 200, 200, 200, 200)
  await command(MAIN, 'retract', 'acme/guide', '1', '--data', data)
  await become(404, 200, 200, 404, 200, 200)
  await command(MAIN, 'unpublish', 'acme/guide', '--data', data)
  await become(404, 404, 404, 404, 404, 404)
  await command(MAIN, 'rollback', 'acme/guide', '3', '--data', data)
  await become(404, 200, 200, 404, 200, 200)
})
