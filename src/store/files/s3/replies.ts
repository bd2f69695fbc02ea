import { Readable } from 'node:stream'
import type { S3Client } from '@aws-sdk/client-s3'
import { field } from '../../../base/object.ts'
import { currentTrace, traceHeaders } from '../../../telemetry/trace-context.ts'
import { noteAttempt } from './request-runner.ts'

/**
 * Makes a client throw if a successful reply does not come from an S3 server: it must not mistake a proxy's page for an
 * empty list or a written object. Also adds trace headers to requests.
 */
export function assertReplies(client: S3Client): void {
  client.middlewareStack.add(
    next => async args => {
      const trace = currentTrace()
      if (trace && hasHeaders(args.request)) Object.assign(args.request.headers, traceHeaders(trace))
      return next(args)
    },
    { step: 'build', name: 'trace' },
  )
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

function hasHeaders(value: unknown): value is { headers: Record<string, string> } {
  return typeof value === 'object' && value !== null && 'headers' in value && typeof value.headers === 'object'
}
