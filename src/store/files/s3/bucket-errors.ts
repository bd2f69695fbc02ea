import { S3ServiceException } from '@aws-sdk/client-s3'
import { errorCode } from '../../../base/error.ts'
import type { BucketAddress } from '../../../settings/bucket-address.ts'
import { FilesOutage, hasTooManyOpen } from '../../store-error.ts'

/** An error of the client or the server in words, which say what to do; any other error as it is. */
export function explainError(error: unknown, address: BucketAddress): unknown {
  if (!(error instanceof Error) || error instanceof FilesOutage || hasTooManyOpen(error)) return error
  const fix =
    FIXES.get(error.name) ??
    fixOfStatus(error) ??
    (NO_REGION.test(error.message) ? REGION : undefined) ??
    (isUnreachable(error) ? REACH : undefined) ??
    (isUnreadable(error) ? OTHER_SERVER : undefined)
  if (fix === undefined) return error
  const { bucket, endpoint } = address
  const place = endpoint === undefined ? `bucket ${bucket}` : `bucket ${bucket} at ${endpoint}`
  return new FilesOutage(`cannot use ${place} (${reasonOf(error)})`, fix, {
    cause: error,
    isDown: AWAY.has(fix),
  })
}

/** Whether the error says that an object is not there. A bucket that is not there is another matter. */
export function isMissing(error: unknown): boolean {
  if (!(error instanceof S3ServiceException)) return false
  return error.name === 'NoSuchKey' || (error.$metadata.httpStatusCode === 404 && error.name === 'NotFound')
}

/** Whether the error says that the server does not know an operation, as small servers do. */
export function isNotImplemented(error: unknown): boolean {
  if (!(error instanceof S3ServiceException)) return false
  return error.$metadata.httpStatusCode === 501 || error.name === 'MethodNotAllowed' || error.name === 'NotImplemented'
}

/** Whether the error says that an upload has been completed or aborted. */
export function isUploadGone(error: unknown): boolean {
  return error instanceof Error && error.name === 'NoSuchUpload'
}

const RIGHTS =
  'let its key list the bucket and its unfinished uploads, and read, write and remove objects (docs/several-nodes.md names the rights)'
const KEYS =
  'see that AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, the profile or the role are those of this server, and have not expired'
const REGION = 'name the region of the bucket, as in s3://bucket/prefix?region=eu-central-1, or in AWS_REGION'
const REACH = 'see that the server runs and that the address is right'
const LATER = 'the server is busy or fails: look at it'
const OTHER_SERVER = 'see what answers at this address: a proxy on the way, or a server that does not speak S3'
/** What says that a server is away, and may be back by itself. */
const AWAY: ReadonlySet<string> = new Set([REACH, LATER])

/** What to do, by the code of an error (https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html). */
const FIXES: ReadonlyMap<string, string> = new Map([
  ['NoSuchBucket', 'make the bucket, or name another with --files'],
  ['InvalidBucketName', 'name a bucket as the server allows: 3 to 63 lower-case letters, digits, hyphens and dots'],
  ['AccessDenied', RIGHTS],
  ['AllAccessDisabled', RIGHTS],
  ['InvalidAccessKeyId', KEYS],
  ['SignatureDoesNotMatch', KEYS],
  ['ExpiredToken', KEYS],
  ['InvalidToken', KEYS],
  ['CredentialsProviderError', KEYS],
  ['TokenProviderError', KEYS],
  ['ProviderError', KEYS],
  ['AuthorizationHeaderMalformed', REGION],
  ['PermanentRedirect', REGION],
  ['IllegalLocationConstraintException', REGION],
  ['RequestTimeTooSkewed', 'set the clock of this machine'],
  ['XAmzContentSHA256Mismatch', 'the bytes were changed on their way: look at the network'],
  ['BadDigest', 'the bytes were changed on their way: look at the network'],
  ['EntityTooLarge', 'the server takes no file of this size: raise its limit, or lower --max-file'],
  ['QuotaExceeded', 'make room in the bucket'],
  ['SlowDown', LATER],
  ['ForeignReply', OTHER_SERVER],
  ['TimeoutError', REACH],
])

function fixOfStatus(error: Error): string | undefined {
  if (!(error instanceof S3ServiceException)) return undefined
  const status = error.$metadata.httpStatusCode ?? 0
  if (status === 301 || status === 307) return REGION
  if (status > 301 && status < 400) return OTHER_SERVER
  if (status === 401 || status === 403) return RIGHTS
  if (status === 404) return 'make the bucket, or name another with --files'
  return LATER
}

/** Whether the client could not read a reply, as it notes in the error. */
function isUnreadable(error: Error): boolean {
  return '$response' in error || '$metadata' in error
}

/** The client throws a plain error. */
const NO_REGION = /^Region is missing/

/** Codes of the system and of Node for a connection that fails or ends. */
function isUnreachable(error: Error): boolean {
  return /^(E[A-Z_]+|UNABLE_[A-Z_]+|[A-Z_]*CERT[A-Z_]*)$/.test(errorCode(error))
}

function reasonOf(error: Error): string {
  const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined
  const name = status === undefined ? error.message || errorCode(error) : `${status} ${error.name}`
  return name.replace(/\s+/g, ' ').slice(0, 200)
}
