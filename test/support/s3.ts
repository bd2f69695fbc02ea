import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { parseBucketAddress } from '../../src/settings/bucket-address.ts'

/**
 * A server of a test's own: OpenStack Swift, which checks signatures and the hash of each body. A front before it also
 * checks `x-amz-checksum-sha256`, which Swift does not, and fails as it is told. Unlike AWS, Swift refuses `If-None-Match: *`
 * with 501 and knows no trailing checksums.
 */
export type S3Server = {
  /** `http://127.0.0.1:{port}` */
  endpoint: string
  /** Requests that have arrived: `PUT /bucket/key`. */
  seen: string[]
  /** `s3://{bucket}/{prefix}?…`, in a new bucket. The keys are in the environment of this process. */
  newPlace: (prefix?: string) => Promise<string>
  /** Lets requests fail, as many as `times`; without a fault they work again. */
  fail: (fault?: Fault) => void
  stop: () => Promise<void>
}

export type Fault = {
  how: 'slow' | 'error' | 'denied' | 'cut-download' | 'cut-upload' | 'wrong-bytes'
  /** Default: all. Matched against `GET /bucket/key`. */
  which?: RegExp
  /** Default: without end. */
  times?: number
}

/** Starts a server on a free port of 127.0.0.1, in a new folder, which is removed when it stops. */
export async function startS3(): Promise<S3Server> {
  const folder = await mkdtemp(join(tmpdir(), 'housestyle-s3-'))
  const script = join(import.meta.dirname, 'swift-server.py')
  const child = spawn('/usr/bin/python3', [script, folder], { stdio: ['pipe', 'pipe', 'pipe'] })
  const said: string[] = []
  child.stderr.on('data', text => said.push(String(text)))
  const exit = once(child, 'exit')
  const [port] = await Promise.race([once(createInterface(child.stdout), 'line'), exit.then(() => [])])
  if (port === undefined) throw new Error(`Swift ended before it answered: ${said.join('')}`)
  const seen: string[] = []
  let fault: Fault | undefined
  const takeFault = (name: string) => {
    if (!fault || (fault.which && !fault.which.test(name)) || fault.times === 0) return undefined
    if (fault.times !== undefined) fault = { ...fault, times: fault.times - 1 }
    return fault.how
  }
  const front = createServer((incoming, response) => {
    const name = `${incoming.method} ${incoming.url}`
    seen.push(name)
    forward(incoming, response, Number(port), takeFault(name)).catch(() => response.destroy())
  })
  front.listen(0, '127.0.0.1')
  await once(front, 'listening')
  const address = front.address()
  const endpoint = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  process.env.AWS_ACCESS_KEY_ID = 'test:key'
  process.env.AWS_SECRET_ACCESS_KEY = 'secret'
  let made = 0
  return {
    endpoint,
    seen,
    newPlace: async (prefix = 'housestyle') => {
      const place = `s3://bucket${++made}/${prefix}?endpoint=${endpoint}`
      await makeBucket(place)
      return place
    },
    fail: next => {
      fault = next
    },
    stop: async () => {
      front.closeAllConnections()
      front.close()
      child.kill('SIGKILL')
      await exit
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function makeBucket(place: string): Promise<void> {
  const address = parseBucketAddress(place, {})
  const client = new S3Client({ region: 'us-east-1', endpoint: address?.endpoint ?? '', forcePathStyle: true })
  await client.send(new CreateBucketCommand({ Bucket: address?.bucket }))
  client.destroy()
}

async function forward(
  incoming: IncomingMessage,
  response: ServerResponse,
  port: number,
  fault: Fault['how'] | undefined,
): Promise<void> {
  if (fault === 'cut-upload') {
    await once(incoming, 'readable')
    return void incoming.socket.destroy()
  }
  const body = Buffer.concat(await incoming.toArray())
  if (fault === 'slow') await sleep(500)
  if (fault === 'error') return refuse(response, 500, 'InternalError')
  if (fault === 'denied') return refuse(response, 403, 'AccessDenied')
  const checksum = incoming.headers['x-amz-checksum-sha256']
  if (checksum !== undefined && checksum !== createHash('sha256').update(body).digest('base64'))
    return refuse(response, 400, 'BadDigest')
  const { method, url, headers } = incoming
  const onward = request({ host: '127.0.0.1', port, method, path: url, headers, agent: false })
  onward.on('error', () => undefined) // Swift sends a body after some replies to HEAD.
  onward.end(body)
  const [reply]: IncomingMessage[] = await once(onward, 'response')
  if (!reply) return
  const bytes = Buffer.concat(await reply.toArray())
  const { connection: _, 'transfer-encoding': _e, ...fields } = reply.headers
  if (method !== 'HEAD') fields['content-length'] = String(bytes.length)
  response.writeHead(reply.statusCode ?? 500, fields)
  if (fault === 'wrong-bytes') bytes.reverse()
  if (fault !== 'cut-download') return void response.end(bytes)
  response.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => response.destroy())
}

function refuse(response: ServerResponse, status: number, code: string): void {
  const text = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`
  response.writeHead(status, { 'Content-Type': 'application/xml' }).end(text)
}
