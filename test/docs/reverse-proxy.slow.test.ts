import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { type RequestOptions, request } from 'node:https'
import { join } from 'node:path'
import test from 'node:test'
import { promisify } from 'node:util'
import { freePort } from '../support/free-port.ts'
import { localServer } from '../support/local-server.ts'
import { needs, pathOf } from '../support/programs.ts'
import { runningService, silent } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { publishedStore, resultOf, SMALL_BRAND, type TemporaryStore } from '../support/temporary-store.ts'
import { until } from '../support/until.ts'
import { blocksOf } from './blocks.ts'

/**
 * Starts a page's nginx in front of a service, on a free port and with its own certificate. `logged` returns its error
 * and access logs, which are on by default.
 */
async function startNginx(
  { folder, beforeEnd }: Pick<TemporaryStore, 'folder' | 'beforeEnd'>,
  servicePort: number,
  page = 'docs/reverse-proxy.md',
) {
  const port = await freePort()
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1']
  await promisify(execFile)('openssl', [...made, '-subj', '/CN=brand.test', '-keyout', key, '-out', certificate])
  const text = readFileSync(new URL(`../../${page}`, import.meta.url), 'utf8')
  const [sample] = blocksOf(text).filter(({ language }) => language === 'nginx')
  const own = (sample?.text ?? assert.fail('the page has no nginx block'))
    .replace(
      /listen (?:443 ssl|8080);/,
      `listen 127.0.0.1:${port} ssl; ssl_certificate ${certificate}; ssl_certificate_key ${key};`,
    )
    .replace('/var/log/nginx/access.log', join(folder, 'access.log'))
    .replaceAll(/127\.0\.0\.1:408[012]\b/g, `127.0.0.1:${servicePort}`)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    name => `${name}_temp_path ${folder}/${name};`,
  )
  const [log, accessLog] = [join(folder, 'nginx.log'), join(folder, 'access.log')]
  const http = `http { ${temporary.join(' ')} ${own} }`
  const configuration = join(folder, 'nginx.conf')
  await writeFile(configuration, `daemon off; master_process off; pid ${folder}/nginx.pid; events {} ${http}`)
  const child = spawn(pathOf('nginx') ?? '', ['-e', log, '-c', configuration], { stdio: 'inherit' })
  const ended = once(child, 'exit')
  beforeEnd(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return { port, logged: () => Promise.all([log, accessLog].map(path => readFile(path, 'utf8'))) }
}

type RequestDetails = Pick<RequestOptions, 'localAddress' | 'method' | 'headers'> & { body?: string | Buffer }

async function ask(port: number, path: string, { body, ...details }: RequestDetails = {}) {
  const sent = request({ host: '127.0.0.1', port, path, rejectUnauthorized: false, agent: false, ...details })
  sent.end(body)
  const [reply] = await once(sent, 'response')
  let text = ''
  for await (const chunk of reply.setEncoding('utf8')) text += chunk
  return { status: Number(reply.statusCode), headers: reply.headers, text }
}

