import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import test, { after } from 'node:test'
import { openCaches } from '#platform/caches/caches.ts'
import type { Reply, Request } from '#platform/exchange/message.ts'
import { listen } from '#program/http/server.ts'
import { filesArchive } from '#serving/downloads/archive-selection.ts'
import { type ArchiveLength, type Archives, archiveReply } from '#serving/downloads/project-archive.ts'
import { type SlotLimits, Slots } from '#serving/downloads/slots.ts'
import { openPointers } from '#serving/pointers/pointers.ts'
import { openPublications, type Publication } from '#serving/publications/publications.ts'
import { silent } from '../../support/service.ts'
import { requestText } from '../../support/socket.ts'
import { temporaryStore } from '../../support/temporary-store.ts'

const MEBIBYTE = 1 << 20
const PROJECTS = ['one', 'two', 'three']
const temporary = await temporaryStore()
const large = Buffer.alloc(32 * MEBIBYTE, 'large')
for (const project of PROJECTS) await temporary.importing('acme', { [`${project}/files/large.bin`]: large })
for (const project of PROJECTS) await temporary.publish(`acme/${project}`)
const pointers = await openPointers(temporary.store.database, openCaches())
const openPublication = openPublications(temporary.store.database, openCaches())
const LONG = 60_000
const ANY_RATE = { usual: { bytes: 1, milliseconds: LONG }, contended: { bytes: 1, milliseconds: LONG } }
const told: unknown[] = []

type Settings = { waitMs: number; rateMs: number; contendedMs?: number; perAddress?: SlotLimits['perAddress'] }

/** Effectively no limit for each address. */
const UNLIMITED = { total: 9, perProject: 9 }

/**
 * A server that sends the archive of the project in the path, at most two of one project and three in total at once.
 */
async function serving({ waitMs, rateMs, contendedMs = rateMs, perAddress = UNLIMITED }: Settings): Promise<Asking> {
  const log = { ...silent, error: (context: unknown) => told.push(context) }
  const server = await listen({ host: '127.0.0.1', port: 0, log, observe: () => undefined })
  after(() => server.stop())
  const parts = {
    files: temporary.store.files,
    publicUrl: 'http://brand.test',
    slots: new Slots({ total: 3, perProject: 2, perAddress, waitMs }),
    rates: {
      usual: { bytes: 480 << 10, milliseconds: rateMs },
      contended: { bytes: 480 << 10, milliseconds: contendedMs },
    },
    lengths: openCaches().open<ArchiveLength>('archives'),
  }
  server.answerWith(async request => {
    const publication = openPublication((await pointers.workspace('acme'))?.projects.get(request.path.slice(1)))
    assert.ok(publication)
    return archiveOf(parts, publication, request)
  }, 'http://brand.test')
  return async (project, method = 'GET', fields = [], localAddress = '127.0.0.1') => {
    const socket = connect({ port: server.port, host: '127.0.0.1', localAddress })
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    socket.write(requestText(`${method} /${project}`, ['Connection: close', ...fields]))
    return socket
  }
}

/** The reply with all files of a publication. */
async function archiveOf(parts: Archives, publication: Publication, request: Request): Promise<Reply> {
  const selection = filesArchive(publication.record.project, '')
  assert.ok(selection)
  const reply = await archiveReply(parts, publication, selection, request)
  assert.ok(reply)
  return reply
}

type Asking = (project: string, method?: string, fields?: readonly string[], localAddress?: string) => Promise<Socket>

/** Reads only the head of a reply. */
async function headOf(socket: Socket): Promise<string> {
  const [bytes]: Buffer[] = await once(socket, 'data')
  socket.pause()
  return bytes?.toString('latin1').split('\r\n\r\n')[0] ?? ''
}

async function statusOf(socket: Socket): Promise<number> {
  return Number((await headOf(socket)).slice(9, 12))
}

/** Whether a request gets a reply while another request is being answered. */
async function isWaiting(socket: Socket, ask: Asking): Promise<boolean> {
  let isAnswered = false
  socket.once('readable', () => {
    isAnswered = true
  })
  await statusOf(await ask('one', 'HEAD'))
  return !isAnswered
}

async function readToEnd(socket: Socket): Promise<number> {
  let length = 0
  socket.on('data', (bytes: Buffer) => {
    length += bytes.length
  })
  socket.resume()
  await once(socket, 'close')
  return length
}

test('at most two archives of a project and three in total are sent at once; the next client gets 503', async () => {
  const ask = await serving({ waitMs: 50, rateMs: LONG })
  const held = [await ask('one'), await ask('one')]
  for (const socket of held) assert.equal(await statusOf(socket), 200)
  const head = await headOf(await ask('one'))
  assert.match(head, /^HTTP\/1\.1 503 /)
  assert.match(head, /\r\nRetry-After: 10\r\n/)
  held.push(await ask('two'))
  assert.equal(await statusOf(held.at(-1) ?? assert.fail()), 200)
  assert.equal(await statusOf(await ask('three')), 503)
  for (const socket of held) socket.destroy()
})

