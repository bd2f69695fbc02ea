import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type Answer, type Asking, silent, testService } from '../../../support/service.ts'
import { addHosts, resultOf, temporaryStore } from '../../../support/temporary-store.ts'
import { visitor } from '../../../support/visitor.ts'

const PUBLIC_URL = 'https://api.acme.test'
const temporary = await temporaryStore()
const NAMES = ['docs', 'events', 'beta', 'mcp', 'healthz', 'metrics', 'oauth', 'assets', 'schemas']

before(async () => {
  await temporary.importing('acme', {
    'workspace.yaml': 'name: Acme\ntheme: { accent: "#0055aa" }\n',
    'guide/project.yaml': 'name: Guide\nvisibility: public\n',
    'guide/pages/index.md': '# Home\n\n[Logo](logo.md) ![A mark](mark.svg)\n',
    'guide/pages/mark.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>\n',
    'guide/pages/logo.md': '---\naliases: [mark]\n---\n# Logo\n',
    ...Object.fromEntries(NAMES.map(name => [`guide/pages/${name}.md`, `# Page ${name}\n`])),
    'guide/styles/colors.yaml': '- { name: Ink, hex: "#101820" }\n',
    'guide/files/notes.txt': 'Notes.\n',
    'other/project.yaml': 'name: Other\nvisibility: public\n',
    'secret/project.yaml': 'name: Secret\n',
    'secret/pages/index.md': '# Secret\n',
    'secret/pages/logo.md': '# Secret logo\n',
  })
  for (const project of ['guide', 'other', 'secret']) await temporary.publish(`acme/${project}`)
  await addHosts(temporary, { 'guide.test': 'acme/guide', 'all.test': 'acme', 'secret.test': 'acme/secret' })
})

async function tokenOf(): Promise<string> {
  return (await resultOf(temporary.folder, ['token', 'issue', 'acme', '--public-url', PUBLIC_URL])).token
}

/** A service with a public URL, asked at a host as a browser would. */
async function setup() {
  const service = await testService(temporary, { publicUrl: PUBLIC_URL })
  const at = (host: string, path: string, asking: Asking = {}): Promise<Answer> =>
    service.ask(path, { ...asking, headers: { accept: 'text/html', host, ...asking.headers } })
  return { ...service, at }
}

