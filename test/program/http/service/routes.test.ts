import assert from 'node:assert/strict'
import test from 'node:test'
import { OPERATIONS } from '#brand/contract/operations.ts'
import { findRoute, isMonitoring, nameInMetrics, ROUTES } from '#program/http/service/routes.ts'
import { type Asking, testService } from '../../../support/service.ts'
import { publishedStore } from '../../../support/temporary-store.ts'

const temporary = await publishedStore(['acme/open', 'acme/closed'], {
  'open/project.yaml': 'name: Open\nvisibility: public\n',
  'open/pages/logo/misuse.md': '# Misuse\n',
  'open/files/logo.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>\n',
  'closed/project.yaml': 'name: Closed\n',
  'closed/files/a.txt': 'a',
})
const { token } = await temporary.issue('acme')
const { token: ofPages } = await temporary.issue('acme', { scopes: ['document.read'] })
const { ask } = await testService(temporary)

for (const { id, path, isFrozen } of OPERATIONS)
  test(`${path} is ${id}, also below a base path and at a revision`, () => {
    const sent = `/beta${path.replaceAll(/\{\w+\}/g, 'x')}`
    assert.deepEqual([nameInMetrics(sent), findRoute(sent).route.pattern], [id, `/beta${path}`])
    assert.equal(nameInMetrics(`/brand${sent}`, '/brand'), id)
    if (isFrozen) assert.equal(findRoute(`/revision/7${sent}`).route.pattern, `/revision/{revision}/beta${path}`)
  })

/** Addresses, with the name in metrics and the pattern. */
const GUIDE = '/{workspace}/{project}'
const ADDRESSES: readonly [path: string, name: string, pattern: string][] = [
  ['/beta/elsewhere', 'unknown', '/beta/{rest}'],
  ['/oauth/token', 'token', '/oauth/token'],
  ['/oauth/authorize/id', 'authorization', '/oauth/authorize/{id}'],
  ['/acme/open/-/consent/id', 'authorization', `${GUIDE}/-/consent/{id}`],
  ['/-/signed-in/abcdefghijklmnop', 'signin', '/-/signed-in/{issuer}'],
  ['/events/workspace/acme/open', 'events', '/events/workspace/{rest}'],
  ['/healthz', 'health', '/healthz'],
  ['/assets/hash/site.css', 'asset', '/assets/{key}/{name}'],
  ['*', 'page', '/'],
  ['/acme/open/logo/misuse.md', 'page', `${GUIDE}/{page}.md`],
  ['/acme/open/-/constructor', 'page', `${GUIDE}/{page}`],
  ['/acme/open/-/files/key/logo.svg', 'file', `${GUIDE}/-/files/{key}/{filename}`],
  ['/acme/open/-/share/secret', 'share', `${GUIDE}/-/share/{secret}`],
  ['/acme/open/-/draft/-/colors', 'page', `${GUIDE}/-/draft/-/colors`],
  ['/acme/open/-/draft/-/mcp', 'page', `${GUIDE}/-/draft/{page}`],
  ['/acme/open/-/draft/-/kits/press.zip', 'archive', `${GUIDE}/-/draft/-/kits/{folder}.zip`],
]

test('each address has a name for metrics and a pattern, which contains no ids', () => {
  const routes = ADDRESSES.map(([path]) => [path, nameInMetrics(path), findRoute(path).route.pattern])
  assert.deepEqual(routes, ADDRESSES)
  assert.equal(nameInMetrics(undefined), 'malformed')
})

test('every pattern is found at a path of its form', () => {
  for (const { pattern } of ROUTES) {
    const path = pattern
      .replace('{issuer}', 'abcdefghijklmnop')
      .replace('{revision}', '7')
      .replace('{file}', 'a.b')
      .replace('{rest}', '%00')
    assert.equal(findRoute(path.replaceAll(/[{}]/g, '')).route.pattern, pattern)
  }
})

test('only health and metrics are for monitoring, and metrics only at the root', () => {
  const targets = ['/healthz', '/readyz?x', '/metrics', '/brand/healthz', '/brand/metrics', '/healthz/x', '/acme']
  const seen = targets.map(target => isMonitoring(target, '/brand'))
  assert.deepEqual(seen, [true, true, true, true, false, false, false])
})

const PAGE = `${GUIDE}/{page}`
const MISUSE = '/acme/open/logo/misuse'
const ARCHIVE = '/acme/closed/-/files.zip'
const API = '/beta/workspace/acme/project/open/page/logo/misuse'

