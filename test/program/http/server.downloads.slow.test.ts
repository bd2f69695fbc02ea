import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync, readlinkSync } from 'node:fs'
import { rm, truncate } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { listen } from '#program/http/server.ts'
import { peakMegabytes, serve } from '../../support/command.ts'
import { runningService, silent } from '../../support/service.ts'
import { exchange, requestText } from '../../support/socket.ts'
import { temporaryStore } from '../../support/temporary-store.ts'
import { until } from '../../support/until.ts'

const MEBIBYTE = 1 << 20
const SIZE = 64 * MEBIBYTE
const temporary = await temporaryStore()
await temporary.importing('acme', {
  'brand/project.yaml': 'visibility: public\n',
  'brand/files/large.bin': Buffer.alloc(SIZE, 'large'),
  'brand/files/other.bin': Buffer.alloc(MEBIBYTE, 'other'),
})
await temporary.importing('acme', {
  'frail/project.yaml': 'visibility: public\n',
  'frail/files/frail.bin': 'frail'.repeat(9999),
})
for (const place of ['acme/brand', 'acme/frail']) await temporary.publish(place)
const { token } = await temporary.issue('acme')
const errors: unknown[] = []
const { url, port } = await runningService(temporary, {}, { ...silent, error: context => errors.push(context) })
const large = await targetOf('brand', 'large.bin')
const RANGES = 'Range: bytes=0-30000000,40000000-'
const archive = '/acme/brand/-/files.zip'

type Listed = { filename: string; url: string }