test('a guide is at the root of its host, and links to itself there', async () => {
  const { at } = await setup()
  const home = await at('guide.test', '/')
  assert.equal(home.status, 200)
  assert.match(home.text, /<link rel="canonical" href="https:\/\/guide\.test">/)
  assert.match(home.text, /<a href="\/logo">Logo<\/a>/)
  assert.doesNotMatch(home.text, /\/acme\/guide|"\/assets\//)
  const parts = [...home.text.matchAll(/(?:src|href)="(\/[^"#]*)"/g)].map(([, path = '']) => path)
  assert.ok(parts.length > 8)
  for (const path of new Set(parts)) assert.equal((await at('guide.test', path)).status, 200, path)
})

test('the names of a host have any case and port', async () => {
  const { at } = await setup()
  for (const host of ['GUIDE.test', 'guide.test:8443', 'guide.test.'])
    assert.equal((await at(host, '/logo')).status, 200, host)
})

test('pages may have the names of addresses of the service, and the API does not answer at a host', async () => {
  const { at, service } = await setup()
  for (const name of NAMES) assert.match((await at('guide.test', `/${name}`)).text, new RegExp(`<title>Page ${name} `))
  const token = await tokenOf()
  for (const host of ['guide.test', 'all.test'])
    for (const path of ['/beta/workspace/acme', '/oauth/token', '/events/workspace/acme', '/openapi.json', '/readyz']) {
      const seen = (await visitor(service).get(path, { host, authorization: `Bearer ${token}` })).status
      assert.equal(seen, 404, host + path)
    }
})

test('old addresses redirect people to the host, whether or not a page exists there', async () => {
  const { at } = await setup()
  for (const [path, target] of [
    ['/acme/guide', '/'],
    ['/acme/guide/logo?a=b', '/logo?a=b'],
    ['/acme/guide/nowhere', '/nowhere'],
    ['/acme/guide/-/colors', '/-/colors'],
  ] as const) {
    const { status, headers } = await at('api.acme.test', path)
    assert.deepEqual([status, new URL(headers.get('location') ?? '').href], [308, `https://guide.test${target}`])
  }
  assert.equal((await at('api.acme.test', '/acme')).headers.get('location'), 'https://all.test/')
  assert.equal((await at('all.test', '/guide/logo')).headers.get('location'), 'https://guide.test/logo')
})

test('the API, tokens and files keep the public URL, and the address of a project is its own', async () => {
  const { at, ask } = await setup()
  const token = await tokenOf()
  const project = JSON.parse((await ask('/beta/workspace/acme/project/guide', { token })).text)
  assert.equal(project.url, 'https://guide.test')
  const other = JSON.parse((await ask('/beta/workspace/acme/project/other', { token })).text)
  assert.equal(other.url, 'https://all.test/other')
  const { files } = JSON.parse((await ask('/beta/workspace/acme/project/guide/files', { token })).text)
  const { url } = files.find(({ filename }: { filename: string }) => filename === 'notes.txt')
  assert.ok(url.startsWith(`${PUBLIC_URL}/acme/guide/-/files/`))
  const path = new URL(url).pathname
  assert.equal((await at('api.acme.test', path)).status, 200)
  assert.equal((await at('guide.test', path.replace('/acme/guide', ''))).text, 'Notes.\n')
  const { content } = JSON.parse((await ask('/beta/workspace/acme/project/guide/page/index', { token })).text)
  assert.match(content, /\(https:\/\/guide\.test\/logo\)/)
  assert.equal((await at('api.acme.test', '/acme/guide/logo', { token })).status, 200)
})

test('a private guide with a host answers strangers everywhere as one that does not exist', async () => {
  const { at } = await setup()
  const unknown = await at('api.acme.test', '/acme/nothing')
  for (const path of ['', '/', '/logo', '/logo/', '/nowhere', '/-/colors', '/-/share/x', '/-/manage'])
    for (const [host, start] of [
      ['api.acme.test', '/acme/secret'],
      ['all.test', '/secret'],
    ] as const) {
      const { status, text, headers } = await at(host, `${start}${path}`)
      const location = headers.get('location')
      assert.deepEqual([status, location], path.endsWith('/') ? [308, start + path.slice(0, -1)] : [404, null])
      if (host === 'api.acme.test') assert.equal(text, path.endsWith('/') ? '' : unknown.text, path)
    }
  const [home, page] = [await at('secret.test', '/'), await at('secret.test', '/nowhere')]
  assert.deepEqual([home.status, page.status, page.text], [404, 404, home.text])
})

test('the answer to a form of a stranger does not name the host of a private guide', async () => {
  const { at } = await setup()
  const linksAt = async (guide: string) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' }
    const path = `/acme/${guide}/-/manage`
    const { text } = await at('api.acme.test', path, { method: 'POST', headers, body: 'action=publish&note=x' })
    return Array.from(text.matchAll(/href="([^"?]*)/g), ([, link = '']) => link.replace(guide, 'guide'))
  }
  const links = await linksAt('secret')
  assert.deepEqual(links, await linksAt('nothing'))
  assert.ok(links.includes('/acme/guide/-/manage'))
})

test('a host is unknown until it is added, and again once it is removed', async () => {
  const { at, follow } = await setup()
  assert.equal((await at('new.test', '/')).status, 421)
  await addHosts(temporary, { 'new.test': 'acme/other' })
  await follow()
  assert.equal((await at('new.test', '/')).status, 200)
  assert.equal((await at('all.test', '/other')).headers.get('location'), 'https://new.test/')
  await resultOf(temporary.folder, ['host', 'remove', 'new.test'])
  await follow()
  assert.equal((await at('new.test', '/')).status, 421)
  assert.equal((await at('all.test', '/other')).status, 200)
})

test('an unknown host gets 421 once there is a public URL, except for monitoring and names of this machine', async () => {
  const { at } = await setup()
  const seen = [(await at('unknown.test', '/')).status, (await at('unknown.test', '/acme/guide/-/mcp')).status]
  assert.deepEqual(seen, [421, 421])
  for (const path of ['/healthz', '/readyz', '/metrics']) assert.notEqual((await at('unknown.test', path)).status, 421)
  for (const host of ['localhost:4080', '127.0.0.1', '[::1]:80', 'API.acme.test:443', 'api.acme.test.'])
    assert.equal((await at(host, '/')).status, 200, host)
  const without = await testService(temporary)
  assert.equal((await without.ask('/', { headers: { host: 'unknown.test' } })).status, 200)
})

