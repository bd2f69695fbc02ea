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
import { parseBucketAddress } from '#platform/settings/shared-addresses.ts'
import { listeningPort } from './free-port.ts'
import { needs } from './programs.ts'

/** What tests with a bucket need. */
export const SWIFT = needs('swift-proxy-server')

/**
 * An S3 server for one test: OpenStack Swift, which checks signatures and the hash of each body. A proxy in front of it
 * also checks `x-amz-checksum-sha256`, and injects faults. Unlike AWS, Swift rejects `If-None-Match: *` with 501 and
 * does not support trailing checksums.
 */
export type S3Server = {
  /** `http://127.0.0.1:{port}` */
  endpoint: string
  /** Requests that have arrived: `PUT /bucket/key`. */
  seen: string[]
  /** `s3://{bucket}/{prefix}?…`, in a new bucket. The keys are in the environment of this process. */
  newPlace: (prefix?: string) => Promise<string>
  /** Lets requests fail up to `times`; call it without a fault to end this. */
  fail: (fault?: Fault) => void
  stop: () => Promise<void>
}

export type Fault = {
  how: keyof typeof REFUSALS | keyof typeof UNANSWERED | (typeof CHANGED)[number] | 'cut-upload'
  /** Default: all requests. Matched against `GET /bucket/key`. */
  which?: RegExp
  /** Default: all access keys. */
  key?: string
  /** Default: no limit. */
  times?: number
  /** Every n-th request; default: every request. */
  every?: number
}

/** Error replies of a server. */
const REFUSALS = {
  error: [500, 'InternalError'],
  'slow-down': [503, 'SlowDown'],
  denied: [403, 'AccessDenied'],
  'other-key': [403, 'InvalidAccessKeyId'],
  'other-clock': [403, 'RequestTimeTooSkewed'],
  'no-bucket': [404, 'NoSuchBucket'],
} as const

/** Replies of a proxy, or none. */
const UNANSWERED = {
  page: (response: ServerResponse) => void response.writeHead(200, PAGE).end('<!doctype html><p>Please sign in</p>'),
  'bad-gateway': (response: ServerResponse) => void response.writeHead(502, PAGE).end('<p>Bad gateway</p>'),
  redirect: (response: ServerResponse) => void response.writeHead(302, { Location: 'http://127.0.0.1:1/login' }).end(),
  stalled: () => undefined,
  reset: (response: ServerResponse) => void response.socket?.resetAndDestroy(),
} as const

/** Changes to a reply. */
const CHANGED = [
  'slow',
  'cut-download',
  'stalled-download',
  'trickle',
  'wrong-bytes',
  'wrong-last-byte',
  'wrong-length',
  'longer',
] as const

const PAGE = { 'Content-Type': 'text/html; charset=utf-8' }

/** Starts a server on a free port of 127.0.0.1, in a new folder that is removed when it stops. */
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
  const stalled = new Set<ServerResponse>()
  const takeFault = (name: string, authorization = '') => {
    if (!fault || (fault.which && !fault.which.test(name)) || fault.times === 0) return undefined
    if (fault.key !== undefined && !authorization.includes(`Credential=${fault.key}/`)) return undefined
    if (fault.every !== undefined && seen.length % fault.every > 0) return undefined
    if (fault.times !== undefined) fault = { ...fault, times: fault.times - 1 }
    return fault.how
  }
  const front = createServer((incoming, response) => {
    const name = `${incoming.method} ${incoming.url}`
    seen.push(name)
    const how = takeFault(name, incoming.headers.authorization)
    if (how === 'stalled') stalled.add(response)
    forward(incoming, response, Number(port), how).catch(() => response.destroy())
  })
  const endpoint = `http://127.0.0.1:${await listeningPort(front)}`
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
      for (const response of stalled) response.destroy()
      stalled.clear()
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
  if (fault && isIn(REFUSALS, fault)) return refuse(response, REFUSALS[fault])
  if (fault && isIn(UNANSWERED, fault)) return UNANSWERED[fault](response)
  const checksum = incoming.headers['x-amz-checksum-sha256']
  if (checksum !== undefined && checksum !== createHash('sha256').update(body).digest('base64'))
    return refuse(response, [400, 'BadDigest'])
  const { method, url, headers } = incoming
  const onward = request({ host: '127.0.0.1', port, method, path: url, headers, agent: false })
  onward.on('error', () => undefined) // Swift sends a body after some replies to HEAD.
  onward.end(body)
  const [reply]: IncomingMessage[] = await once(onward, 'response')
  if (!reply) return
  const came: Uint8Array[] = await reply.toArray()
  const isBody = reply.statusCode === 200 || reply.statusCode === 206
  const bytes = Buffer.concat(isBody && fault === 'longer' ? [...came, ...came] : came)
  const { connection: _, 'transfer-encoding': _e, ...fields } = reply.headers
  if (method !== 'HEAD') fields['content-length'] = String(bytes.length)
  if (fault === 'wrong-length') fields['content-length'] = String(bytes.length >> 1)
  response.writeHead(reply.statusCode ?? 500, fields)
  if (fault === 'wrong-length') return void response.end(bytes.subarray(0, bytes.length >> 1))
  if (fault === 'wrong-bytes' || fault === 'longer') bytes.reverse()
  if (fault === 'wrong-last-byte') bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1)
  const half = bytes.subarray(0, Math.ceil(bytes.length / 2))
  if (fault === 'cut-download') return void response.write(half, () => response.destroy())
  if (fault === 'stalled-download') return void response.write(half)
  if (fault !== 'trickle') return void response.end(bytes)
  for (let at = 0; at < bytes.length && !response.destroyed; at++) {
    response.write(bytes.subarray(at, at + 1))
    await sleep(100)
  }
}

function isIn<Kinds extends object>(kinds: Kinds, name: PropertyKey): name is keyof Kinds {
  return Object.hasOwn(kinds, name)
}

function refuse(response: ServerResponse, [status, code]: readonly [number, string]): void {
  const text = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`
  response.writeHead(status, { 'Content-Type': 'application/xml' }).end(text)
}
