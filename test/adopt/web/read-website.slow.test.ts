import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import type { Report } from '#adopt/report/report.ts'
import { readWebsite } from '#adopt/web/read-website.ts'
import { withoutEmpty } from '#test/adopt/page-facts.ts'
import { housestyle } from '#test/program/cli/housestyle.ts'
import { golden } from '#test/support/golden.ts'
import { localServer } from '#test/support/local-server.ts'
import { temporaryFolder } from '#test/support/temporary.ts'
import { kindOf } from '../page-facts.ts'

type Served = {
  type?: string
  status?: number
  location?: string
  retryAfter?: string
  body?: string
  /** The size of the body, with spaces at its end. */
  bytes?: number
  encoding?: BufferEncoding
  waitMs?: number
  /** Called at each request. */
  seen?: () => void
  isSilent?: boolean
}
type Site = Readonly<Record<string, string | Served>>

/** Serves replies by path; a text is the content of a page. Notes the requests. */
async function serve(site: Site) {
  const requests: string[] = []
  const { url } = await localServer(({ method, headers, url: path = '' }, response) => {
    requests.push(`${method} ${path}`)
    const found = site[path] ?? site[path.replace(/\?.*/, '')] ?? { status: 404 }
    const served: Served = typeof found === 'string' ? { body: pageWith(found) } : found
    served.seen?.()
    if (served.isSilent) return
    const { type = 'text/html; charset=utf-8', status = 200, location, retryAfter, waitMs = 0 } = served
    const body = (served.body ?? '').replaceAll('SITE', `http://${headers.host}`).padEnd(served.bytes ?? 0)
    response.writeHead(status, {
      'content-type': type,
      ...(location !== undefined && { location }),
      ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
    })
    const end = () => response.end(body, served.encoding ?? 'utf8')
    if (waitMs === 0) end()
    else setTimeout(end, waitMs)
  })
  return { url, requests }
}

const pageWith = (content: string) => `<html lang="en"><body><main>${content}</main></body></html>`
const page = (title: string, content = '') => `<h1>${title}</h1><p>Text.</p>${content}`
const file = (body: string, type: string) => ({ body, type })
const links = (paths: readonly string[]) => paths.map(path => `<a href="${path}">${path}</a>`).join(' ')

async function adopted(cwd: string, ...args: string[]): Promise<Report> {
  const { status, stdout, stderr } = await housestyle(['init', 'brand', ...args, '--json'], { cwd })
  assert.equal(status, 0, stderr)
  return JSON.parse(stdout)
}

function textOf(cwd: string, path: string): string {
  return readFileSync(join(cwd, 'brand/guidelines', path), 'utf8')
}

test('files have one order, whichever page arrives first', async () => {
  const orders: (string[] | null)[] = []
  for (const slow of ['/ink', '/paper']) {
    const shown = (name: string) => ({
      body: pageWith(page(name, `<img src="/${name}.png" alt="The ${name}">`)),
      waitMs: slow === `/${name}` ? 200 : 0,
    })
    const { url } = await serve({
      '/': page('Home', '<a href="/ink">Ink</a> <a href="/paper">Paper</a>'),
      '/ink': shown('ink'),
      '/paper': shown('paper'),
      '/ink.png': file('PNG 1', 'image/png'),
      '/paper.png': file('PNG 2', 'image/png'),
    })
    const cwd = await temporaryFolder()
    await adopted(cwd, '--from', url)
    orders.push(textOf(cwd, 'files/files.yaml').match(/^\w+\.png/gm))
  }
  assert.deepEqual(orders, [
    ['ink.png', 'paper.png'],
    ['ink.png', 'paper.png'],
  ])
})

test('robots.txt is asked first, each page once, and sitemaps that an index names are read', async () => {
  const { url, requests } = await serve({
    '/': page('Home'),
    '/robots.txt': file('Sitemap: SITE/index.xml\n', 'text/plain'),
    '/index.xml': file('<sitemapindex><sitemap><loc>SITE/pages.xml</loc></sitemap></sitemapindex>', 'text/xml'),
    '/pages.xml': file('<urlset><url><loc><![CDATA[SITE/logo]]></loc></url></urlset>', 'text/xml'),
    '/logo': page('Logo'),
  })
  const { placed } = await adopted(await temporaryFolder(), '--from', url)
  const seen = placed.map(({ from }) => from)
  assert.deepEqual(seen, [`${url}/`, `${url}/logo`])
  const asked = ['/robots.txt', '/', '/sitemap.xml', '/index.xml', '/pages.xml', '/logo']
  assert.deepEqual(
    requests,
    asked.map(path => `GET ${path}`),
  )
  const closed = await serve({ '/': page('Home'), '/robots.txt': file('User-agent: *\nDisallow: /\n', 'text/plain') })
  const from = closed.url.replace('//', '//user:secret@')
  const { status, stderr } = await housestyle(['init', 'brand', '--from', from], { cwd: await temporaryFolder() })
  assert.deepEqual([status, closed.requests], [1, ['GET /robots.txt']])
  assert.ok(stderr.includes(`${closed.url}/: robots.txt forbids it`), stderr)
})

