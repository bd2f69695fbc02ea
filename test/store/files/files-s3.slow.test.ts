import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import test, { after, afterEach } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseHash } from '#brand/snapshot.ts'
import { parseBucketAddress } from '#platform/settings/shared-addresses.ts'
import type { Part } from '#store/files/files.ts'
import { openS3Files } from '#store/files/files-s3.ts'
import { openBucket } from '#store/files/s3/bucket.ts'
import { DamagedContent, outageOf } from '#store/store-error.ts'
import { freePort, listeningPort } from '../../support/free-port.ts'
import { type Fault, SWIFT, startS3 } from '../../support/s3.ts'
import { until } from '../../support/until.ts'

const { skip } = SWIFT
const server = skip ? undefined : await startS3()
after(() => server?.stop())
afterEach(() => server?.fail())

const SMALL = 20_000
const LARGE = 3 << 20
const BLOCK = 1 << 18
const FILE = /^GET .*[0-9a-f]{64}\?/
const BLOCK_LIST = /^GET .*\.blocks\?/

async function filesWith(size: number, place?: string) {
  const address = parseBucketAddress(place ?? (await server?.newPlace('of/a/team')) ?? '', {})
  assert.ok(address)
  const files = openS3Files(address)
  const bytes = randomBytes(size)
  const hash = parseHash(createHash('sha256').update(bytes).digest('hex'))
  await files.put('acme', hash, Readable.from([bytes]))
  const read = async (part?: Part) => {
    const chunks: Uint8Array[] = []
    try {
      for await (const chunk of (await files.open('acme', hash, part)) ?? []) chunks.push(Buffer.from(chunk))
    } catch (error) {
      return { bytes: Buffer.concat(chunks), error }
    }
    return { bytes: Buffer.concat(chunks) }
  }
  return { address, files, bytes, hash, read, bucket: openBucket(address), prefix: address.prefix }
}

test('a bucket has workspaces as folders, files under their hashes, and an owner of the files', { skip }, async () => {
  const { files, hash, address } = await filesWith(1)
  await files.setOwner('urn:uuid:1')
  assert.equal(files.pathOf('acme', hash), `s3://${address.bucket}/of/a/team/acme/${hash.slice(0, 2)}/${hash}`)
  assert.ok(
    server?.seen.some(name => name.startsWith(`PUT /${address.bucket}/of/a/team/acme/${hash.slice(0, 2)}/${hash}`)),
  )
  assert.ok(server?.seen.some(name => name.startsWith(`PUT /${address.bucket}/of/a/team/.store`)))
})

test('a second store with the same prefix is refused', { skip }, async () => {
  const { files } = await filesWith(1)
  await files.setOwner('urn:uuid:1')
  await files.setOwner('urn:uuid:1')
  await assert.rejects(files.setOwner('urn:uuid:2'), {
    code: 'store_foreign',
    message: /names another store, urn:uuid:1/,
  })
  assert.equal(await files.owner(), 'urn:uuid:1')
})

const REPEATED: Readonly<Record<string, Fault>> = {
  'answers 500 twice': { how: 'error', which: /^GET/, times: 2 },
  'cuts a download twice': { how: 'cut-download', which: /^GET/, times: 2 },
}

for (const [what, fault] of Object.entries(REPEATED))
  for (const size of [SMALL, LARGE])
    test(`a request to a server that ${what} is repeated, and ${size} bytes arrive completely`, { skip }, async () => {
      const { bytes, read } = await filesWith(size)
      server?.fail(fault)
      assert.deepEqual(await read(), { bytes })
      server?.fail(fault)
      assert.deepEqual(await read({ start: 5, end: size - 5 }), { bytes: bytes.subarray(5, size - 4) })
    })

test('an upload that breaks off is repeated', { skip }, async () => {
  const place = await server?.newPlace()
  server?.fail({ how: 'cut-upload', which: /^PUT/, times: 2 })
  const { bytes, read } = await filesWith(17 << 20, place)
  assert.deepEqual(await read(), { bytes })
})

test('a failed upload leaves no file under its hash, and no unfinished upload after clearing', { skip }, async () => {
  const { files, hash } = await filesWith(SMALL)
  const broken = async function* () {
    yield randomBytes(20 << 20)
    server?.fail({ how: 'error', which: /^DELETE/ })
    throw new Error('the source fails')
  }
  await assert.rejects(files.put('acme', parseHash('0'.repeat(64)), broken()), /the source fails/)
  assert.deepEqual(await files.list('acme'), new Set([hash]))
  server?.fail()
  assert.equal((await files.listIncoming()).length, 1)
  await files.removeIncoming()
  assert.deepEqual(await files.listIncoming(), [])
})

test('a small object with wrong bytes is read twice, and none of its bytes are returned', { skip }, async () => {
  const { bytes, read } = await filesWith(SMALL)
  server?.fail({ how: 'wrong-bytes', which: /^GET/, times: 1 })
  assert.deepEqual(await read(), { bytes })
  server?.fail({ how: 'wrong-bytes', which: /^GET/ })
  for (const part of [undefined, { start: 3, end: 9 }]) {
    const { bytes: given, error } = await read(part)
    assert.equal(given.length, 0)
    assert.match(outageOf(error) ?? '', /is damaged: its bytes do not have its hash; see `housestyle doctor`/)
  }
})

