import { AsyncLocalStorage } from 'node:async_hooks'
import { S3ServiceException } from '@aws-sdk/client-s3'
import { errorCode, errorMessage } from '#platform/base/error.ts'
import type { BucketAddress } from '#platform/settings/shared-addresses.ts'
import { FilesOutage, hasTooManyOpen } from '../../store-error.ts'

/**
 * Runs requests to a server, including all retries, within a time limit, and explains errors. If the signal of the
 * caller aborts, the work ends with the reason of the signal.
 */
export type RunRequest = <Value>(work: (signal: AbortSignal) => Promise<Value>, limit?: RequestLimit) => Promise<Value>

/** `limitMs` is in milliseconds; the default is 30 seconds. */
type RequestLimit = { limitMs?: number | undefined; signal?: AbortSignal | undefined }

/** Creates the runner of the requests to a bucket. `bucketSignal` ends all of them. */
export function createRequestRunner(address: BucketAddress, bucketSignal?: AbortSignal): RunRequest {
  return async (work, { limitMs = REQUEST_LIMIT_MS, signal: callerSignal } = {}) => {
    const signal =
      callerSignal && bucketSignal ? AbortSignal.any([callerSignal, bucketSignal]) : (callerSignal ?? bucketSignal)
    signal?.throwIfAborted()
    const ending = new AbortController()
    const end = () => ending.abort(signal?.reason)
    signal?.addEventListener('abort', end, { once: true })
    const limitTimer = setTimeout(() => ending.abort(), limitMs)
    const attempts: Attempts = {}
    try {
      return await ATTEMPTS.run(attempts, () => work(ending.signal))
    } catch (error) {
      signal?.throwIfAborted()
      throw explainError(ending.signal.aborted ? causeOfTimeout(limitMs, attempts.latestError) : error, address)
    } finally {
      clearTimeout(limitTimer)
      signal?.removeEventListener('abort', end)
    }
  }
}

const REQUEST_LIMIT_MS = 30_000

/** The error of the latest attempt at a request: its time may end while the client waits for the next attempt. */
type Attempts = { latestError?: unknown }
const ATTEMPTS = new AsyncLocalStorage<Attempts>()

/** Notes the error of an attempt at the current request. */
export function noteAttempt(error: unknown): void {
  const attempts = ATTEMPTS.getStore()
  if (attempts) attempts.latestError = error
}

/** The limit of requests that send bytes. */
export const UPLOAD = { limitMs: 10 * 60_000 }

/** Turns an error of the client or the server into one that says what to do; returns any other error unchanged. */
function explainError(error: unknown, address: BucketAddress): unknown {
  if (!(error instanceof Error) || error instanceof FilesOutage || hasTooManyOpen(error)) return error
  const fix = FIXES.get(error.name) ?? fixOfStatus(error) ?? fixOfForm(error)
  if (fix === undefined) return error
  const { bucket, endpoint } = address
  const place = endpoint === undefined ? `bucket ${bucket}` : `bucket ${bucket} at ${endpoint}`
  return new FilesOutage(`cannot use ${place}${codeOf(error)}`, fix, {
    cause: error,
    isDown: UNAVAILABLE.has(fix),
    said: saidBy(error),
  })
}

/** The error of a request that ran out of time: that of its latest attempt, if that got a reply. */
function causeOfTimeout(limitMs: number, latest: unknown): unknown {
  if (latest instanceof S3ServiceException) return latest
  return Object.assign(new Error(`no reply within ${limitMs / 1000} s`), { name: 'TimeoutError' })
}

/** Whether the error says that an object does not exist. A missing bucket is a different error. */
export function isMissing(error: unknown): boolean {
  if (!(error instanceof S3ServiceException)) return false
  return error.name === 'NoSuchKey' || (error.$metadata.httpStatusCode === 404 && error.name === 'NotFound')
}

/** Whether the error says that the server does not support an operation, as with small servers. */
export function isNotImplemented(error: unknown): boolean {
  if (!(error instanceof S3ServiceException)) return false
  return error.$metadata.httpStatusCode === 501 || error.name === 'MethodNotAllowed' || error.name === 'NotImplemented'
}

/**
 * Whether a server rejects a request because of a field that it does not support. Many answer 501, and some 400 with the
 * name of the field.
 */
export function isUnsupported(error: unknown, field: RegExp): boolean {
  if (isNotImplemented(error)) return true
  return (
    error instanceof S3ServiceException &&
    error.$metadata.httpStatusCode === 400 &&
    !FIXES.has(error.name) &&
    field.test(error.message)
  )
}

