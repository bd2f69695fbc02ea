import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { guideAddresses } from '../support/guide-addresses.ts'
import { allowIssuer, sessionCookie } from '../support/people-service.ts'
import { type Answer, type Asking, sharedCookie, testService } from '../support/service.ts'
import { resultOf, temporaryStore } from '../support/temporary-store.ts'

const temporary = await temporaryStore()
const SHARE = readFileSync('examples/acme/guidelines/files/images/acme-share.png')
const contents = {
  'open/project.yaml': 'visibility: public\n',
  'guide/project.yaml':
    'name: Hidden\ntheme: { accent: red, logo: files/kit/share.png }\nsocialImage: files/kit/share.png\n',
  'guide/pages/index.md': '# Hidden\n',
  'guide/pages/logo.md': '---\naliases: [old/logo]\ncover: ../files/kit/share.png\n---\n# Logo\n',
  'guide/files/a.css': 'a',
  'guide/files/kit/a.txt': 'a',
  'guide/files/kit/share.png': SHARE,
  'guide/styles/colors.yaml': '- { id: red, name: Red, hex: ff0000 }\n- { id: ink, name: Ink, hex: 112233 }\n',
  'guide-2/project.yaml': 'name: Another\n',
  'plans/project.yaml': 'name: Unpublished\nvisibility: public\n',
}
await temporary.importing('acme', contents)
await temporary.importing('lone', { 'guide/pages/index.md': '# Hidden\n' })
for (const place of ['acme/open', 'acme/guide', 'acme/guide-2', 'lone/guide']) await temporary.publish(place)
await temporary.publishing('acme/guide', {
  ...contents,
  'guide/pages/logo.md': `${contents['guide/pages/logo.md']}\nMore.\n`,
})
await allowIssuer(temporary, 'https://login.example')
const service = await testService(temporary)
const { ask, follow } = service

const linkTo = (...args: string[]) => sharedCookie(service, temporary.folder, ...args)
const [right, another, revoked] = [await linkTo('acme/guide'), await linkTo('acme/guide-2'), await linkTo('acme/guide')]
await resultOf(temporary.folder, ['share', 'revoke', /=(\w+)\./.exec(revoked)?.[1] ?? ''])
await follow()
const [signedIn, signedInForAnother, signedInElsewhere, signedOut] = [
  await sessionCookie(temporary, 'acme', { name: 'Anna Lee' }),
  await sessionCookie(temporary, 'acme', { projects: ['open', 'guide-2'] }),
  await sessionCookie(temporary, 'lone'),
  await sessionCookie(temporary, 'acme', { isEnded: true }),
]
const [narrow, elsewhere, other] = [
  await temporary.issue('acme', { scopes: ['data.read', 'styles.read', 'files.read'] }),
  await temporary.issue('acme', { projects: ['open', 'guide-2'] }),
  await temporary.issue('lone'),
]

const VALUES = {
  page: 'logo',
  color: 'red',
  name: 'x',
  pair: 'red-ink',
  list: 'other',
  path: 'kit/a.txt',
  folder: 'kit',
  format: 'tokens.css',
  font: 'x',
  key: 'x',
  width: '320',
  filename: 'a.css',
  secret: 'x',
}
const BELOW = [
  ...guideAddresses(VALUES),
  ...`
    / /logo/ /index.md /gone /- /-/files.zip?path=files/a.css /-/files.zip?path=files/gone /-/kits/gone.zip
    /-/files.zip?path=files/kit/a.txt&path=files/a.css&formats=all /-/type.css?page=2
    /-/thumbnails/other/320/share.png /old/logo /old/logo.md /-/search?q=hidden
    ?x=1 /-%2Ffiles.zip %2F-%2Ffiles.zip /../open /%2e%2e/open // /%00 /%ff /../guide-2
  `
    .trim()
    .split(/\s+/),
]
const BEARERS: Readonly<Record<string, Asking>> = {
  nobody: {},
  'who has a link to another project': { headers: { cookie: another } },
  'who gives that cookie the right name': { headers: { cookie: another.replace('guide-2', 'guide') } },
  'whose link was revoked': { headers: { cookie: revoked } },
  'who has very many cookies': { headers: { cookie: Array(300).fill('housestyle_acme_guide=x.y.z').join('; ') } },
  'who is signed in for another project': { headers: { cookie: signedInForAnother } },
  'who is signed in to another workspace': { headers: { cookie: signedInElsewhere } },
  'who gives that session the right name': { headers: { cookie: signedInElsewhere.replace('lone', 'acme') } },
  'who was signed out': { headers: { cookie: signedOut } },
  'whose token lacks the scope': { token: narrow.token },
  'whose token is for another project': { token: elsewhere.token },
  'whose token is for another workspace': { token: other.token },
  'whose token is made up': { token: 'a.b.c' },
}