test('a large object with wrong bytes ends before its last chunk', { skip }, async () => {
  const { bytes, read } = await filesWith(LARGE)
  server?.fail({ how: 'wrong-bytes', which: /^GET/ })
  const { bytes: given, error } = await read()
  assert.match(outageOf(error) ?? '', /is damaged: its bytes do not have its hash/)
  assert.ok(given.length > 0 && given.length < bytes.length, String(given.length))
})

test('a part of a large object has exactly the requested bytes, regardless of its blocks', { skip }, async () => {
  const { bytes, read } = await filesWith(LARGE + 7)
  const borders = [0, BLOCK - 1, BLOCK, 5 * BLOCK + 1, LARGE, LARGE + 6]
  for (const start of borders)
    for (const end of borders.filter(end => end >= start))
      assert.deepEqual(await read({ start, end }), { bytes: bytes.subarray(start, end + 1) }, `${start}-${end}`)
})

for (const [what, which] of Object.entries({ file: FILE, 'list of its blocks': BLOCK_LIST }))
  test(`wrong bytes of a ${what} are read twice, and not even a part of one byte is returned`, { skip }, async () => {
    const { bytes, read } = await filesWith(LARGE)
    for (const part of [
      { start: LARGE - 1, end: LARGE - 1 },
      { start: 1, end: LARGE - 1 },
    ]) {
      server?.fail({ how: 'wrong-bytes', which, times: 1 })
      assert.deepEqual(await read(part), { bytes: bytes.subarray(part.start) })
      server?.fail({ how: 'wrong-bytes', which })
      const { bytes: given, error } = await read(part)
      assert.equal(given.length, 0)
      const path = which === FILE ? /[0-9a-f]{64}/ : /[0-9a-f]{64}\.blocks/
      assert.match(outageOf(error) ?? '', new RegExp(`/${path.source} is damaged: its bytes do not have its hash`))
    }
  })

test('a part ends before a block with wrong bytes', { skip }, async () => {
  const { bytes, read } = await filesWith(LARGE)
  server?.fail({ how: 'wrong-last-byte', which: FILE })
  const { bytes: given, error } = await read({ start: 1, end: LARGE - 1 })
  assert.match(outageOf(error) ?? '', /is damaged: its bytes do not have its hash/)
  assert.deepEqual(given, bytes.subarray(1, LARGE - BLOCK))
})

test('a list of blocks is copied and removed with its file', { skip }, async () => {
  const { files, hash, bucket, prefix } = await filesWith(LARGE)
  await files.copy('acme', 'other', hash)
  assert.deepEqual(await files.list('other'), new Set([hash]))
  const keys = ['acme', 'other'].map(workspace => `${prefix}${workspace}/${hash.slice(0, 2)}/${hash}`)
  const stored = (await Array.fromAsync(bucket.list(prefix))).map(({ key }) => key)
  const expected = keys.flatMap(key => [key, `${key}.blocks`])
  assert.deepEqual(stored, expected)
  for (const file of await Array.fromAsync(files.listAll())) await files.remove(file)
  assert.equal(await files.isEmpty(), true)
})

test('a copy that broke off before the list of blocks is completed by the next copy', { skip }, async () => {
  const { files, hash } = await filesWith(LARGE)
  server?.fail({ how: 'denied', which: /^PUT .*\.blocks/ })
  await assert.rejects(files.copy('acme', 'other', hash), /AccessDenied/)
  assert.deepEqual(await files.list('other'), new Set())
  server?.fail()
  await files.copy('acme', 'other', hash)
  assert.deepEqual(await files.list('other'), new Set([hash]))
})

test('a large file without its list of blocks is not stored until it is uploaded again', { skip }, async () => {
  const { files, bytes, hash, read, bucket, prefix } = await filesWith(LARGE)
  await bucket.remove(`${prefix}acme/${hash.slice(0, 2)}/${hash}.blocks`)
  const part = { start: 5, end: LARGE - 5 }
  const lost = await read(part)
  assert.equal(lost.bytes.length, 0)
  assert.ok(lost.error instanceof DamagedContent && lost.error.isMissing)
  assert.deepEqual([await files.list('acme'), (await Array.fromAsync(files.listAll())).length], [new Set(), 1])
  const incoming = files.receive('acme')
  await incoming.add(Readable.from([bytes]))
  await incoming.commit()
  assert.deepEqual(await files.list('acme'), new Set([hash]))
  server?.fail({ how: 'wrong-bytes', which: FILE })
  assert.equal((await read(part)).bytes.length, 0)
})

test('a list of blocks whose file is gone does not count as a stored file', { skip }, async () => {
  const { files, hash, bucket, prefix } = await filesWith(LARGE)
  const key = `${prefix}acme/${hash.slice(0, 2)}/${hash}`
  await bucket.remove(key)
  assert.deepEqual(await files.list('acme'), new Set())
})