test('a limit that is met is told with the option that raises it, and calendars without end stop', async () => {
  const days = Object.fromEntries(
    Array.from({ length: 200 }, (_, at) => [`/day/${at}`, page(`Day ${at}`, `<a href="/day/${at + 1}">Next</a>`)]),
  )
  const { url } = await serve({ '/': page('Home', '<a href="/day/0">Today</a>'), ...days })
  const few = await adopted(await temporaryFolder(), '--from', url, '--max-pages', '3')
  assert.equal(few.placed.length, 3)
  assert.deepEqual(few.leftOut, [{ path: `${url}/day/2`, reason: 'more than 3 pages: raise --max-pages' }])
  const endless = await adopted(await temporaryFolder(), '--from', url)
  assert.equal(endless.placed.length, 101)
  assert.match(endless.leftOut[0]?.reason ?? '', /^more than 100 pages differ only in numbers/)
  const small = await adopted(await temporaryFolder(), '--from', url, '--max-size', '10B')
  assert.deepEqual(small.leftOut, [
    { path: `${url}/day/0`, reason: 'the site is larger than the limit: raise --max-size' },
  ])
  const wrong = await housestyle(['init', 'brand', '--from', url, '--max-size', 'big'], {
    cwd: await temporaryFolder(),
  })
  assert.equal(wrong.status, 2)
  assert.match(wrong.stderr, /--max-size takes a size, as in 1GiB/)
})

test('redirects and repeats that bring nothing share a budget of 60, and each waits at least 150 ms', async t => {
  const clock = mockedClock(t)
  const moved = Array.from({ length: 61 }, (_, at) => `/moved/${at}`)
  const times = new Map<string, number[]>()
  const endless = Array.from({ length: 16 }, (_, at): [string, Served] => {
    const path = `/endless/${at}`
    const seen = () => void times.set(path, [...(times.get(path) ?? []), clock.now()])
    return [path, { seen, ...(at % 2 === 0 ? { status: 302, location: path } : { status: 429 }) }]
  })
  const { url, requests } = await serve({
    '/': page('Home', links([...moved, ...endless.map(([path]) => path)])),
    ...Object.fromEntries(
      moved.flatMap((path): [string, Served | string][] => [
        [path, { status: 301, location: `${path}/` }],
        [`${path}/`, page(path)],
      ]),
    ),
    ...Object.fromEntries(endless),
  })
  const { entries, leftOut } = await read(url)
  assert.equal(entries.length, 1 + moved.length)
  assert.equal(requests.filter(each => each.startsWith('GET /endless/')).length, endless.length + 60)
  const why = 'at most 5 repeats of an address, 60 of a site, and 60 s of waiting'
  const reasons = new Set(leftOut.map(({ reason }) => reason))
  assert.deepEqual(reasons, new Set([`it answered 302: ${why}`, `it answered 429: ${why}`]))
  assert.equal(leftOut.length, endless.length)
  for (const [path, seen] of times)
    for (const [at, time] of seen.entries())
      assert.ok(at === 0 || time - (seen[at - 1] ?? 0) >= 150, `${path}: ${seen.join(', ')}`)
})

test('a reply 429 is repeated with and without a time, unless that is longer than a minute', async t => {
  mockedClock(t)
  const busy = (retryAfter?: string) => {
    const served: Served = { ...(retryAfter !== undefined && { retryAfter }) }
    let count = 0
    served.seen = () =>
      Object.assign(served, count++ === 0 ? { status: 429 } : { status: 200, body: pageWith(page('Busy')) })
    return served
  }
  const site = { '/': page('Home', links(['/plain', '/soon', '/date', '/late'])) }
  const dated = busy('Wed, 21 Oct 2026 07:28:00 GMT')
  const { url, requests } = await serve({
    ...site,
    '/plain': busy(),
    '/soon': busy('59'),
    '/date': dated,
    '/late': busy('61'),
  })
  const { entries, leftOut } = await read(url)
  assert.deepEqual(
    entries.map(({ shown }) => shown),
    ['/', '/plain', '/soon', '/date'].map(path => url + path),
  )
  const paths = leftOut.map(({ path }) => path)
  assert.deepEqual(paths, [`${url}/late`])
  assert.equal(requests.filter(each => each === 'GET /late').length, 1)
})

