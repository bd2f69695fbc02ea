import { Readable } from 'node:stream'
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  type GetObjectCommandOutput,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3'
import { field, withoutUndefined } from '../../../base/object.ts'
import type { BucketAddress } from '../../../settings/shared-addresses.ts'
import type { Part } from '../files.ts'
import { isMissing, isUnsupported } from './bucket-errors.ts'
import { checksumsOf } from './checksum.ts'
import { assertReplies } from './replies.ts'
import { createRequestRunner, type RunRequest, runUpload } from './request-runner.ts'
import { UPLOAD_OPTIONS, type Uploads, uploadsTo } from './uploads.ts'

/**
 * The requests to a bucket. Each has a time limit and is retried a few times, after a random delay, if the server fails
 * or cannot be reached. Error messages explain the fix.
 */
export type Bucket = Uploads & {
  /** An object or a part of it; undefined if it does not exist. The caller must read or destroy the bytes. */
  get: (
    key: string,
    wanted?: { part?: Part | undefined; signal?: AbortSignal | undefined },
  ) => Promise<ObjectBytes | undefined>
  /** The text of a short object; undefined if it does not exist. It must arrive completely within the limit. */
  text: (key: string, limitMs?: number) => Promise<string | undefined>
  /** The size of an object in bytes; undefined if it does not exist. */
  size: (key: string) => Promise<number | undefined>
  /** Writes an object in one request. `sha256` is in base64. */
  put: (key: string, bytes: Uint8Array, sha256: string) => Promise<void>
  /** Writes an object unless its key already exists; false if it does. */
  putNew: (key: string, bytes: Uint8Array) => Promise<boolean>
  /** Makes the server copy an object of at most 5 GiB; false if it does not exist. */
  copy: (from: string, to: string) => Promise<boolean>
  remove: (key: string) => Promise<void>
  /** All objects with this key prefix, in key order, a thousand per request. */
  list: (prefix: string) => AsyncGenerator<ListedObject>
}

export type ListedObject = { key: string; size: number }

/** The bytes of a reply, and the size of the whole object. */
export type ObjectBytes = { body: Readable; start: number; total: number }

/** Opens a bucket with the credentials of this machine. The signal aborts every request. */
export function openBucket(address: BucketAddress, closing?: AbortSignal): Bucket {
  const Bucket = address.bucket
  const client = new S3Client(clientConfig(address))
  assertReplies(client)
  const runRequest = createRequestRunner(address, closing)
  const withChecksum = checksumsOf()
  return {
    get: (Key, { part, signal } = {}) =>
      runRequest(
        abortSignal => {
          const Range = part && `bytes=${part.start}-${part.end}`
          const command = new GetObjectCommand({ Bucket, Key, Range })
          return undefinedIfMissing(client.send(command, { abortSignal, ...DOWNLOAD_OPTIONS }).then(bytesOf))
        },
        { signal },
      ),
    text: (Key, limitMs) =>
      runRequest(
        async abortSignal => {
          const reply = await undefinedIfMissing(client.send(new GetObjectCommand({ Bucket, Key }), { abortSignal }))
          return reply && textOf(bytesOf(reply))
        },
        { limitMs },
      ),
    size: Key =>
      runRequest(async abortSignal => {
        const head = await undefinedIfMissing(client.send(new HeadObjectCommand({ Bucket, Key }), { abortSignal }))
        return head && (head.ContentLength ?? 0)
      }),
    put: (Key, Body, ChecksumSHA256) =>
      runUpload(runRequest, async abortSignal => {
        await withChecksum(hasChecksum => {
          const command = new PutObjectCommand({ Bucket, Key, Body, ...(hasChecksum && { ChecksumSHA256 }) })
          return client.send(command, { abortSignal, ...UPLOAD_OPTIONS })
        })
      }),
    putNew: (Key, Body) => runRequest(abortSignal => putNew(client, { Bucket, Key, Body }, { abortSignal })),
    copy: (from, to) => runUpload(runRequest, abortSignal => copyObject(client, { Bucket, from, to }, abortSignal)),
    remove: Key =>
      runRequest(async abortSignal => {
        await client.send(new DeleteObjectCommand({ Bucket, Key }), { abortSignal })
      }),
    list: prefix => listObjects(runRequest, client, Bucket, prefix),
    ...uploadsTo(Bucket, client, runRequest, withChecksum),
  }
}

