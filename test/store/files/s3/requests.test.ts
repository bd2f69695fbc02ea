import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import test from 'node:test'
import { openBucket } from '#store/files/s3/bucket.ts'
import { writeObject } from '#store/files/s3/write-object.ts'
import { localServer } from '#test/support/local-server.ts'

process.env.AWS_ACCESS_KEY_ID ??= 'id'
process.env.AWS_SECRET_ACCESS_KEY ??= 'secret'

type Refusal = { status: number; code: string; message: string }

/** A bucket of a server that refuses some requests and answers uploads; it keeps the fields of each request. */
async function bucketWith(refusalOf: (request: IncomingMessage) => Refusal | undefined) {
  const fields: string[][] = []
  const { url } = await localServer((request, response) => {
    const refusal = refusalOf(request)
    request.resume().on('end', () => {
      fields.push(Object.keys(request.headers))
      if (refusal) {
        const { status, code, message } = refusal
        response.writeHead(status, { 'content-type': 'application/xml' })
        response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`)
        return
      }
      const begun = '<InitiateMultipartUploadResult><UploadId>u</UploadId></InitiateMultipartUploadResult>'
      const done = '<CompleteMultipartUploadResult><ETag>"x"</ETag></CompleteMultipartUploadResult>'
      response.writeHead(200, { etag: '"x"', 'content-type': 'application/xml' })
      response.end(request.method === 'POST' ? (request.url?.includes('uploads') ? begun : done) : '')
    })
  })
  const address = { bucket: 'brand', prefix: '', region: 'us-east-1', endpoint: url, isPathStyle: true }
  return { bucket: openBucket(address), url, fields }
}

const hasChecksum = (names: readonly string[]) => names.some(name => name.startsWith('x-amz-checksum'))

for (const [status, code, message] of [
  [400, 'InvalidArgument', "Unsupported header 'x-amz-checksum-sha256' received for this API call."],
  [501, 'NotImplemented', "Header 'x-amz-checksum-algorithm' with value 'SHA256' not implemented"],
] as const)
  test(`objects are uploaded without checksums once a server answers ${status}: ${message}`, async () => {
    const { bucket, fields } = await bucketWith(({ headers }) =>
      hasChecksum(Object.keys(headers)) ? { status, code, message } : undefined,
    )
    for (const size of [3, 9 << 20]) {
      const bytes = new Uint8Array(size)
      await writeObject(
        bucket,
        `key${size}`,
        hash('sha256', bytes),
        (async function* () {
          yield bytes
        })(),
      )
    }
    assert.equal(fields.filter(hasChecksum).length, 1)
  })

for (const [refusal, advice] of [
  [
    { status: 400, code: 'InvalidArgument', message: "Unsupported header 'x-amz-meta'." },
    'the server rejects this request: check that it supports it, or use another server',
  ],
  [
    {
      status: 501,
      code: 'NotImplemented',
      message: 'A header you provided implies functionality that is not implemented',
    },
    'the server rejects this request: check that it supports it, or use another server',
  ],
  [{ status: 403, code: 'AccessDenied', message: 'User is not authorized to perform: s3:PutObject' }, undefined],
  [
    {
      status: 507,
      code: 'XMinioStorageFull',
      message: 'Storage backend has reached its minimum free drive threshold.',
    },
    'the server is overloaded or failing: check it',
  ],
] as const)
  test(`a message ends with what the server said: ${refusal.status} ${refusal.message}`, async () => {
    const { bucket, url } = await bucketWith(() => refusal)
    await assert.rejects(bucket.put('key', new Uint8Array(1), 'AAAA'), ({ message }: Error) => {
      const { status, code, message: said } = refusal
      assert.ok(
        message.startsWith(`cannot use bucket brand at ${url} (${status} ${code}); ${advice ?? 'allow its key'}`),
        message,
      )
      assert.ok(message.endsWith(`: ${said}`), message)
      assert.ok(status === 507 || !/overloaded/.test(message))
      return true
    })
  })

test('a request that runs out of time names the reply to its latest attempt', async () => {
  const busy = { status: 503, code: 'SlowDown', message: 'Please reduce your request rate.' }
  const { bucket } = await bucketWith(() => busy)
  // On a busy machine, the first reply takes seconds.
  await assert.rejects(
    bucket.text('key', 10_000),
    /\(503 SlowDown\); the server is overloaded.*: Please reduce your request rate\.$/,
  )
})

test('a message about a server that cannot be reached ends with the reason', async () => {
  const address = {
    bucket: 'brand',
    prefix: '',
    region: 'us-east-1',
    endpoint: 'http://127.0.0.1:1',
    isPathStyle: true,
  }
  await assert.rejects(
    openBucket(address).text('key'),
    /^Error: cannot use bucket brand at http:\/\/127\.0\.0\.1:1; check that the server runs and that the address is right: connect ECONNREFUSED 127\.0\.0\.1:1$/,
  )
})
