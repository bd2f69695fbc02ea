import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { FORMATS } from '#delivery/export/formats.ts'
import { openTextEditor } from '#people/editor/edit/text-editor.ts'
import { openMetrics } from '#platform/telemetry/metrics.ts'
import { openService } from '#program/compose/open-service.ts'
import { guideAddresses } from '../support/guide-addresses.ts'
import { allowIssuer, sessionCookie } from '../support/people-service.ts'
import {
  type Answer,
  type Asking,
  DEFAULT_SETTINGS,
  sharedCookie,
  silent,
  testService,
  URL_OF_SERVICE,
} from '../support/service.ts'
import { addHosts, temporaryStore } from '../support/temporary-store.ts'
import { fieldsOf } from '../support/visitor.ts'

const ORIGIN = 'https://site.example'
const FRAUNCES = readFileSync('node_modules/@fontsource-variable/fraunces/files/fraunces-latin-full-normal.woff2')
const guide = (project: string, visibility: string) => ({
  [`${project}/project.yaml`]: `name: Guide\nvisibility: ${visibility}\ntheme: { heading: title, body: title }\noffice: { major: Arial, minor: Georgia }\n`,
  [`${project}/pages/index.md`]: '# Guide\n\n![Mark](../files/mark.svg)\n',
  [`${project}/styles/colors.yaml`]: '- { name: Red, hex: "#ff0000" }\n- { name: Ink, hex: "#112233" }\n',
  [`${project}/styles/types.yaml`]: '- { name: Title, family: Fraunces, weight: 650 }\n',
  [`${project}/files/mark.svg`]: '<svg xmlns="http://www.w3.org/2000/svg" width="24" height="12"/>\n',
  [`${project}/files/kit/fraunces.woff2`]: FRAUNCES,
})
const temporary = await temporaryStore()
await temporary.importing('acme', { ...guide('open', 'public'), ...guide('closed', 'private') })
for (const place of ['acme/open', 'acme/closed']) await temporary.publish(place)
await allowIssuer(temporary, 'https://login.example')
const service = await testService(temporary)
const { ask, follow } = service

const { token } = await temporary.issue('acme')
const [session, manager] = [
  await sessionCookie(temporary, 'acme', { drafts: true }),
  await sessionCookie(temporary, 'acme', { drafts: true, manages: 'all' }),
]
const linkTo = (...args: string[]) => sharedCookie(service, temporary.folder, ...args)
const [link, openDraft, closedDraft] = [
  await linkTo('acme/closed'),
  await linkTo('acme/open', '--draft'),
  await linkTo('acme/closed', '--draft'),
]

/** The addresses whose replies other sites may use, below a guide that a reader may see. */
async function usedElsewhere(place: string, asking: Asking = {}): Promise<string[]> {
  const { text } = await ask(`${place}/-/theme.css`, asking)
  const { text: type } = await ask(`${place}/-/type.css`, asking)
  const fonts = [...(text + type).matchAll(/url\("?(\/[^")]+)/g)].map(([, path = '']) => path.slice(place.length))
  assert.ok(fonts.some(path => path.startsWith('/-/fonts/')) && fonts.some(path => path.startsWith('/-/files/')))
  const files = ['tokens.json', 'tokens.css', 'theme.css', 'palette.ase', 'fonts.css', 'office.zip', 'palette.zip']
  const isPublished = place.split('/').length === 3
  const current = isPublished ? ['kits/kit.zip', 'files/mark.svg', 'exports/tokens.json', 'exports/palette.zip'] : []
  return [
    '/-/theme.css',
    ...files.map(file => `/-/exports/${file}`),
    ...current.map(path => `/-/current/${path}`),
    ...new Set(fonts),
  ]
}

function corsOf({ headers }: Pick<Answer, 'headers'>): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')))
}

const READABLE = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag, Accept-Ranges, Content-Disposition, Content-Length, Content-Range',
}
const PREFLIGHT = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, HEAD',
  'access-control-allow-headers': 'If-None-Match, If-Range, Range',
  'access-control-max-age': '600',
}
const ASKING = { origin: ORIGIN, 'access-control-request-method': 'GET' }

test('pages of every origin may read the exports, theme, fonts and current files of a public guide, with any cookie or token', async () => {
  for (const below of await usedElsewhere('/acme/open')) {
    const target = `/acme/open${below}`
    const whole = await ask(target, { headers: { origin: ORIGIN } })
    assert.deepEqual([whole.status, corsOf(whole)], [200, READABLE], below)
    assert.doesNotMatch(whole.headers.get('vary') ?? '', /Origin|Cookie/, below)
    const etag = whole.headers.get('etag') ?? ''
    for (const [asking, status] of [
      [{}, 200],
      [{ method: 'HEAD' }, 200],
      [{ headers: { cookie: session } }, 200],
      [{ token }, 200],
      [{ headers: { 'if-none-match': etag } }, 304],
    ] as const) {
      const answer = await ask(target, asking)
      assert.deepEqual([answer.status, corsOf(answer)], [status, READABLE], `${below} ${JSON.stringify(asking)}`)
    }
    const preflight = await ask(target, { method: 'OPTIONS', headers: ASKING })
    assert.deepEqual(corsOf(preflight), PREFLIGHT)
    assert.equal(preflight.headers.get('allow'), 'GET, HEAD, OPTIONS')
  }
})