/**
 * Requests carry our own checksums, because many servers do not support the trailing ones that the client would add.
 */
function clientConfig({ region, endpoint, isPathStyle }: BucketAddress): S3ClientConfig {
  return {
    ...withoutUndefined({ region, endpoint }),
    forcePathStyle: isPathStyle,
    maxAttempts: 4,
    retryMode: 'standard',
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: 3000,
      requestTimeout: 10_000,
      throwOnRequestTimeout: true,
      httpAgent: CONNECTIONS,
      httpsAgent: CONNECTIONS,
      logger: SILENT,
    },
  }
}

/** A slow reader holds a connection, so many are allowed. */
const CONNECTIONS = { keepAlive: true, maxSockets: 512 }

function ignore(): void {}
const SILENT = { trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore }

/** The time limit of one attempt to get the first byte of an object. */
const DOWNLOAD_OPTIONS = { requestTimeout: 5000 }

function bytesOf({ Body: body, ContentRange, ContentLength }: GetObjectCommandOutput): ObjectBytes {
  if (!(body instanceof Readable)) throw new Error('the reply with an object has no byte stream')
  return { body, ...extentOf(ContentRange, ContentLength) }
}

async function textOf({ body, total }: ObjectBytes): Promise<string> {
  if (total <= MAX_TEXT_BYTES) return Buffer.concat(await body.toArray()).toString('utf8')
  body.destroy()
  throw new Error(`an object that should be short has ${total} bytes`)
}

const MAX_TEXT_BYTES = 1000

/** `Content-Range: bytes 0-99/500` (RFC 9110 §14.4); without it, the reply is the whole object. */
function extentOf(range: string | undefined, length = 0): { start: number; total: number } {
  const [, start, total] = /^bytes (\d+)-\d+\/(\d+)$/.exec(range ?? '') ?? []
  return { start: Number(start ?? 0), total: total === undefined ? length : Number(total) }
}

type ObjectInput = { Bucket: string; Key: string }

function undefinedIfMissing<Value>(work: Promise<Value>): Promise<Value | undefined> {
  return work.catch(error => (isMissing(error) ? undefined : Promise.reject(error)))
}

type CopyInput = { Bucket: string; from: string; to: string }

async function copyObject(
  client: S3Client,
  { Bucket, from, to: Key }: CopyInput,
  abortSignal: AbortSignal,
): Promise<boolean> {
  const CopySource = `${Bucket}/${from.split('/').map(encodeURIComponent).join('/')}`
  const command = new CopyObjectCommand({ Bucket, Key, CopySource })
  return (await undefinedIfMissing(client.send(command, { abortSignal, ...UPLOAD_OPTIONS }))) !== undefined
}

/** For servers without conditional requests, checks first whether the object exists. */
async function putNew(
  client: S3Client,
  input: ObjectInput & { Body: Uint8Array },
  options: { abortSignal: AbortSignal },
): Promise<boolean> {
  try {
    await client.send(new PutObjectCommand({ ...input, IfNoneMatch: '*' }), options)
    return true
  } catch (error) {
    if (statusOf(error) === 412 || statusOf(error) === 409) return false
    if (!isUnsupported(error, /if-none-match/i)) throw error
  }
  const { Body: _, ...key } = input
  const exists = await client.send(new HeadObjectCommand(key), options).catch(error => {
    if (!isMissing(error)) throw error
  })
  if (exists) return false
  await client.send(new PutObjectCommand(input), options)
  return true
}

function statusOf(error: unknown): unknown {
  return field(field(error, '$metadata'), 'httpStatusCode')
}

async function* listObjects(
  runRequest: RunRequest,
  client: S3Client,
  Bucket: string,
  Prefix: string,
): AsyncGenerator<ListedObject> {
  for (let StartAfter: string | undefined; ; ) {
    const command = new ListObjectsV2Command({ Bucket, Prefix, StartAfter })
    const { Contents = [], IsTruncated } = await runRequest(abortSignal => client.send(command, { abortSignal }))
    for (const { Key = '', Size = 0 } of Contents) yield { key: Key, size: Size }
    StartAfter = Contents.at(-1)?.Key
    if (!IsTruncated || StartAfter === undefined) return
  }
}