test('the log names the host of a refused request, once for many requests', async () => {
  const lines: object[] = []
  const log = { ...silent, info: (fields: object) => void lines.push(fields) }
  const { ask } = await testService(temporary, { publicUrl: PUBLIC_URL }, Date.now(), log)
  for (const host of ['wrong.test', 'wrong.test', 'evil.test\u0007\u202e', 'wrong.test'])
    assert.equal((await ask('/acme/guide', { headers: { host } })).status, 421)
  const refused = { event: 'host-refused', status: 421, address: '127.0.0.1' }
  assert.deepEqual(lines, [
    { ...refused, host: 'wrong.test' },
    { ...refused, host: 'evil.test' },
  ])
})

test('robots.txt and the sitemap of a host are those of its guide or workspace', async () => {
  const { at } = await setup()
  assert.match((await at('guide.test', '/robots.txt')).text, /^Sitemap: https:\/\/guide\.test\/sitemap\.xml$/m)
  assert.match((await at('guide.test', '/sitemap.xml')).text, /<loc>https:\/\/guide\.test\/logo<\/loc>/)
  assert.match((await at('all.test', '/sitemap.xml')).text, /<loc>https:\/\/all\.test\/other\/sitemap\.xml<\/loc>/)
})

test('agents get metadata and answers for the address of a guide at its host', async () => {
  const { at } = await setup()
  const metadata = await at('guide.test', '/.well-known/oauth-protected-resource/-/mcp')
  const { resource, authorization_servers } = JSON.parse(metadata.text)
  assert.deepEqual([resource, authorization_servers], ['https://guide.test/-/mcp', [PUBLIC_URL]])
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
  const asking = {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify(message),
  } as const
  assert.equal((await at('guide.test', '/-/mcp', asking)).status, 200)
  const refused = await at('secret.test', '/-/mcp', asking)
  assert.equal(refused.status, 401)
  assert.match(
    refused.headers.get('www-authenticate') ?? '',
    /resource_metadata="https:\/\/secret\.test\/\.well-known\/oauth-protected-resource\/-\/mcp"/,
  )
})

test('programs get exports, style sheets and feeds at the old address and at the host, also from other origins', async () => {
  const { at } = await setup()
  const headers = { origin: 'https://elsewhere.test' }
  for (const path of [
    '/-/exports/tokens.json',
    '/-/theme.css',
    '/-/changes.atom',
    '/logo.md',
    '/llms.txt',
    '/sitemap.xml',
  ]) {
    const [old, own] = [
      await at('api.acme.test', `/acme/guide${path}`, { headers }),
      await at('guide.test', path, { headers }),
    ]
    assert.deepEqual([old.status, own.status, own.text], [200, 200, old.text], path)
    assert.equal(own.headers.get('access-control-allow-origin'), old.headers.get('access-control-allow-origin'), path)
  }
})

test('brand.json of a guide is at its host, and of a private one only for its readers', async () => {
  const { at } = await setup()
  const path = '/.well-known/brand.json'
  const [own, exported] = [await at('guide.test', path), await at('guide.test', '/-/exports/brand.json')]
  assert.deepEqual([own.status, own.text], [200, exported.text])
  assert.match(own.text, /"https:\/\/guide\.test/)
  assert.equal((await at('secret.test', path)).status, 404)
  assert.doesNotMatch((await at('all.test', path)).text, /secret/i)
})

test('origins in --cors may read files and agents at a host, and others may not', async () => {
  const service = await testService(temporary, { publicUrl: PUBLIC_URL, cors: ['https://app.test'] })
  const preflight = (host: string, origin: string) =>
    service.ask('/-/mcp', {
      method: 'OPTIONS',
      headers: { host, origin, 'access-control-request-method': 'POST' },
    })
  const allowed = await preflight('guide.test', 'https://app.test')
  assert.equal(allowed.headers.get('access-control-allow-origin'), 'https://app.test')
  const refused = await preflight('guide.test', 'https://evil.test')
  assert.equal(refused.headers.get('access-control-allow-origin'), null)
})

test('the address for certificates answers for the public URL and each host', async () => {
  const { at } = await setup()
  const ask = async (domain: string) => (await at('localhost', `/-/hosts/ask?domain=${domain}`)).status
  for (const domain of ['guide.test', 'ALL.test', 'api.acme.test']) assert.equal(await ask(domain), 200, domain)
  for (const domain of ['unknown.test', 'localhost', '127.0.0.1', '', 'x.guide.test'])
    assert.equal(await ask(domain), 404, domain)
  assert.equal((await at('guide.test', '/-/hosts/ask?domain=guide.test')).status, 404)
})
