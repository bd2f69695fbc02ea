import { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  type GetObjectCommandOutput,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { field, withoutUndefined } from '#platform/base/object.ts'
import { groupsOf } from '#platform/base/text.ts'
import type { BucketAddress } from '#platform/settings/shared-addresses.ts'
import { currentTrace, traceHeaders } from '#platform/telemetry/trace-context.ts'
import type { Part } from '../files.ts'
import {
  createRequestRunner,
  isMissing,
  isNotImplemented,
  isUnsupported,
  isUploadGone,
  noteAttempt,
  type RunRequest,
  UPLOAD,
} from './requests.ts'

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
  remove: (key: string) => Promise<unknown>
  /** All objects with this key prefix, in key order, a thousand per request. */
  list: (prefix: string) => AsyncGenerator<ListedObject>
}

export type ListedObject = { key: string; size: number }

/** The bytes of a reply, and the size of the whole object. */
export type ObjectBytes = { body: Readable; start: number; total: number }

/** Opens a bucket with the credentials of this machine. The signal aborts every request. */
export function openBucket(address: BucketAddress, closing?: AbortSignal): Bucket {
  const client = new S3Client(clientConfig(address))
  traceRequests(client)
  assertReplies(client)
  const run = createRequestRunner(address, closing)
  const requests = { Bucket: address.bucket, client, run, withChecksum: checksumsOf() }
  return { ...readsFrom(requests), ...writesTo(requests), ...uploadsTo(requests) }
}

function readsFrom(requests: Requests): Pick<Bucket, 'get' | 'text' | 'size' | 'list'> {
  const { Bucket, client, run } = requests
  return {
    get: (Key, { part, signal } = {}) =>
      run(
        abortSignal => {
          const Range = part && `bytes=${part.start}-${part.end}`
          const command = new GetObjectCommand({ Bucket, Key, Range })
          return undefinedIfMissing(client.send(command, { abortSignal, ...DOWNLOAD_OPTIONS }).then(bytesOf))
        },
        { signal },
      ),
    text: (Key, limitMs) =>
      run(
        async abortSignal => {
          const reply = await undefinedIfMissing(client.send(new GetObjectCommand({ Bucket, Key }), { abortSignal }))
          return reply && readShortText(bytesOf(reply))
        },
        { limitMs },
      ),
    size: Key =>
      run(async abortSignal => {
        const head = await undefinedIfMissing(client.send(new HeadObjectCommand({ Bucket, Key }), { abortSignal }))
        return head && (head.ContentLength ?? 0)
      }),
    list: prefix => listObjects(requests, prefix),
  }
}

function writesTo({ Bucket, client, run, withChecksum }: Requests): Pick<Bucket, 'put' | 'putNew' | 'copy' | 'remove'> {
  return {
    put: (Key, Body, ChecksumSHA256) =>
      run(async abortSignal => {
        await withChecksum(hasChecksum => {
          const command = new PutObjectCommand({ Bucket, Key, Body, ...(hasChecksum && { ChecksumSHA256 }) })
          return client.send(command, { abortSignal, ...UPLOAD_OPTIONS })
        })
      }, UPLOAD),
    putNew: (Key, Body) => run(abortSignal => putNew(client, { Bucket, Key, Body }, { abortSignal })),
    copy: (from, Key) =>
      run(async abortSignal => {
        const CopySource = `${Bucket}/${from.split('/').map(encodeURIComponent).join('/')}`
        const command = new CopyObjectCommand({ Bucket, Key, CopySource })
        return (await undefinedIfMissing(client.send(command, { abortSignal, ...UPLOAD_OPTIONS }))) !== undefined
      }, UPLOAD),
    remove: Key => run(abortSignal => client.send(new DeleteObjectCommand({ Bucket, Key }), { abortSignal })),
  }
}

/** The bucket, its client, and how to run its requests and send its uploads. */
type Requests = { Bucket: string; client: S3Client; run: RunRequest; withChecksum: WithChecksum }

/** Requests carry our own checksums: many servers lack the trailing ones that the client would add. */
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
/** The unread log of the client: errors say what matters. */
const SILENT = { trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore }

/** The time limit of one attempt to get the first byte of an object. */
const DOWNLOAD_OPTIONS = { requestTimeout: 5000 }

/** The bytes of a reply with an object, and their place in it. */
function bytesOf({ Body: body, ContentRange, ContentLength }: GetObjectCommandOutput): ObjectBytes {
  if (!(body instanceof Readable)) throw new Error('the reply with an object has no byte stream')
  return { body, ...extentOf(ContentRange, ContentLength) }
}