for (const [how, end] of [
  ['reads it to its end', async (socket: Socket) => assert.ok((await readToEnd(socket)) > 30 * MEBIBYTE)],
  ['goes away', async (socket: Socket) => void socket.destroy()],
  ['breaks off', async (socket: Socket) => void socket.resetAndDestroy()],
] as const)
  test(`a waiting client gets an archive as soon as another client ${how}`, async () => {
    const ask = await serving({ waitMs: LONG, rateMs: LONG })
    const held = [await ask('one'), await ask('one')]
    for (const socket of held) assert.equal(await statusOf(socket), 200)
    const next = await ask('one')
    assert.ok(await isWaiting(next, ask))
    const [first] = held
    if (first) await end(first)
    assert.equal(await statusOf(next), 200)
    for (const socket of [...held, next]) socket.destroy()
  })

test('HEAD and 304 replies take no slot', async () => {
  const ask = await serving({ waitMs: 50, rateMs: LONG })
  const etag = /\r\nETag: (.*)\r\n/.exec(await headOf(await ask('one', 'HEAD')))?.[1] ?? assert.fail()
  for (let round = 0; round < 4; round++) {
    assert.equal(await statusOf(await ask('one', 'HEAD')), 200)
    assert.equal(await statusOf(await ask('one', 'GET', [`If-None-Match: ${etag}`])), 304)
  }
  const held = [await ask('one'), await ask('one')]
  for (const socket of held) assert.equal(await statusOf(socket), 200)
  assert.equal(await statusOf(await ask('one', 'HEAD')), 200)
  for (const socket of held) socket.destroy()
})

test('a client that stops reading an archive is dropped and frees its slot; a reading client gets the whole archive', async () => {
  const ask = await serving({ waitMs: LONG, rateMs: 1000 })
  const still = [await ask('one'), await ask('one')]
  for (const socket of still) assert.equal(await statusOf(socket), 200)
  const next = await ask('one')
  assert.ok((await readToEnd(next)) > 32 * MEBIBYTE)
  await new Promise(resolve => setTimeout(resolve, 5000)) // The other one may be dropped a little later.
  for (const socket of still) assert.ok((await readToEnd(socket)) < 32 * MEBIBYTE)
  assert.deepEqual(told, [])
})

test('slow clients at one address leave a slot of a project for other addresses', async () => {
  const ask = await serving({ waitMs: 50, rateMs: LONG, perAddress: { total: 2, perProject: 1 } })
  const slow = [await ask('one'), await ask('one'), await ask('two'), await ask('three')]
  assert.deepEqual(await Promise.all(slow.map(statusOf)), [200, 503, 200, 503])
  const other = await ask('one', 'GET', [], '127.0.0.2')
  assert.ok((await readToEnd(other)) > 32 * MEBIBYTE)
  for (const socket of slow) socket.destroy()
})

test('while another client waits for its slot, a slow client must read faster', async () => {
  const ask = await serving({ waitMs: LONG, rateMs: LONG, contendedMs: 500 })
  const slow = [await ask('one'), await ask('one')]
  for (const socket of slow) assert.equal(await statusOf(socket), 200)
  await new Promise(resolve => setTimeout(resolve, 1500))
  for (const socket of slow) assert.ok(!socket.closed)
  const next = await ask('one', 'GET', [], '127.0.0.2')
  assert.ok((await readToEnd(next)) > 32 * MEBIBYTE)
  const lengths = await Promise.all(slow.map(readToEnd))
  assert.ok(lengths.some(length => length < 32 * MEBIBYTE))
})

test('an archive that waits for a slot opens no file and computes its layout only once', async () => {
  const publication = openPublication((await pointers.workspace('acme'))?.projects.get('one'))
  assert.ok(publication)
  let laidOut = 0
  const files = () => {
    laidOut++
    return publication.content.files()
  }
  const watched = { ...publication, content: { ...publication.content, files } }
  const slots = new Slots({ total: 1, perProject: 1, perAddress: UNLIMITED, waitMs: LONG })
  const lengths = openCaches().open<ArchiveLength>('archives')
  const parts = { files: temporary.store.files, publicUrl: 'http://brand.test', slots, lengths }
  const request = { method: 'GET', path: '/', query: '', headers: {}, authorizations: 0, address: '127.0.0.1' }
  const asking = Array.from({ length: 20 }, () => archiveOf({ ...parts, rates: ANY_RATE }, watched, request))
  for (const { status } of await Promise.all(asking)) assert.equal(status, 200)
  assert.equal(laidOut, 1)
})

test('archives of projects with shared content and different names have separate lengths', async () => {
  const publication = openPublication((await pointers.workspace('acme'))?.projects.get('one'))
  assert.ok(publication)
  const parts = {
    files: temporary.store.files,
    publicUrl: 'http://brand.test',
    slots: new Slots({ total: 1, perProject: 1, perAddress: UNLIMITED, waitMs: LONG }),
    lengths: openCaches().open<ArchiveLength>('archives'),
  }
  const request = { method: 'GET', path: '/', query: '', headers: {}, authorizations: 0, address: '127.0.0.1' }
  const other = openPublication((await pointers.workspace('acme'))?.projects.get('three'))
  assert.ok(other)
  const renamed = { ...publication, record: { ...publication.record, project: other.record.project } }
  const lengths: (number | undefined)[] = []
  for (const each of [publication, renamed])
    lengths.push((await archiveOf({ ...parts, rates: ANY_RATE }, each, request)).body?.length)
  assert.equal((lengths[1] ?? 0) - (lengths[0] ?? 0), 2 * ('three'.length - 'one'.length))
})
