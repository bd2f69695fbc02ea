import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import test from 'node:test'
import { gzipSync } from 'node:zlib'
import { download } from '../../client/src/download.ts'
import { until } from '../support/until.ts'
import { scriptedServer, testPlatform } from './platform.ts'

const FILE = randomBytes(300_000)
const ETAG = '"one"'

/** Sends the requested part of a file, or cuts the connection after `limit` bytes. */
function sendFile(request: IncomingMessage, response: ServerResponse, limit = Number.POSITIVE_INFINITY): void {
  const { range, 'if-range': condition } = request.headers
  const start = condition === ETAG ? Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0) : 0
  const part = FILE.subarray(start)
  if (start > 0) response.setHeader('content-range', `bytes ${start}-${FILE.length - 1}/${FILE.length}`)
  response.writeHead(start > 0 ? 206 : 200, { etag: ETAG, 'content-length': part.length, 'content-type': 'font/woff2' })
  if (part.length <= limit) response.end(part)
  else response.write(part.subarray(0, limit), () => setTimeout(() => response.destroy(), 20))
}

async function bytesOf(response: Promise<Response>): Promise<Buffer> {
  return Buffer.from(await (await response).arrayBuffer())
}

test('a download continues after each lost connection, and has the header fields of the file', async () => {
  const { url, requests } = await scriptedServer((response, request, count) =>
    sendFile(request, response, count < 6 ? 50_000 : undefined),
  )
  const response = await download(testPlatform(), { url }, undefined)
  assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'font/woff2'])
  assert.ok(FILE.equals(await bytesOf(Promise.resolve(response))))
  assert.equal(requests.length, 6)
  for (const { headers } of requests) assert.equal(headers.authorization, undefined)
  for (const { headers } of requests.slice(1)) assert.equal(headers['if-range'], ETAG)
})

test('a download that receives nothing four times in a row fails', async () => {
  const platform = testPlatform()
  const { url, requests } = await scriptedServer((response, request, count) =>
    sendFile(request, response, count === 1 ? 50_000 : 0),
  )
  await assert.rejects(bytesOf(download(platform, url, undefined)), { code: 'network_error' })
  assert.equal(requests.length, 4)
  assert.deepEqual(platform.pauses, [375, 750, 1500])
})

test('a download that pauses for longer than the time limit continues with a new request', async () => {
  const { url, requests } = await scriptedServer((response, request, count) => {
    if (count > 1) return sendFile(request, response)
    response.writeHead(200, { etag: ETAG, 'content-length': FILE.length }).write(FILE.subarray(0, 1000))
  })
  assert.ok(FILE.equals(await bytesOf(download(testPlatform(500), url, undefined))))
  assert.equal(requests[1]?.headers.range, 'bytes=1000-')
})

test('a download whose file has changed fails', async () => {
  const { url } = await scriptedServer((response, request, count) =>
    count === 1 ? sendFile(request, response, 1000) : response.writeHead(200, { etag: '"two"' }).end(FILE),
  )
  await assert.rejects(bytesOf(download(testPlatform(), url, undefined)), { code: 'content_changed' })
})

test('a download without a strong ETag does not continue', async () => {
  for (const etag of [[], ['etag', 'W/"one"']]) {
    const { url, requests } = await scriptedServer(response =>
      response.writeHead(200, ['content-length', '9', ...etag]).write('half', () => response.destroy()),
    )
    await assert.rejects(bytesOf(download(testPlatform(), url, undefined)), { code: 'network_error' })
    assert.equal(requests.length, 1)
  }
})

test('a download from a service without ranges, or with a content coding, skips the bytes that it has', async () => {
  const coded = gzipSync(FILE)
  for (const [body, coding] of [
    [FILE, []],
    [coded, ['content-encoding', 'gzip']],
  ] as const) {
    const { url, requests } = await scriptedServer((response, _, count) => {
      response.writeHead(200, ['etag', ETAG, 'content-length', `${body.length}`, ...coding])
      if (count > 1) response.end(body)
      else response.write(body.subarray(0, 100_000), () => setTimeout(() => response.destroy(), 20))
    })
    const response = await download(testPlatform(), { url, size: FILE.length }, undefined)
    assert.equal(response.headers.get('content-encoding'), null)
    assert.ok(FILE.equals(await bytesOf(Promise.resolve(response))))
    assert.equal(requests.length, 2)
  }
})

test('a missing file is an error, and a busy service is asked again', async () => {
  const { url } = await scriptedServer((response, request, count) => {
    if (count === 1) response.writeHead(503).end()
    else if (count === 2) sendFile(request, response)
    else response.writeHead(404).end()
  })
  assert.ok(FILE.equals(await bytesOf(download(testPlatform(), new URL(url), undefined))))
  await assert.rejects(download(testPlatform(), url, undefined), { status: 404 })
})

test('an aborted or cancelled download ends its connection, and a slow reader slows it', async () => {
  let [closed, sent] = [0, 0]
  const { url } = await scriptedServer(response => {
    const more = () => {
      for (let isReady = true; isReady && sent < 1 << 28; sent += 1 << 20)
        isReady = response.write(Buffer.alloc(1 << 20))
    }
    response.on('drain', more).on('close', () => closed++)
    more()
  })
  const controller = new AbortController()
  const [one, two] = await Promise.all([0, 1].map(() => download(testPlatform(), url, controller.signal)))
  const reader = one?.body?.getReader()
  await reader?.read()
  assert.ok(sent < 1 << 28, `${sent} bytes were sent`)
  controller.abort(new Error('left'))
  await assert.rejects(async () => reader?.read(), { message: 'left' })
  await assert.rejects(async () => two?.bytes(), { message: 'left' })
  await until(() => closed === 2)

  const { body } = await download(testPlatform(), url, undefined)
  await body?.cancel()
  await until(() => closed === 3)
})