for (const [bearer, asking] of Object.entries(BEARERS))
  test(`an address of a private project gets the same reply as an unknown address: ${bearer}`, async () => {
    for (const [method, more] of [
      ['GET', {}],
      ['GET', { accept: 'text/html' }],
      ['HEAD', { 'if-none-match': '*', range: 'bytes=0-1' }],
      ['POST', { accept: 'text/html' }],
      ['OPTIONS', {}],
    ] as const)
      for (const below of BELOW) {
        const headers = { ...more, ...asking.headers }
        const at = async (project: string) =>
          flat(await ask(`/acme/${project}${below}`, { ...asking, method, headers }), project)
        const unknown = await at('guild')
        for (const project of ['guide', 'plans'])
          assert.deepEqual(await at(project), unknown, `${method} ${project}${below}`)
      }
  })

test('a share link and a session open private pages that for others look like unknown addresses', async () => {
  const shown = ['/-/theme.css', '/-/changes', '/-/kits/kit.zip', '/-/files.zip?path=files/a.css', '/old/logo']
  for (const cookie of [right, signedIn]) {
    const statuses = shown.map(async below => (await ask(`/acme/guide${below}`, { headers: { cookie } })).status)
    assert.deepEqual(await Promise.all(statuses), [200, 200, 200, 200, 308])
  }
})

test('a session opens everything that a share link does, with the same files and Markdown', async () => {
  for (const below of BELOW) {
    if (below === '/-/share/x') continue
    const [linked, person] = await Promise.all(
      [right, signedIn].map(cookie => ask(`/acme/guide${below}`, { headers: { cookie, accept: '*/*' } })),
    )
    assert.equal(person?.status, linked?.status, below)
    const isPage = linked?.headers.get('content-type')?.startsWith('text/html')
    if (!isPage && linked?.status === 200) assert.deepEqual(person?.bytes, linked.bytes, below)
    if (isPage && linked?.status === 200) assert.match(person?.text ?? '', /<bdi>Anna Lee<\/bdi>/, below)
  }
})

test('no page shows a reader the name of another, regardless of its path', async () => {
  const person = async (name: string) => [name, await sessionCookie(temporary, 'acme', { name })] as const
  const guest = async (name: string) => [name, await linkTo('acme/guide', '--name', name)] as const
  const named = [
    await person('Anna Lee'),
    await person('Ben Roe'),
    await guest('Studio Nord'),
    await guest('Studio West'),
  ]
  const readers = [...named, ['', await sessionCookie(temporary, 'acme')], ['', right]] as const
  const missing = '/gone.html /logo. /logo%2Ehtml /gone.md /lo.go/x /%2E /v1.0 /-/x.css /-/files/x.y'.split(' ')
  const pairs = '/-/contrast /-/contrast?text=red&a=. /-/contrast%3Fa=. /-/contrast%3Ftext=red /-/contrast/red.'.split(
    ' ',
  )
  for (const below of [...BELOW, ...missing, ...pairs])
    for (const [own, cookie] of readers) {
      const { text } = await ask(`/acme/guide${below}`, { headers: { cookie, accept: 'text/html' } })
      const names = named.flatMap(([name]) => (text.includes(name) ? [name] : []))
      assert.ok(
        names.every(name => name === own),
        `${below} shows ${own} ${names}`,
      )
      if (below === '' || (missing.includes(below) && !own.includes('Studio'))) assert.equal(names[0] ?? '', own, below)
    }
})

test('a public guide is the same for a person who is signed in as for everyone', async () => {
  for (const below of BELOW) {
    const [anyone, person] = await Promise.all(
      [{}, { cookie: signedIn }].map(headers => ask(`/acme/open${below}`, { headers })),
    )
    if (anyone?.status === 200) assert.deepEqual(flat(person ?? anyone, ''), flat(anyone, ''), below)
  }
})