/**
 * Paths in odd encodings: the pattern, the decoded ids of the handler and of the cache key, and the reply. `same` names
 * a plain path with the same reply, for which nothing new is cached.
 */
const ODD: readonly { path: string; pattern: string; ids?: object; status?: number; same?: string; to?: string }[] = [
  { path: '/acme/open/log%6F/misuse', pattern: PAGE, ids: { page: 'logo/misuse' }, same: MISUSE },
  { path: '/acme/open/log%6f/misuse', pattern: PAGE, ids: { page: 'logo/misuse' }, same: MISUSE },
  { path: '/acme/open/logo%2Fmisuse', pattern: PAGE, ids: { page: 'logo/misuse' }, same: MISUSE },
  { path: '/acme/open/logo%2fmisuse', pattern: PAGE, ids: { page: 'logo/misuse' }, same: MISUSE },
  { path: '/%61cme/%6Fpen/logo/misuse', pattern: PAGE, ids: { workspace: 'acme', project: 'open' }, same: MISUSE },
  { path: `${MISUSE}?`, pattern: PAGE, same: MISUSE },
  { path: `${MISUSE}?page=2&x=%FF&&`, pattern: PAGE, same: MISUSE },
  { path: `${MISUSE}%2Emd`, pattern: `${GUIDE}/{page}.md`, ids: { page: 'logo/misuse' }, same: `${MISUSE}.md` },
  { path: `${MISUSE}%2emd`, pattern: `${GUIDE}/{page}.md`, ids: { page: 'logo/misuse' }, same: `${MISUSE}.md` },
  { path: '/acme/open/%2D/files', pattern: `${GUIDE}/-/files`, same: '/acme/open/-/files' },
  { path: '/acme/open/-%2Ffiles', pattern: `${GUIDE}/-/files`, same: '/acme/open/-/files' },
  { path: '/acme/open/-/%66iles%2Ezip', pattern: `${GUIDE}/-/files.zip`, same: '/acme/open/-/files.zip' },
  { path: '/acme/open/logo%252Fmisuse', pattern: PAGE, ids: { page: 'logo%2Fmisuse' }, status: 404 },
  { path: '/acme/open/logo;v=1/misuse', pattern: PAGE, ids: { page: 'logo;v=1/misuse' }, status: 404 },
  { path: '/acme/open/logo%3Bv/misuse', pattern: PAGE, ids: { page: 'logo;v/misuse' }, status: 404 },
  { path: '/acme/open/./logo', pattern: PAGE, ids: { page: './logo' }, status: 404 },
  { path: '/acme/open/%2E/logo', pattern: PAGE, ids: { page: './logo' }, status: 404 },
  { path: '/acme/open/LOGO/misuse', pattern: PAGE, ids: { page: 'LOGO/misuse' }, status: 404 },
  { path: '/acme%2Fopen/logo', pattern: GUIDE, ids: { workspace: 'acme/open', project: 'logo' }, status: 404 },
  { path: '/acme/open%2Flogo', pattern: GUIDE, ids: { workspace: 'acme', project: 'open/logo' }, status: 404 },
  { path: '/acme/open/-%2Fshare%2Fsecret', pattern: PAGE, ids: { page: '-/share/secret', secret: '' }, status: 404 },
  { path: '/acme/open/-%2Fdraft/logo', pattern: PAGE, ids: { page: '-/draft/logo' }, status: 404 },
  { path: '/acme/open/..%2Fclosed', pattern: '/{rest}', status: 404 },
  { path: '/acme/open/../closed', pattern: '/{rest}', status: 404 },
  { path: '/acme/open/%2E%2E/closed', pattern: '/{rest}', status: 404 },
  { path: '/acme/open/%2e%2e/closed', pattern: '/{rest}', status: 404 },
  { path: '/acme/open/logo%00', pattern: '/{rest}', status: 404 },
  { path: '/acme/open/logo%FF', pattern: '/{rest}', status: 404 },
  { path: '/acme/open/logo%', pattern: '/{rest}', status: 404 },
  { path: '/acme/open//logo', pattern: '/{rest}', status: 404 },
  { path: '/acme//open', pattern: '/{rest}', status: 404 },
  { path: '//acme/open', pattern: '/{rest}', status: 404 },
  { path: '/acme/open/logo%2F', pattern: '/{rest}', status: 404 },
  { path: '/acme/open/', pattern: '/{rest}', status: 308, to: '/acme/open' },
  { path: '/acme/open/logo%5C/?a=b', pattern: '/{rest}', status: 308, to: '/acme/open/logo%5C?a=b' },
  { path: '/acme/open//', pattern: '/{rest}', status: 404 },
  { path: '/%68ealthz', pattern: '/{workspace}', ids: { workspace: 'healthz' }, status: 404 },
  { path: '/%6Dcp', pattern: '/{workspace}', ids: { workspace: 'mcp' }, status: 404 },
  { path: '/oauth/%74oken', pattern: GUIDE, ids: { project: 'token' }, status: 404 },
  { path: '/acme/open/%2D/mcp', pattern: PAGE, ids: { page: '-/mcp' }, status: 404 },
  { path: '/%62eta/workspace/acme', pattern: PAGE, ids: { workspace: 'beta', page: 'acme' }, status: 404 },
  { path: API.replace('logo', 'log%6F'), pattern: 'getPage', ids: { page: 'logo/misuse' }, same: API },
  { path: API.replace('logo/', 'logo%2F'), pattern: 'getPage', ids: { page: 'logo/misuse' }, same: API },
  { path: API.replace('workspace', '%77orkspace'), pattern: 'getPage', ids: { project: 'open' }, same: API },
  { path: `${API}?x`, pattern: 'getPage', same: API },
  { path: API.replace('logo/', 'logo%252F'), pattern: 'getPage', ids: { page: 'logo%2Fmisuse' }, status: 404 },
  { path: `${API};v`, pattern: 'getPage', ids: { page: 'logo/misuse;v' }, status: 404 },
  { path: `${API}/`, pattern: 'unknown', status: 400 },
  { path: API.replace('/logo', '//logo'), pattern: 'unknown', status: 400 },
  { path: API.replace('/logo', '/%2e%2e/logo'), pattern: 'unknown', status: 400 },
  { path: `${API}%00`, pattern: 'unknown', status: 400 },
  { path: `${API}%FF`, pattern: 'unknown', status: 400 },
]