test('pages of every origin may load parts of a font, and read why an export or a font is missing', async () => {
  const font = (await usedElsewhere('/acme/open')).find(below => below.startsWith('/-/files/')) ?? ''
  for (const [below, headers, status] of [
    [font, { range: 'bytes=0-3' }, 206],
    [font, { range: 'bytes=99999999-' }, 416],
    [font, { 'if-match': '"other"' }, 412],
    ['/-/exports/nothing.json', {}, 404],
    ['/-/exports/nothing.zip', {}, 404],
    ['/-/fonts/0123456789abcdef/nothing.woff2', {}, 404],
  ] as const) {
    const answer = await ask(`/acme/open${below}`, { headers: { origin: ORIGIN, ...headers } })
    assert.deepEqual([answer.status, corsOf(answer)], [status, READABLE], below)
  }
})

test('pages of every origin may read what a translation has from its original', async () => {
  const settings = `${guide('open', 'public')['open/project.yaml']}lang: de\ntranslationOf: open\n`
  await temporary.publishing('acme/offen', { 'offen/project.yaml': settings })
  await follow()
  for (const below of await usedElsewhere('/acme/offen')) {
    const answer = await ask(`/acme/offen${below}`)
    assert.deepEqual([answer.status, corsOf(answer)], [200, READABLE], below)
  }
})

test('pages of every origin may read the reply for each format of exports', async () => {
  for (const { file } of FORMATS) assert.deepEqual(corsOf(await ask(`/acme/open/-/exports/${file}`)), READABLE, file)
})