test('no request and no wait outlasts 30 minutes, and what is not here by then is left out', async t => {
  const clock = mockedClock(t)
  const late = 'not reached in 30 minutes: name an address below this one'
  const cases: Served[] = [
    { isSilent: true, seen: () => clock.pass(30 * 60_000) },
    { status: 429, retryAfter: '60', seen: () => clock.pass(30 * 60_000 - 30_000) },
  ]
  for (const slow of cases) {
    const { url, requests } = await serve({
      '/': page('Home', links(['/slow', '/next', '/last'])),
      '/slow': slow,
      '/next': slow,
    })
    const { entries, leftOut } = await read(url)
    const shown = entries.map(({ shown }) => shown)
    assert.deepEqual(shown, [`${url}/`])
    assert.deepEqual(
      leftOut,
      ['/slow', '/next', '/last'].map(path => ({ path: url + path, reason: late })),
    )
    assert.ok(!requests.includes('GET /last'))
    assert.equal(requests.filter(each => each === 'GET /slow').length, 1)
  }
})

test('a site that does not begin to answer within 30 s is refused', async t => {
  const clock = mockedClock(t)
  for (const path of ['/', '/robots.txt']) {
    const { url } = await serve({ '/': page('Home'), [path]: { isSilent: true, seen: () => clock.pass(30_000) } })
    await assert.rejects(read(url), {
      code: 'source_unreadable',
      message: `${url}/: there was no complete reply within 30 s, with the wait for robots.txt`,
    })
  }
})

test('a page that is too large to read is left out with its reason', async () => {
  const repeated = (count: number, text: string) => page('Large', text.repeat(count))
  const attributes = Array.from({ length: 200_000 }, (_, at) => `a${at}`).join(' ')
  const { url } = await serve({
    '/': page('Home', links(['/attributes', '/bytes', '/depth', '/elements', '/fine'])),
    '/attributes': page('Large', `<p ${attributes}>Text</p>`),
    '/bytes': repeated(1, 'x'.repeat(16 << 20)),
    '/depth': repeated(400, '<div>'),
    '/elements': repeated(50_001, '<br>'),
    '/fine': page('Fine'),
  })
  const { placed, leftOut } = await adopted(await temporaryFolder(), '--from', url)
  const seen = placed.map(({ from }) => from)
  assert.deepEqual(seen, [`${url}/`, `${url}/fine`])
  assert.deepEqual(leftOut, [
    { path: `${url}/attributes`, reason: 'has more than 100000 attributes' },
    { path: `${url}/bytes`, reason: 'larger than 16 MiB, so it is not read' },
    { path: `${url}/depth`, reason: 'has more than 300 elements inside each other' },
    { path: `${url}/elements`, reason: 'has more than 50000 elements' },
  ])
})

type Given = { site: Site; from?: string; args?: string[]; reads?: string[] }

golden('adopt/web/read-website', async ({ site, from = '', args = [], reads = [] }: Given) => {
  const { url, requests } = await serve(site)
  const cwd = await temporaryFolder()
  const { status, stdout, stderr } = await housestyle(['init', 'brand', '--from', url + from, ...args, '--json'], {
    cwd,
  })
  if (status !== 0) return { status, stderr: stderr.replaceAll(url, 'SITE'), files: readdirSync(cwd) }
  const { placed, leftOut }: Report = JSON.parse(stdout.replaceAll(url, 'SITE'))
  return withoutEmpty({
    placed: placed.map(({ from: page, to }) => `${page} → ${to}`),
    leftOut: leftOut.map(({ path, ...why }) => `${path}: ${kindOf(why.reason, why)}`),
    asked: [...new Set(requests)].sort(),
    texts: reads.map(path => textOf(cwd, path).replaceAll(url, 'SITE')),
  })
})

/** Reads a website, and converts no page. */
async function read(url: string) {
  const folder = await temporaryFolder()
  const { signal } = new AbortController()
  const limits = { label: '', maxPages: 500, maxBytes: 2 ** 30, progress: () => {} }
  return readWebsite(`${url}/`, { ...limits, folder, signal })
}

/** A fast clock for the timers of this process, except those inside Node. */
function mockedClock(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let now = 0
  const pass = (milliseconds: number) => {
    now += milliseconds
    t.mock.timers.tick(milliseconds)
  }
  const running = setInterval(() => pass(100), 1)
  t.after(() => clearInterval(running))
  return { now: () => now, pass }
}