async function targetOf(project: string, name: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}` }
  const reply = await fetch(`${url}/beta/workspace/acme/project/${project}/files`, { headers })
  const { files }: { files: Listed[] } = JSON.parse(await reply.text())
  return new URL(files.find(({ filename }) => filename === name)?.url ?? '').pathname
}

/** Counts the files of the store that this process has open. */
function openFiles(): number {
  return readdirSync('/proc/self/fd').filter(fd => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(join(temporary.data, 'files'))
    } catch {
      return false
    }
  }).length
}

async function sendRequest(at: number, target: string, fields: readonly string[] = []): Promise<Socket> {
  const socket = connect({ port: at, host: '127.0.0.1' })
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write(requestText(`GET ${target}`, fields))
  return socket
}

for (const [what, target, fields] of [
  ['a file', large, []],
  ['several parts of a file', large, [RANGES]],
  ['an archive', archive, []],
] as const)
  test(`clients that disconnect while they receive ${what} leave no open file and no error`, async () => {
    for (const waits of [0, 1, 2, 3, 5, 30]) {
      const sockets = await Promise.all(Array.from({ length: 5 }, () => sendRequest(port, target, fields)))
      await sleep(waits)
      for (const [index, socket] of sockets.entries()) index % 2 === 0 ? socket.destroy() : socket.resetAndDestroy()
    }
    const reading = await sendRequest(port, target, fields)
    await once(reading, 'data')
    assert.ok(openFiles() > 0)
    reading.destroy()
    await until(() => openFiles() === 0)
    assert.deepEqual(errors, [])
  })

test('all bytes of a large file, of parts of it and of an archive arrive, and all files are closed', async () => {
  for (const [target, headers, least] of [
    [large, {}, SIZE],
    [large, { range: 'bytes=0-30000000,40000000-' }, SIZE - 10_000_000],
    [archive, {}, SIZE + MEBIBYTE],
  ] as const) {
    const reply = await fetch(url + target, { headers })
    let length = 0
    for await (const chunk of reply.body ?? []) length += chunk.length
    assert.equal(length, Number(reply.headers.get('content-length')))
    assert.ok(length >= least)
  }
  await until(() => openFiles() === 0)
})

test('downloads by one fast client and twenty that do not read take less than 50 MB in total', async () => {
  const service = await serve(join(import.meta.dirname, '../../../bin/housestyle.js'), '--data', temporary.data)
  try {
    const downloads = async () => {
      for (const target of [large, archive]) {
        const reply = await fetch(service.url + target)
        let length = 0
        for await (const chunk of reply.body ?? []) length += chunk.length
        assert.equal(length, Number(reply.headers.get('content-length')))
      }
    }
    for (const path of ['/acme/brand', '/acme/brand/-/search?q=large'])
      await until(async () => {
        const reply = await fetch(service.url + path)
        await reply.arrayBuffer()
        return reply.status === 200
      })
    await downloads()
    const before = await settledPeak(service.pid)
    const still = await Promise.all(
      Array.from({ length: 20 }, (_, at) => sendRequest(Number(new URL(service.url).port), at % 2 ? large : archive)),
    )
    await downloads()
    const growth = peakMegabytes(service.pid) - before
    for (const socket of still) socket.destroy()
    assert.ok(growth < 50, `${growth} MB`)
  } finally {
    await service.stop()
  }
})

/** The peak of a service in megabytes once it has loaded its code and prepared its guides. */
async function settledPeak(pid: number): Promise<number> {
  for (let peak = 0; ; ) {
    const latest = peakMegabytes(pid)
    if (latest - peak < 1) return latest
    peak = latest
    await sleep(2000)
  }
}

test('pipelined downloads on one connection are opened one at a time, and each arrives complete', async t => {
  const [count, length] = [100, 1 << 17]
  let [waiting, open, maxAtOnce] = [0, 0, 0]
  const body = {
    length,
    admit: async () => {
      waiting++
      maxAtOnce = Math.max(maxAtOnce, waiting)
      return undefined
    },
    chunks: async function* () {
      open++
      maxAtOnce = Math.max(maxAtOnce, open)
      try {
        for (let at = 0; at < 16; at++) yield new Uint8Array(length / 16)
      } finally {
        open--
        waiting--
      }
    },
  }
  const server = await listen({ host: '127.0.0.1', port: 0, log: silent, observe: () => undefined })
  t.after(() => server.stop())
  server.answerWith(() => ({ status: 200, headers: [], body }), 'http://brand.test')
  const replies = await exchange(server.port, requestText('GET /').repeat(count))
  const seen = replies.map(({ status, body }) => [status, body.length])
  assert.deepEqual(seen, Array(count).fill([200, length]))
  assert.equal(maxAtOnce, 1)
  assert.deepEqual([waiting, open], [0, 0])
})

test('a connection is read only as fast as its requests are answered, and all of them are answered', async t => {
  const gate = Promise.withResolvers<void>()
  let asked = 0
  const server = await listen({ host: '127.0.0.1', port: 0, log: silent, observe: () => undefined })
  t.after(() => server.stop())
  server.answerWith(async ({ path, body = new Uint8Array() }) => {
    if (path === '/now') return { status: 204, headers: [], body: undefined }
    asked++
    await gate.promise
    return { status: 200, headers: [], body }
  }, 'http://brand.test')
  const [count, sent] = [2000, 'x'.repeat(1000)]
  const asking = exchange(server.port, requestText('POST /', ['Content-Length: 1000'], sent).repeat(count))
  for (let before = -1; asked === 0 || asked !== before; ) {
    before = asked
    for (let turn = 0; turn < 20; turn++) await exchange(server.port, requestText('GET /now', ['Connection: close']))
  }
  // Busy machines read more at a time.
  assert.ok(asked < count / 2, `${asked}`)
  gate.resolve()
  assert.equal((await asking).filter(({ body }) => body === sent).length, count)
})

test('a slow client is served to the end; a client that stops reading is dropped and its file closed', async t => {
  let open = 0
  const body = {
    length: 32 * MEBIBYTE,
    chunks: async function* () {
      open++
      try {
        for (let at = 0; at < 512; at++) yield new Uint8Array(1 << 16)
      } finally {
        open--
      }
    },
  }
  const server = await listen({
    host: '127.0.0.1',
    port: 0,
    log: silent,
    observe: () => undefined,
    limits: { stallMs: 2000 },
  })
  t.after(() => server.stop())
  server.answerWith(() => ({ status: 200, headers: [], body }), 'http://brand.test')
  const still = await sendRequest(server.port, '/')
  const slow = await sendRequest(server.port, '/', ['Connection: close'])
  let read = 0
  slow.on('data', (bytes: Buffer) => {
    read += bytes.length
    slow.pause()
    setTimeout(() => slow.resume(), 5)
  })
  await once(slow, 'end')
  assert.ok(read > body.length)
  await until(() => open === 0)
  still.resume()
  await once(still, 'close')
})

test('a file that was shortened, lengthened or removed gets 503, and so does an archive of it', async () => {
  const frail = await targetOf('frail', 'frail.bin')
  const hash = (await fetch(url + frail, { method: 'HEAD' })).headers.get('etag')?.slice(1, -1) ?? ''
  const path = join(temporary.data, 'files/acme', hash.slice(0, 2), hash)
  for (const change of [() => truncate(path, 60_000), () => truncate(path, 1000), () => rm(path)]) {
    await change()
    for (const target of [frail, '/acme/frail/-/files.zip']) {
      const reply = await fetch(url + target)
      assert.deepEqual([reply.status, reply.headers.get('cache-control')], [503, 'no-store'])
      assert.equal(JSON.parse(await reply.text()).error, 'temporarily_unavailable')
    }
  }
})