for (const { path, pattern, ids = {}, status = 200, same, to } of ODD)
  test(`${path} is ${same ? `the same as ${same}` : `answered ${status}`}`, async () => {
    const match = findRoute(path.split('?')[0] ?? '')
    assert.ok([match.route.pattern, match.route.name].includes(pattern), match.route.pattern)
    assert.partialDeepStrictEqual(match.ids, ids)
    const asking = path.includes('/project/') ? { token } : {}
    const plain = same && (await replyTo(same, asking))
    const before = await misses()
    const reply = await replyTo(path, asking)
    assert.deepEqual([reply.status, reply.location], [status, to])
    if (!plain) return
    assert.deepEqual(reply, plain)
    assert.deepEqual(await misses(), before)
    const { rest, page } = findRoute(same).ids
    assert.deepEqual([match.ids.rest, match.ids.page], [rest, page])
  })

async function replyTo(target: string, asking: Asking) {
  const { status, headers, text } = await ask(target, asking)
  return { status, text, location: headers.get('location') ?? undefined, headers: [...headers] }
}

async function misses() {
  return (await ask('/metrics')).text.match(/^housestyle_cache_requests_total\{.*result="miss".*$/gm)
}

for (const path of [
  ARCHIVE,
  '/acme/closed/%2D/files.zip',
  '/acme/closed/-/%66iles%2Ezip',
  '/acme/closed/-%2Ffiles.zip',
])
  test(`${path} needs the scope of an archive`, async () => {
    assert.equal((await ask(path, { token })).status, 200)
    const { status, text } = await ask(path, { token: ofPages })
    assert.equal(status, 403)
    assert.match(text, /files\.read/)
  })

test('a path counts for the limit of the route that answers it', async () => {
  const limited = await testService(temporary, { ratePublic: { requests: 1, seconds: 60 } })
  const counts = {
    '/acme/open/logo%2Fmisuse': true,
    '/acme/open/%2D/search': true,
    '/acme/open/%2D/files.zip': false,
    '/acme/open/-/exports%2Fnone': false,
    '/acme/open/-/theme%2Ecss': false,
    '/acme/open/-/theme%2Ecss?v': true,
    '/robots%2Etxt': false,
    '/acme/open/%FF': true,
    '/beta/workspace/%FF': false,
  }
  for (const [path, isCounted] of Object.entries(counts)) {
    limited.clock.now += 120_000
    await limited.ask(path)
    assert.equal((await limited.ask(path)).status === 429, isCounted, path)
  }
})