/** Reads an object that should be short. Throws if it is not. */
async function readShortText({ body, total }: ObjectBytes): Promise<string> {
  if (total <= MAX_TEXT_BYTES) return Buffer.concat(await body.toArray()).toString('utf8')
  body.destroy()
  throw new Error(`an object that should be short has ${total} bytes`)
}

const MAX_TEXT_BYTES = 1000

/** `Content-Range: bytes 0-99/500` (RFC 9110 §14.4); without it, the reply is the whole object. */
function extentOf(range: string | undefined, length = 0): { start: number; total: number } {
  const [, start, total] = groupsOf(/^bytes (\d+)-\d+\/(\d+)$/, range ?? '')
  return { start: Number(start ?? 0), total: total === undefined ? length : Number(total) }
}

function undefinedIfMissing<Value>(work: Promise<Value>): Promise<Value | undefined> {
  return work.catch(error => (isMissing(error) ? undefined : Promise.reject(error)))
}

/**
 * Writes an object unless its key exists: then, servers answer 412, or 409 if another one is writing it. For servers
 * without conditional requests, checks first whether the object exists.
 */
async function putNew(
  client: S3Client,
  input: { Bucket: string; Key: string; Body: Uint8Array },
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

async function* listObjects({ Bucket, client, run }: Requests, Prefix: string): AsyncGenerator<ListedObject> {
  let lastKey: string | undefined
  do {
    const command = new ListObjectsV2Command({ Bucket, Prefix, StartAfter: lastKey })
    const { Contents = [], IsTruncated } = await run(abortSignal => client.send(command, { abortSignal }))
    for (const { Key = '', Size = 0 } of Contents) yield { key: Key, size: Size }
    lastKey = IsTruncated ? Contents.at(-1)?.Key : undefined
  } while (lastKey !== undefined)
}

function traceRequests(client: S3Client): void {
  client.middlewareStack.add(
    next => async args => {
      const trace = currentTrace()
      if (trace && hasHeaders(args.request)) Object.assign(args.request.headers, traceHeaders(trace))
      return next(args)
    },
    { step: 'build', name: 'trace' },
  )
}

function hasHeaders(value: unknown): value is { headers: Record<string, string> } {
  return typeof value === 'object' && value !== null && 'headers' in value && typeof value.headers === 'object'
}

/**
 * Makes a client throw if a successful reply does not come from an S3 server: it must not mistake a proxy's page for an
 * empty list or a written object.
 */
function assertReplies(client: S3Client): void {
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async args => {
        const result = await next(args).catch(error => {
          noteAttempt(error)
          throw error
        })
        const required = REQUIRED.get(commandName)
        if (required === undefined || field(result.output, required) !== undefined) return result
        const body = field(result.output, 'Body')
        if (body instanceof Readable) body.destroy()
        throw Object.assign(new Error(`the reply lacks ${required}, which S3 replies have`), { name: 'ForeignReply' })
      },
    { step: 'finalizeRequest', priority: 'low', name: 'reply' },
  )
}

/**
 * A field that every S3 server sends, by command
 * (https://docs.aws.amazon.com/AmazonS3/latest/API/API_Operations_Amazon_Simple_Storage_Service.html).
 */
const REQUIRED: ReadonlyMap<string, string> = new Map([
  ['GetObjectCommand', 'ETag'],
  ['HeadObjectCommand', 'ETag'],
  ['PutObjectCommand', 'ETag'],
  ['CreateMultipartUploadCommand', 'UploadId'],
  ['UploadPartCommand', 'ETag'],
  ['CopyObjectCommand', 'CopyObjectResult'],
  ['CompleteMultipartUploadCommand', 'ETag'],
  ['ListObjectsV2Command', 'IsTruncated'],
])

/** Objects that are uploaded in several parts. */
type Uploads = {
  /** Begins an upload. The object becomes visible when it is complete. */
  begin: (key: string) => Promise<PartedUpload>
  /** Uploads that were neither completed nor aborted; empty if the server cannot list them. */
  unfinished: (prefix: string) => Promise<readonly Unfinished[]>
  abort: (upload: Unfinished) => Promise<void>
}

/** Parts are numbered from 1; all except the last have the same size. */
type PartedUpload = {
  /** `sha256` is in base64. */
  add: (number: number, bytes: Uint8Array, sha256: string) => Promise<void>
  complete: () => Promise<void>
  abort: () => Promise<void>
}