test('the home page and a workspace list private guides only to people who may see them, before public ones', async () => {
  const list = async (path: string, ...cookies: string[]) => {
    const { text, headers } = await ask(path, { headers: { cookie: cookies.join('; '), accept: 'text/html' } })
    return [cardsIn(text), headers.get('cache-control')]
  }
  for (const path of ['/', '/acme']) {
    for (const cookie of ['', signedOut, right])
      assert.deepEqual(await list(path, cookie), [['/acme/open'], 'public, no-cache'], path)
    assert.deepEqual(await list(path, signedInForAnother), [['/acme/guide-2', '/acme/open'], 'private, no-cache'])
    const both = ['/acme/guide-2', '/acme/guide', ...(path === '/' ? ['/lone/guide'] : []), '/acme/open']
    assert.deepEqual(await list(path, signedIn, signedInElsewhere), [both, 'private, no-cache'])
  }
})

test('no reply with private content, not even a 304, may be kept by a shared cache', async () => {
  for (const below of BELOW)
    for (const accept of ['text/html', '*/*']) {
      const headers = { cookie: right, accept }
      const answer = await ask(`/acme/guide${below}`, { headers })
      assertKeptByNoOther(answer, below)
      const etag = answer.headers.get('etag')
      if (etag === null || answer.status === 404) continue
      const again = await ask(`/acme/guide${below}`, { headers: { ...headers, 'if-none-match': etag } })
      assert.equal(again.status, 304)
      assertKeptByNoOther(again, below)
    }
})

test('all links on private pages are below the path of the share link’s cookie', async () => {
  for (const below of ['', '/logo', '/gone', '/-/colors', '/-/files', '/-/search?q=hidden', '/-/pages']) {
    const { text } = await ask(`/acme/guide${below}`, { headers: { cookie: right, accept: 'text/html' } })
    const paths = Array.from(text.matchAll(/(?:="|\()(?:http:\/\/brand\.test)?(\/[^"\s)]*)/g), ([, path = '']) => path)
    const others = paths.filter(path => !/^\/(?:acme\/guide(?:\/|\.md$|$)|assets\/)/.test(path))
    assert.deepEqual([paths.length > 3, others], [true, []], below)
  }
})

test('no public page names a private project', async () => {
  for (const path of ['/', '/acme', '/robots.txt', '/sitemap.xml', ...BELOW.map(below => `/acme/open${below}`)]) {
    const text = (await ask(path, { headers: { accept: 'text/html' } })).text
    assert.doesNotMatch(text, /Hidden|guide-2|acme\/guide|\/lone/)
  }
})

test('a project that becomes private is not served from replies cached while it was public', async () => {
  const contents = { 'turning/pages/index.md': '# Turning\n', 'turning/files/a.css': 'a' }
  const below = ['', '/index.md', '/llms.txt', '/llms-full.txt', '/sitemap.xml', '/-/files', '/-/files.zip', '/-/pages']
  const asked = () => Promise.all(below.map(each => ask(`/acme/turning${each}`)))
  await temporary.publishing('acme/turning', { ...contents, 'turning/project.yaml': 'visibility: public\n' })
  await follow()
  const open = await asked()
  assert.deepEqual([...new Set(open.map(({ status }) => status))], [200])
  await temporary.publishing('acme/turning', { ...contents, 'turning/project.yaml': 'visibility: private\n' })
  await follow()
  for (const [at, { status }] of (await asked()).entries()) {
    const headers = { 'if-none-match': open[at]?.headers.get('etag') ?? '' }
    const seen = [status, (await ask(`/acme/turning${below[at]}`, { headers })).status]
    assert.deepEqual(seen, [404, 404], String(below[at]))
  }
  assert.doesNotMatch((await ask('/acme')).text + (await ask('/')).text + (await ask('/sitemap.xml')).text, /turning/)
})

function cardsIn(text: string): (string | undefined)[] {
  const cards = text.matchAll(/<li>(?:<span class="face">.*?<\/span>)?<a href="([^"]+)"/gs)
  return Array.from(cards, ([, path]) => path)
}

function flat({ status, headers, text }: Answer, project: string): unknown[] {
  return [status, text, ...headers].map(part =>
    String(part)
      .replaceAll(`/acme/${project}`, '/acme/…')
      // The link to sign in names the address to return to.
      .replaceAll(`%2Facme%2F${project}`, '%2Facme%2F…'),
  )
}

function assertKeptByNoOther({ headers }: Answer, below: string): void {
  const caching = headers.get('cache-control') ?? ''
  assert.match(caching, /^(?:no-store|private, no-cache)$/, below)
  if (caching !== 'no-store') assert.match(headers.get('vary') ?? '', /^Authorization, Cookie, /, below)
}