/** Retries until nginx answers. */
async function untilReady(port: number): Promise<void> {
  for (let left = 1200; ; left--) {
    const isUp = await ask(port, '/healthz').then(
      () => true,
      error => left === 0 && Promise.reject(error),
    )
    if (isUp) return
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}

test('behind the nginx of the documentation, the service sees real clients', needs('nginx', 'openssl'), async () => {
  const temporary = await publishedStore('acme/guidelines', SMALL_BRAND)
  await temporary.publish('acme/empty')
  const { pathname } = new URL((await resultOf(temporary.folder, ['share', 'acme/empty'])).url)
  const events: object[] = []
  const log = { ...silent, info: (event: object) => events.push(event) }
  const service = await runningService(temporary, { trustedProxies: '127.0.0.1' }, log)
  const { port, logged } = await startNginx(temporary, service.port)
  await untilReady(port)

  const made = {
    'x-forwarded-for': '198.51.100.1',
    forwarded: 'for=198.51.100.2;proto=http',
    'x-forwarded-host': 'evil.test',
  }
  const refused = await ask(port, '/beta/workspace/acme', { localAddress: '127.0.0.2', headers: made })
  assert.equal(refused.status, 401)
  assert.doesNotMatch(refused.text, /evil/)
  assert.deepEqual(events.at(-1), { event: 'token-refused', reason: 'no-credentials', address: '127.0.0.2' })

  const shared = await ask(port, pathname, { headers: { 'x-forwarded-proto': 'http', host: 'evil.test' } })
  assert.equal(shared.status, 303)
  assert.match(shared.headers['set-cookie']?.[0] ?? '', /^__Secure-.*; Secure/)
  assert.equal(shared.headers.location, '/acme/empty')

  const { token } = await temporary.issue('acme')
  const page = '/beta/workspace/acme/project/guidelines/page/logo%2Fmisuse'
  assert.equal((await ask(port, page, { headers: { authorization: `Bearer ${token}` } })).status, 200)
  for (const path of ['/metrics', '/readyz', '/readyz?verbose']) assert.equal((await ask(port, path)).status, 404)

  const client = await resultOf(temporary.folder, ['client', 'create', 'acme'])
  const post = (localAddress: string, secret: string) => {
    const body = `grant_type=client_credentials&client_id=${client.client_id}&client_secret=${secret}`
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    return ask(port, '/oauth/token', { method: 'POST', localAddress, headers, body })
  }
  const flood = await Promise.all(Array.from({ length: 60 }, () => post('127.0.0.3', 'wrong')))
  const statuses = flood.map(({ status }) => status)
  assert.deepEqual(new Set(statuses), new Set([401, 429]))
  assert.ok(events.filter(event => 'address' in event && event.address === '127.0.0.3').length < 60)
  assert.equal((await post('127.0.0.4', client.client_secret)).status, 200)

  await service.stop()
  assert.equal((await ask(port, pathname)).status, 502)
  assert.equal((await ask(port, '/acme')).status, 502)
  await until(async () => (await logged()).every(text => text.includes('GET /acme ')))
  for (const text of await logged()) {
    assert.match(text, /GET \/acme /)
    assert.doesNotMatch(text, /-\/share\//)
  }
})

const SECRET_PATHS = [
  '/acme/guide/-/share/hunter2',
  '/acme/guide/-/draft/-/%73hare/hunter2',
  '/-/signed-in?code=hunter2&state=hunter2',
  '/-/signin?return=%2Facme%2Fguide%2F-%2Fshare%2Fhunter2',
  '/oauth/authorize?client_id=a&state=hunter2',
  '/acme/guide/-/consent/1?code=hunter2',
]

for (const page of ['docs/reverse-proxy.md', 'docs/several-nodes.md'])
  test(`the nginx of ${page} takes webhooks of 25 MiB, and logs no secret`, needs('nginx', 'openssl'), async t => {
    const folder = await temporaryFolder()
    const { url, stop } = await localServer((request, response) => {
      request.resume().on('end', () => response.writeHead(202).end())
    })
    const beforeEnd = (end: () => Promise<void>) => t.after(end)
    const { port, logged } = await startNginx({ folder, beforeEnd }, Number(new URL(url).port), page)
    await untilReady(port)
    const push = async (size: number) =>
      (await ask(port, '/hooks/git', { method: 'POST', body: Buffer.alloc(size) })).status
    assert.deepEqual([await push(25 << 20), await push((25 << 20) + 1)], [202, 413])
    const referer = 'https://brand.example.com/acme/guide/-/share/hunter2'
    assert.equal((await ask(port, '/acme?access_token=hunter2', { headers: { referer } })).status, 202)
    for (const path of SECRET_PATHS) assert.equal((await ask(port, path)).status, 202)
    await stop()
    for (const path of [...SECRET_PATHS, '/acme/guide']) assert.equal((await ask(port, path)).status, 502)
    await until(async () => (await logged()).every(text => text.includes('GET /acme/guide ')))
    for (const text of await logged()) assert.doesNotMatch(text, /hunter2/)
  })

for (const page of ['docs/reverse-proxy.md', 'docs/several-nodes.md'])
  test(`the nginx of ${page} sends HSTS at every location over https`, needs('nginx', 'openssl'), async () => {
    const { folder, beforeEnd } = await publishedStore('acme/guidelines', SMALL_BRAND)
    const { port } = await startNginx({ folder, beforeEnd }, await freePort(), page)
    await untilReady(port)
    for (const path of ['/', '/metrics', '/readyz', '/a/b/-/share/x', '/hooks/git', '/oauth/token', '/mcp']) {
      const { headers } = await ask(port, path)
      assert.equal(headers['strict-transport-security'], 'max-age=31536000', path)
    }
  })