/** Whether the error says that an upload was already completed or aborted. */
export function isUploadGone(error: unknown): boolean {
  return error instanceof Error && error.name === 'NoSuchUpload'
}

const NO_BUCKET = 'create the bucket, or name another with --files'
const RIGHTS =
  'allow its key to list the bucket and its unfinished uploads, and to read, write and remove objects (docs/several-nodes.md lists the permissions)'
const KEYS =
  'check that AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, the profile or the role belong to this server and have not expired'
const REGION = 'name the region of the bucket, as in s3://bucket/prefix?region=eu-central-1, or in AWS_REGION'
const REACH = 'check that the server runs and that the address is right'
const LATER = 'the server is overloaded or failing: check it'
const UNSUPPORTED = 'the server rejects this request: check that it supports it, or use another server'
const OTHER_SERVER = 'check what answers at this address: it may be a proxy, or a server without S3 support'
/** Fixes for a server that is unavailable and may recover by itself. */
const UNAVAILABLE: ReadonlySet<string> = new Set([REACH, LATER])

/** The fixes by error codes (https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html). */
const CODES: readonly (readonly [codes: string, fix: string])[] = [
  ['NoSuchBucket', NO_BUCKET],
  ['InvalidBucketName', 'use a valid bucket name: 3 to 63 lower-case letters, digits, hyphens and dots'],
  ['AccessDenied AllAccessDisabled', RIGHTS],
  ['InvalidAccessKeyId SignatureDoesNotMatch ExpiredToken InvalidToken', KEYS],
  ['CredentialsProviderError TokenProviderError ProviderError', KEYS],
  ['AuthorizationHeaderMalformed PermanentRedirect IllegalLocationConstraintException', REGION],
  ['RequestTimeTooSkewed', 'set the clock of this machine'],
  ['XAmzContentSHA256Mismatch BadDigest', 'the bytes were changed in transit: check the network'],
  ['EntityTooLarge', 'the server does not accept files of this size: raise its limit, or lower --max-file'],
  ['QuotaExceeded', 'free some space in the bucket'],
  ['SlowDown RequestTimeout', LATER],
  ['ForeignReply', OTHER_SERVER],
  ['TimeoutError', REACH],
]
const FIXES: ReadonlyMap<string, string> = new Map(
  CODES.flatMap(([codes, fix]) => codes.split(' ').map(code => [code, fix])),
)

/** The fix for a reply by its status, if its code is unknown. */
function fixOfStatus(error: Error): string | undefined {
  if (!(error instanceof S3ServiceException)) return undefined
  const status = error.$metadata.httpStatusCode ?? 0
  if (status === 301 || status === 307) return REGION
  if (status > 301 && status < 400) return OTHER_SERVER
  if (status === 401 || status === 403) return RIGHTS
  if (status === 404) return NO_BUCKET
  return status === 501 || (status < 500 && !BUSY.has(status)) ? UNSUPPORTED : LATER
}

/** Statuses of a busy server below 500. */
const BUSY: ReadonlySet<number> = new Set([0, 408, 409, 425, 429])

/** The fix for an error without a code or a status of the server. */
function fixOfForm(error: Error): string | undefined {
  if (NO_REGION.test(error.message)) return REGION
  if (isUnreachable(error)) return REACH
  return isUnreadable(error) ? OTHER_SERVER : undefined
}

/** Whether the client could not parse a reply, which it marks in the error. */
function isUnreadable(error: Error): boolean {
  return '$response' in error || '$metadata' in error
}

/** The client throws a plain `Error` for this. */
const NO_REGION = /^Region is missing/

/**
 * Whether a connection failed or ended, by the codes of the system and of Node: `ECONNREFUSED`, `ERR_TLS_HANDSHAKE_TIMEOUT`,
 * `UNABLE_TO_VERIFY_LEAF_SIGNATURE`, `CERT_HAS_EXPIRED`.
 */
function isUnreachable(error: Error): boolean {
  return /^(?=E.|UNABLE_.|.*CERT)[A-Z_]+$/.test(errorCode(error))
}

/** The status and the code of a reply, in brackets; empty without a reply. */
function codeOf(error: Error): string {
  const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined
  return status === undefined ? '' : ` (${status} ${error.name})`
}

/** The words of the server or the client. A reply without a message gets a placeholder from the client. */
function saidBy(error: Error): string {
  const said = errorMessage(error).replace(/(?<!\s)\s*Deserialization error: to see the raw response.*$/s, '')
  return said === error.name || PLACEHOLDER.test(said) ? '' : said
}

/** The words of the client for a reply without a message. */
const PLACEHOLDER = /^Unknown(?:Error)?$/
