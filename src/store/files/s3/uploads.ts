import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { isMissing, isNotImplemented, isUploadGone } from './bucket-errors.ts'
import type { WithChecksum } from './checksum.ts'
import { type RunRequest, runUpload } from './request-runner.ts'

/** Objects that are uploaded in several parts. */
export type Uploads = {
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
export const UPLOAD_OPTIONS = { requestTimeout: 120_000 }

export function uploadsTo(
  Bucket: string,
  client: S3Client,
  runRequest: RunRequest,
  withChecksum: WithChecksum,
): Uploads {
  const abort: Uploads['abort'] = ({ key: Key, id: UploadId }) =>
    runRequest(async abortSignal => {
      await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }), { abortSignal }).catch(error => {
        if (!isMissing(error) && !isNotImplemented(error) && !isUploadGone(error)) throw error
      })
    })
  return {
    begin: Key =>
      runRequest(async abortSignal => {
        const begun = await withChecksum(hasChecksum => {
          const algorithm = hasChecksum ? ({ ChecksumAlgorithm: 'SHA256' } as const) : {}
          return client.send(new CreateMultipartUploadCommand({ Bucket, Key, ...algorithm }), { abortSignal })
        })
        if (begun.UploadId === undefined) throw new Error(`the server did not start an upload of ${Key}`)
        const upload = { Bucket, Key, UploadId: begun.UploadId }
        return {
          ...partsTo(upload, client, runRequest, withChecksum),
          abort: () => abort({ key: Key, id: upload.UploadId }),
        }
      }),
    unfinished: prefix => listUnfinished(runRequest, client, Bucket, prefix),
    abort,
  }
}

type Upload = { Bucket: string; Key: string; UploadId: string }

function partsTo(
  upload: Upload,
  client: S3Client,
  runRequest: RunRequest,
  withChecksum: WithChecksum,
): Omit<PartedUpload, 'abort'> {
  const { Bucket, Key } = upload
  const parts = new Map<number, { PartNumber: number; ETag: string | undefined; ChecksumSHA256: string | undefined }>()
  let bytesSent = 0
  return {
    add: (PartNumber, Body, ChecksumSHA256) =>
      runUpload(runRequest, async abortSignal => {
        const { ETag, ChecksumSHA256: kept } = await withChecksum(hasChecksum => {
          const command = new UploadPartCommand({ ...upload, PartNumber, Body, ...(hasChecksum && { ChecksumSHA256 }) })
          return client.send(command, { abortSignal, ...UPLOAD_OPTIONS })
        })
        bytesSent += Body.length
        parts.set(PartNumber, { PartNumber, ETag, ChecksumSHA256: kept })
      }),
    complete: () =>
      runUpload(runRequest, async abortSignal => {
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
      }),
  }
}

async function listUnfinished(
  runRequest: RunRequest,
  client: S3Client,
  Bucket: string,
  Prefix: string,
): Promise<Unfinished[]> {
  const uploads: Unfinished[] = []
  for (let marker: { KeyMarker?: string; UploadIdMarker?: string | undefined } = {}; ; ) {
    const command = new ListMultipartUploadsCommand({ Bucket, Prefix, ...marker })
    const reply = await runRequest(abortSignal =>
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
