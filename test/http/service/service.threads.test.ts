import assert from 'node:assert/strict'
import { Agent } from 'node:http'
import test from 'node:test'
import { type Answer, ask } from '../../support/requests.ts'
import { runningService } from '../../support/running.ts'
import { SMALL_BRAND } from '../../support/small-brand.ts'
import { temporaryStore } from '../../support/temporary-store.ts'

const PUBLIC_URL = 'http://brand.test'
const temporary = await temporaryStore(PUBLIC_URL)
await temporary.importing('acme', { ...SMALL_BRAND, 'open/project.yaml': 'name: Open\nvisibility: public\n' })
await temporary.importing('other', { 'guide/project.yaml': 'name: Other\n' })
for (const place of ['acme/guidelines', 'acme/open', 'other/guide']) await temporary.publish(place)
const project = '/beta/workspace/acme/project/guidelines'
const tokens = {
  none: undefined,
  good: (await temporary.issue('acme')).token,
  narrow: (await temporary.issue('acme', { scopes: ['projects.read'] })).token,
  'of another project': (await temporary.issue('acme', { projects: ['open'] })).token,
  expired: (await temporary.issue('acme', { now: new Date(Date.now() - 7_200_000) })).token,
  garbled: 'not.a.token',
}
const PATHS = [
  '/beta/workspace/acme',
  '/beta/workspace/acme/projects',
  project,
  `${project}/pages`,
  `${project}/page/index`,
  `${project}/page/nothing`,
  `${project}/styles`,
  `${project}/files`,
  '/beta/workspace/other/projects',
  '/beta/workspace/acme/project/nothing/styles',
  '/beta/workspace/nobody/projects',
  '/beta/nothing',
  `${project}/page/%zz`,
]
const OTHERS = [
  { path: '/acme/open' },
  { path: '/acme/guidelines' },
  { path: '/acme/open/-/search?q=open' },
  { path: '/acme/open/nothing' },
  { path: '/.well-known/jwks.json' },
  { path: '/openapi.json' },
  { path: project, method: 'DELETE' },
  { path: project, method: 'OPTIONS' },
  { path: project, headers: { 'if-none-match': '*', authorization: `Bearer ${tokens.good}` } },
  { path: `${project}/styles`, headers: { 'accept-encoding': 'br', authorization: `Bearer ${tokens.good}` } },
  { path: '/oauth/token', method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'x' },
  { path: `/${'a'.repeat(9000)}` },
  { path: '/', headers: { 'x-large': 'a'.repeat(20_000) } },
]

type Asked = { path: string; method?: string; headers?: Readonly<Record<string, string>>; body?: string }

const asked: Asked[] = [
  ...PATHS.flatMap(path =>
    Object.values(tokens).map(token => ({
      path,
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    })),
  ),
  ...OTHERS,
]

test('both of two threads answer as one does, whatever is asked, and whether their caches are cold or warm', async () => {
  const settings = { publicUrl: PUBLIC_URL, rate: '1000000/60', ratePublic: '1000000/60' }
  const [one, two] = [
    await runningService(temporary, { ...settings, threads: '1' }),
    await runningService(temporary, { ...settings, threads: '2' }),
  ]
  const threads = new Map<string, number>()
  for (let round = 0; round < 4; round++)
    for (const each of asked) {
      const [expected, ...answers] = await Promise.all([one, two, two].map(({ port }) => answerTo(port, each)))
      for (const answer of answers) {
        const thread = String(answer.headers['x-request-id']).slice(0, 8)
        threads.set(thread, (threads.get(thread) ?? 0) + 1)
        assert.deepEqual(comparable(answer), expected && comparable(expected), `${each.method ?? 'GET'} ${each.path}`)
      }
    }
  assert.equal(threads.size, 2)
  assert.ok(Math.min(...threads.values()) > asked.length, `${[...threads.values()]}`)
})

function answerTo(port: number, { path, method = 'GET', headers = {}, body }: Asked): Promise<Answer> {
  return ask(
    `http://127.0.0.1:${port}${path}`,
    { agent: new Agent(), method, headers: { ...headers, host: 'brand.test' } },
    body,
  )
}

/** What does not depend on when something was asked, and of whom. */
function comparable({ status, headers, text }: Answer): object {
  const { date: _, 'x-request-id': __, ratelimit: ___, 'retry-after': ____, ...fields } = headers
  return { status, fields, text }
}