type Unfinished = { key: string; id: string }

/** Sending a part may take longer than waiting for the reply to another request. */
const UPLOAD_OPTIONS = { requestTimeout: 120_000 }

function uploadsTo(requests: Requests): Uploads {
  const { Bucket, client, run, withChecksum } = requests
  const abort: Uploads['abort'] = ({ key: Key, id: UploadId }) =>
    run(async abortSignal => {
      await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }), { abortSignal }).catch(error => {
        if (!isMissing(error) && !isNotImplemented(error) && !isUploadGone(error)) throw error
      })
    })
  return {
    begin: Key =>
      run(async abortSignal => {
        const begun = await withChecksum(hasChecksum => {
          const algorithm = hasChecksum ? ({ ChecksumAlgorithm: 'SHA256' } as const) : {}
          return client.send(new CreateMultipartUploadCommand({ Bucket, Key, ...algorithm }), { abortSignal })
        })
        if (begun.UploadId === undefined) throw new Error(`the server did not start an upload of ${Key}`)
        const id = begun.UploadId
        return { ...partsTo(requests, { Bucket, Key, UploadId: id }), abort: () => abort({ key: Key, id }) }
      }),
    unfinished: prefix => listUnfinished(requests, prefix),
    abort,
  }
}

function partsTo(
  { client, run, withChecksum }: Requests,
  upload: { Bucket: string; Key: string; UploadId: string },
): Omit<PartedUpload, 'abort'> {
  const { Bucket, Key } = upload
  const parts = new Map<number, { PartNumber: number; ETag: string | undefined; ChecksumSHA256: string | undefined }>()
  let bytesSent = 0
  return {
    add: (PartNumber, Body, ChecksumSHA256) =>
      run(async abortSignal => {
        const { ETag, ChecksumSHA256: kept } = await withChecksum(hasChecksum => {
          const command = new UploadPartCommand({ ...upload, PartNumber, Body, ...(hasChecksum && { ChecksumSHA256 }) })
          return client.send(command, { abortSignal, ...UPLOAD_OPTIONS })
        })
        bytesSent += Body.length
        parts.set(PartNumber, { PartNumber, ETag, ChecksumSHA256: kept })
      }, UPLOAD),
    complete: () =>
      run(async abortSignal => {
        const Parts = [...parts.values()].sort((one, other) => one.PartNumber - other.PartNumber)
        const command = new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } })
        try {
          await client.send(command, { abortSignal, ...UPLOAD_OPTIONS })
        } catch (error) {
          if (!isUploadGone(error)) throw error
          // An earlier attempt, whose reply was lost, has completed the upload.
          const { ContentLength } = await client.send(new HeadObjectCommand({ Bucket, Key }), { abortSignal })
          if (ContentLength !== bytesSent) throw error
        }
      }, UPLOAD),
  }
}

async function listUnfinished({ Bucket, client, run }: Requests, Prefix: string): Promise<Unfinished[]> {
  const uploads: Unfinished[] = []
  for (let marker: { KeyMarker?: string; UploadIdMarker?: string | undefined } = {}; ; ) {
    const command = new ListMultipartUploadsCommand({ Bucket, Prefix, ...marker })
    const reply = await run(abortSignal =>
      client.send(command, { abortSignal }).catch(error => {
        if (!isNotImplemented(error)) throw error
      }),
    )
    for (const { Key, UploadId } of reply?.Uploads ?? [])
      if (Key !== undefined && UploadId !== undefined) uploads.push({ key: Key, id: UploadId })
    if (!reply?.IsTruncated || !reply.NextKeyMarker) return uploads
    marker = { KeyMarker: reply.NextKeyMarker, UploadIdMarker: reply.NextUploadIdMarker }
  }
}

/** Sends an upload with our checksum, or without it to a server that does not support it. */
type WithChecksum = <Value>(send: (hasChecksum: boolean) => Promise<Value>) => Promise<Value>

/**
 * Makes a function that sends uploads to a bucket. Some servers reject the fields of checksums; from then on, it sends
 * none. Objects are compared with their hash when they are read.
 */
function checksumsOf(): WithChecksum {
  let isSupported = true
  return async send => {
    if (!isSupported) return send(false)
    try {
      return await send(true)
    } catch (error) {
      if (!isUnsupported(error, CHECKSUM_FIELD)) throw error
      const value = await send(false)
      isSupported = false
      return value
    }
  }
}

const CHECKSUM_FIELD = /x-amz-(?:sdk-)?checksum/i
