import { Readable } from 'node:stream'
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3'
import type { BucketAddress } from '../../../settings/bucket-address.ts'
import type { Part } from '../files.ts'
import { explainedError, isMissing, isNotBuilt } from './bucket-errors.ts'
import { type Asked, SENDING, type Uploads, uploadsTo } from './uploads.ts'

/**
 * What is asked of a bucket. Each request has a limit and is repeated a few times, after a random wait, if the server
 * fails or cannot be reached. Errors say in words what to do.
 */
export type Bucket = Uploads & {
  /** An object or a part of it; undefined if it is not there. Its bytes must be read or destroyed. */
  get: (key: string, part?: Part) => Promise<ObjectBytes | undefined>
  /** The size of an object in bytes; undefined if it is not there. */
  size: (key: string) => Promise<number | undefined>
  /** Writes an object in one request. `sha256` is in base64. */
  put: (key: string, bytes: Uint8Array, sha256: string) => Promise<void>
  /** Writes an object unless one of its key is there; false if there is one. */
  putNew: (key: string, bytes: Uint8Array) => Promise<boolean>
  /** Has the server copy an object of at most 5 GiB; false if it is not there. */
  copy: (from: string, to: string) => Promise<boolean>
  remove: (key: string) => Promise<void>
  /** All objects whose keys begin so, in the order of their keys, from a thousand at a time. */
  list: (prefix: string) => AsyncGenerator<ListedObject>
}

export type ListedObject = { key: string; size: number }

/** The bytes of a reply, and how many bytes the whole object has. */
export type ObjectBytes = { body: Readable; start: number; total: number }

/** Opens a bucket. Credentials come from the variables, files and roles that every tool of AWS knows. */
export function openBucket(address: BucketAddress): Bucket {
  const Bucket = address.bucket
  const client = new S3Client(clientConfig(address))
  const asked: Asked = async work => {
    try {
      return await work()
    } catch (error) {
      throw explainedError(error, address)
    }
  }
  const ifThere = <Value>(work: () => Promise<Value>): Promise<Value | undefined> =>
    asked(() => work().catch(error => (isMissing(error) ? undefined : Promise.reject(error))))
  const size = (Key: string) =>
    ifThere(async () => (await client.send(new HeadObjectCommand({ Bucket, Key }))).ContentLength ?? 0)
  return {
    get: (Key, part) =>
      ifThere(async () => {
        const Range = part && `bytes=${part.start}-${part.end}`
        const reply = await client.send(new GetObjectCommand({ Bucket, Key, ...(Range && { Range }) }))
        if (!(reply.Body instanceof Readable)) throw new Error(`the object ${Key} came without a stream of its bytes`)
        return { body: reply.Body, ...extentOf(reply.ContentRange, reply.ContentLength) }
      }),
    size,
    put: (Key, Body, ChecksumSHA256) =>
      asked(async () => {
        await client.send(new PutObjectCommand({ Bucket, Key, Body, ChecksumSHA256 }), SENDING)
      }),
    putNew: (Key, Body) => asked(() => putNew(client, { Bucket, Key, Body })),
    copy: async (from, Key) => {
      const CopySource = `${Bucket}/${from.split('/').map(encodeURIComponent).join('/')}`
      return (
        (await ifThere(() => client.send(new CopyObjectCommand({ Bucket, Key, CopySource }), SENDING))) !== undefined
      )
    },
    remove: Key => asked(async () => void (await client.send(new DeleteObjectCommand({ Bucket, Key })))),
    list: prefix => listed(asked, client, Bucket, prefix),
    ...uploadsTo(Bucket, client, asked),
  }
}

/** Checksums are ours, named in each request: trailing ones, which the client would add, are unknown to many servers. */
function clientConfig({ region, endpoint, isPathStyle }: BucketAddress): S3ClientConfig {
  return {
    ...(region !== undefined && { region }),
    ...(endpoint !== undefined && { endpoint }),
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

/** A client that reads slowly keeps its connection, so there are many. */
const CONNECTIONS = { keepAlive: true, maxSockets: 512 }

function ignore(): void {}
const SILENT = { trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore }

/** `Content-Range: bytes 0-99/500` (RFC 9110 §14.4); without it the reply is the whole. */
function extentOf(range: string | undefined, length = 0): { start: number; total: number } {
  const [, start, total] = /^bytes (\d+)-\d+\/(\d+)$/.exec(range ?? '') ?? []
  return { start: Number(start ?? 0), total: total === undefined ? length : Number(total) }
}

type ObjectInput = { Bucket: string; Key: string }

/** Servers that know no condition are asked first whether the object is there. */
async function putNew(client: S3Client, input: ObjectInput & { Body: Uint8Array }): Promise<boolean> {
  try {
    await client.send(new PutObjectCommand({ ...input, IfNoneMatch: '*' }))
    return true
  } catch (error) {
    if (statusOf(error) === 412 || statusOf(error) === 409) return false
    if (!isNotBuilt(error)) throw error
  }
  const { Body: _, ...key } = input
  const isThere = await client.send(new HeadObjectCommand(key)).catch(error => {
    if (!isMissing(error)) throw error
  })
  if (isThere) return false
  await client.send(new PutObjectCommand(input))
  return true
}

function statusOf(error: unknown): unknown {
  if (!(error instanceof Error && '$metadata' in error)) return undefined
  const { $metadata: metadata } = error
  return typeof metadata === 'object' && metadata && 'httpStatusCode' in metadata ? metadata.httpStatusCode : undefined
}

async function* listed(asked: Asked, client: S3Client, Bucket: string, Prefix: string): AsyncGenerator<ListedObject> {
  for (let StartAfter: string | undefined; ; ) {
    const command = new ListObjectsV2Command({ Bucket, Prefix, ...(StartAfter && { StartAfter }) })
    const { Contents = [], IsTruncated } = await asked(() => client.send(command))
    for (const { Key = '', Size = 0 } of Contents) yield { key: Key, size: Size }
    StartAfter = Contents.at(-1)?.Key
    if (!IsTruncated || StartAfter === undefined) return
  }
}
