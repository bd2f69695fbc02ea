import assert from 'node:assert/strict'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { CHROMIUM, openPage } from '../support/browser.ts'
import { localServer } from '../support/local-server.ts'
import { runningService } from '../support/service.ts'
import { publishedStore, SMALL_BRAND } from '../support/temporary-store.ts'

/** Uses the client in a page of another origin. */
const PROGRAM = `async ({ baseUrl, redirecting, streaming, token, limited }) => {
  const { createClient } = await import('/client.js')
  const brand = createClient({ baseUrl, workspace: 'acme', token })
  const errorOf = async promise => {
    const { name, status, code, requestId, limit } = await promise.catch(error => error)
    return { name, status, code, hasRequestId: requestId !== undefined, hasLimit: limit !== undefined }
  }
  const styles = await brand.getStyles('guidelines')
  const again = await brand.getStyles('guidelines')
  const { data } = await brand.listFiles('guidelines')
  const [event] = await Array.fromAsync({ async *[Symbol.asyncIterator]() {
    for await (const event of createClient({ baseUrl: streaming, workspace: 'acme', token }).watch()) return yield event
  } })
  return {
    color: styles.data.colors[0].hex,
    revisions: [styles.revision, again.revision],
    file: await (await brand.download(data.files[0])).text(),
    forbidden: await errorOf(createClient({ baseUrl, workspace: 'acme', token: limited }).getStyles('guidelines')),
    redirected: await errorOf(createClient({ baseUrl: redirecting, workspace: 'acme', token }).getWorkspace()),
    event,
  }
}`

test('a page of another origin reads replies, files and events', CHROMIUM, async () => {
  const bundle = await rolldown({ input: fileURLToPath(new URL('../../client/src/client.ts', import.meta.url)) })
  const { output } = await bundle.generate({ format: 'esm' })
  const app = await localServer(({ url }, response) => {
    response.setHeader('content-type', url === '/client.js' ? 'text/javascript' : 'text/html')
    response.end(url === '/client.js' ? output[0].code : '<!doctype html><link rel="icon" href="data:,">')
  })
  const temporary = await publishedStore('acme/guidelines', SMALL_BRAND)
  const { url } = await runningService(temporary, { cors: app.url, rate: '600/60' })
  const { token } = await temporary.issue('acme')
  const { token: limited } = await temporary.issue('acme', { scopes: ['files.read'] })

  const stolen: unknown[] = []
  const thief = await localServer((request, response) => {
    stolen.push(request.headers.authorization)
    response.writeHead(200, { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' }).end('{}')
  })
  const allowed = {
    'access-control-allow-origin': app.url,
    'access-control-allow-headers': 'authorization, last-event-id',
  }
  const other = await localServer(({ method, url = '' }, response) => {
    if (method === 'OPTIONS') response.writeHead(204, allowed).end()
    else if (!url.startsWith('/events/')) response.writeHead(302, { ...allowed, location: thief.url }).end()
    else {
      const data = JSON.stringify({ projects: [{ project: 'guidelines', revision: 3, snapshot: 'ab' }] })
      response
        .writeHead(200, { ...allowed, 'content-type': 'text/event-stream' })
        .write(`event: state\ndata: ${data}\n\n`)
    }
  })

  const { page } = await openPage()
  const statuses: number[] = []
  page.on('response', response => {
    if (response.url().endsWith('/styles') && response.request().method() === 'GET') statuses.push(response.status())
  })
  await page.goto(app.url)
  const elsewhere = `${other.url}/beta`
  const given = { baseUrl: `${url}/beta`, redirecting: elsewhere, streaming: elsewhere, token, limited }
  assert.deepEqual(await page.evaluate(`(${PROGRAM})(${JSON.stringify(given)})`), {
    color: '#1d70b8',
    revisions: [1, 1],
    file: 'Notes.\n',
    forbidden: { name: 'HousestyleError', status: 403, code: 'access_denied', hasRequestId: true, hasLimit: true },
    redirected: { name: 'HousestyleError', status: 0, code: 'redirect', hasRequestId: false, hasLimit: false },
    event: { type: 'state', project: 'guidelines', revision: 3, snapshot: 'ab' },
  })
  assert.deepEqual(statuses, [200, 304, 403])
  assert.deepEqual(stolen, [])
})