test('pages of other origins may read nothing else of a public guide', async () => {
  const { text } = await ask('/acme/open')
  const [mark = ''] = /\/-\/files\/[^"]+\/mark\.svg/.exec(text) ?? assert.fail()
  const values = {
    page: 'index',
    color: 'red',
    name: 'fraunces',
    pair: 'red-ink',
    list: 'kit',
    path: 'kit/fraunces.woff2',
    folder: 'kit',
    format: 'tokens.json',
    font: 'x',
    key: 'x',
    width: '320',
    filename: 'mark.svg',
    secret: 'x',
  }
  const isUsed = (below: string) => /^\/-\/(?:theme\.css|exports\/|fonts\/|current\/)/.test(below)
  const others = guideAddresses(values).filter(below => !isUsed(below))
  for (const below of [...others, mark])
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST'])
      for (const headers of [ASKING, { ...ASKING, accept: 'text/html' }])
        assert.deepEqual(corsOf(await ask(`/acme/open${below}`, { method, headers })), {}, `${method} ${below}`)
})

for (const [shown, place, asking] of [
  ['a private guide', '/acme/closed', {}],
  ['a private guide, to a person who is signed in', '/acme/closed', { headers: { cookie: session } }],
  ['a private guide, to a reader with a share link', '/acme/closed', { headers: { cookie: link } }],
  ['a private guide, to a token', '/acme/closed', { token }],
  ['the draft of a public guide', '/acme/open/-/draft', { headers: { cookie: openDraft } }],
  ['the draft of a private guide', '/acme/closed/-/draft', { headers: { cookie: closedDraft } }],
  ['the draft of a public guide, to a person', '/acme/open/-/draft', { headers: { cookie: session } }],
  ['a revision, to a person who manages it', '/acme/open/-/manage/revision/1', { headers: { cookie: manager } }],
  ['an unknown guide', '/acme/nothing', {}],
] as const)
  test(`pages of other origins may read nothing of ${shown}`, async () => {
    const isSeen = Object.keys(asking).length > 0
    const own = isSeen ? await usedElsewhere(place, asking) : (await usedElsewhere('/acme/open')).slice(0, -2)
    for (const below of own)
      for (const method of ['GET', 'HEAD', 'OPTIONS'])
        for (const from of [ORIGIN, 'null', URL_OF_SERVICE]) {
          const headers = { ...ASKING, origin: from, ...('headers' in asking && asking.headers) }
          const answer = await ask(place + below, { ...asking, method, headers })
          const status = method === 'OPTIONS' ? 204 : isSeen ? 200 : 404
          assert.deepEqual([answer.status, corsOf(answer)], [status, {}], `${method} ${below}`)
          const etag = answer.headers.get('etag')
          if (etag === null) continue
          const again = await ask(place + below, { ...asking, method, headers: { ...headers, 'if-none-match': etag } })
          assert.deepEqual([again.status, corsOf(again)], [304, {}], `${method} ${below}`)
        }
  })

test('a guide that becomes private is closed to pages of other origins at once, and also the fonts of earlier addresses', async () => {
  await temporary.publishing('acme/turning', guide('turning', 'public'))
  await follow()
  const before = new Map<string, Answer>()
  for (const below of await usedElsewhere('/acme/turning')) {
    before.set(below, await ask(`/acme/turning${below}`, { headers: { origin: ORIGIN } }))
    assert.deepEqual(corsOf(before.get(below) ?? assert.fail()), READABLE)
  }
  await temporary.publishing('acme/turning', guide('turning', 'private'))
  await follow()
  for (const [below, { headers }] of before) {
    const etag = headers.get('etag') ?? ''
    for (const cookie of ['', session])
      for (const more of [{}, { 'if-none-match': etag }, { range: 'bytes=0-1' }]) {
        const answer = await ask(`/acme/turning${below}`, { headers: { origin: ORIGIN, cookie, ...more } })
        assert.deepEqual(corsOf(answer), {}, below)
      }
    assert.deepEqual(corsOf(await ask(`/acme/turning${below}`, { method: 'OPTIONS', headers: ASKING })), {}, below)
  }
})

test('a public guide gives a configured origin the same reply as each other origin', async () => {
  const { ask: askConfigured } = await testService(temporary, { cors: ['https://app.example'] })
  for (const below of await usedElsewhere('/acme/open'))
    for (const origin of ['https://app.example', ORIGIN]) {
      const answer = await askConfigured(`/acme/open${below}`, { headers: { origin } })
      assert.deepEqual(corsOf(answer), READABLE, below)
      assert.doesNotMatch(answer.headers.get('vary') ?? '', /Origin/)
    }
})

test('in dev, pages of other origins may read nothing, because content is not published yet', async t => {
  const { service: answer, close } = await openService({
    settings: DEFAULT_SETTINGS,
    store: temporary.store,
    log: silent,
    metrics: openMetrics(),
    publicUrl: URL_OF_SERVICE,
    clock: Date.now,
    ticks: Date.now,
    isLive: true,
    texts: openTextEditor(),
  })
  t.after(close)
  for (const below of await usedElsewhere('/acme/open'))
    for (const method of ['GET', 'OPTIONS']) {
      const request = { method, query: '', headers: ASKING, authorizations: 0, address: '127.0.0.1' }
      const { status, headers, added = [] } = await answer({ ...request, path: `/acme/open${below}` })
      assert.ok(status < 300, below)
      assert.deepEqual(corsOf({ headers: fieldsOf([...headers, ...added]) }), {}, below)
    }
})

test('at the hosts of a public guide and of its workspace, pages of every origin may read the same', async () => {
  await addHosts(temporary, { 'open.test': 'acme/open', 'closed.test': 'acme/closed', 'all.test': 'acme' })
  const { ask: askHosts } = await testService(temporary)
  const font = (await usedElsewhere('/acme/open')).find(below => below.startsWith('/-/files/')) ?? ''
  for (const [host, place, readable] of [
    ['open.test', '', READABLE],
    ['all.test', '/open', READABLE],
    ['closed.test', '', {}],
    ['all.test', '/closed', {}],
  ] as const) {
    const { text, status } = await askHosts(`${place}/-/theme.css`, { headers: { host } })
    const fonts = Array.from(text.matchAll(/url\("?(\/[^")]+)/g), ([, path = '']) => path)
    const isOpen = readable === READABLE
    assert.deepEqual([status, fonts.length > 0], isOpen ? [200, true] : [404, false], host)
    const below = ['/-/theme.css', '/-/exports/tokens.json', '/-/exports/fonts.css', '/-/exports/palette.zip', font]
    for (const path of [...below.map(each => place + each), ...fonts]) {
      const answer = await askHosts(path, { headers: { ...ASKING, host } })
      const found = isOpen ? 200 : 404
      assert.deepEqual([answer.status, corsOf(answer)], [found, readable], `${host}${path}`)
      const preflight = await askHosts(path, { method: 'OPTIONS', headers: { ...ASKING, host } })
      assert.deepEqual(corsOf(preflight), isOpen ? PREFLIGHT : {}, `${host}${path}`)
    }
  }
  // Programs ask at the old address too, and are not redirected.
  for (const below of ['/-/theme.css', '/-/exports/tokens.json', font]) {
    const answer = await askHosts(`/acme/open${below}`)
    assert.deepEqual([answer.status, corsOf(answer)], [200, READABLE], below)
  }
  const discovery = await askHosts('/.well-known/brand.json', { headers: { host: 'open.test' } })
  assert.deepEqual([discovery.status, corsOf(discovery)], [200, READABLE])
  const hidden = await askHosts('/.well-known/brand.json', { headers: { ...ASKING, host: 'closed.test' } })
  assert.deepEqual([hidden.status, corsOf(hidden)], [404, {}])
})