test('a download that always breaks off fails with a clear message after a few attempts', { skip }, async () => {
  const { read, bytes } = await filesWith(LARGE)
  server?.seen.splice(0)
  server?.fail({ how: 'cut-download', which: /^GET/ })
  const { bytes: given, error } = await read()
  assert.match(outageOf(error) ?? '', /broke off repeatedly/)
  assert.ok(given.length < bytes.length)
  assert.equal(server?.seen.length, 5)
})

test('a client that leaves while a download waits for its next attempt gets the abort reason', { skip }, async t => {
  const { files, hash } = await filesWith(LARGE)
  t.mock.method(Math, 'random', () => 1) // The longest delays.
  server?.seen.splice(0)
  server?.fail({ how: 'cut-download', which: /^GET/ })
  const leaving = new AbortController()
  const reading = Array.fromAsync((await files.open('acme', hash, undefined, leaving.signal)) ?? [])
  await until(() => server?.seen.length === 3)
  await sleep(200)
  const reason = new Error('has left')
  leaving.abort(reason)
  await assert.rejects(reading, reason)
})

test('unread bytes stay at the server, and a reader that stops closes its connection', async () => {
  let sent = 0
  const closed: Promise<unknown>[] = []
  const endless = createServer((_, response) => {
    closed.push(once(response, 'close'))
    response.writeHead(200, { 'Content-Length': 1 << 30, ETag: '"1"' })
    const bytes = Readable.from(
      function* () {
        for (const chunk = new Uint8Array(1 << 16); ; sent += chunk.length) yield chunk
      }.call(undefined),
    )
    bytes.pipe(response)
  })
  const port = await listeningPort(endless)
  process.env.AWS_ACCESS_KEY_ID ??= 'any'
  process.env.AWS_SECRET_ACCESS_KEY ??= 'any'
  const place = parseBucketAddress(`s3://any?endpoint=http://127.0.0.1:${port}`, {})
  assert.ok(place)
  const files = openS3Files(place)
  const [read, unread] = [
    await files.open('acme', parseHash('0'.repeat(64))),
    await files.open('acme', parseHash('1'.repeat(64))),
  ]
  await read?.next()
  for (let before = -1; before !== sent; await sleep(200)) before = sent
  assert.ok(sent < 64 << 20, String(sent))
  await read?.return(undefined)
  await unread?.return(undefined)
  await Promise.all(closed)
  endless.close()
})

const TOLD: Readonly<
  Record<string, { place: (endpoint: string) => Promise<string> | string; fault?: Fault; says: RegExp }>
> = {
  'a missing bucket': {
    place: endpoint => `s3://nowhere?endpoint=${endpoint}`,
    says: /cannot use bucket nowhere at http.* \(404 NoSuchBucket\); create the bucket, or name another with --files/,
  },
  'an unreachable server': {
    place: async () => `s3://nowhere?endpoint=http://127.0.0.1:${await freePort()}`,
    says: /; check that the server runs and that the address is right: .*ECONNREFUSED/,
  },
  'another region': {
    place: endpoint => `s3://nowhere?endpoint=${endpoint}&region=eu-central-1`,
    says: /AuthorizationHeaderMalformed\); name the region of the bucket/,
  },
  'a key without permissions': {
    place: endpoint => `s3://nowhere?endpoint=${endpoint}`,
    fault: { how: 'denied' },
    says: /\(403 AccessDenied\); allow its key to list the bucket/,
  },
  'a server that always fails': {
    place: endpoint => `s3://nowhere?endpoint=${endpoint}`,
    fault: { how: 'error' },
    says: /\(500 InternalError\); the server is overloaded or failing/,
  },
}

for (const [what, { place, fault, says }] of Object.entries(TOLD))
  test(`${what} causes a clear message with a fix, and is an outage for a service`, { skip }, async () => {
    const address = parseBucketAddress(await place(server?.endpoint ?? ''), {})
    assert.ok(address)
    const files = openS3Files(address)
    server?.fail(fault)
    for (const work of [() => files.isEmpty(), () => files.setOwner('urn:uuid:1'), () => files.owner()])
      await assert.rejects(work, error => {
        assert.match(outageOf(error) ?? String(error), says)
        return true
      })
  })

test('a wrong secret causes a clear message', { skip }, async () => {
  const right = process.env.AWS_SECRET_ACCESS_KEY
  process.env.AWS_SECRET_ACCESS_KEY = 'wrong'
  try {
    const address = parseBucketAddress(
      (await server?.newPlace().catch(() => undefined)) ?? `s3://any?endpoint=${server?.endpoint}`,
      {},
    )
    assert.ok(address)
    await assert.rejects(openS3Files(address).isEmpty(), {
      code: 'store_unreadable',
      message: /SignatureDoesNotMatch\); check that AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY/,
    })
  } finally {
    process.env.AWS_SECRET_ACCESS_KEY = right
  }
})
