import type { OperationId } from './operations.ts'
import { REFUSALS } from './refusals.ts'
import type { Schema } from './schema.ts'

/** A header field of replies. */
export type ReplyHeader = {
  name: string
  description: string
  statuses: readonly number[]
  /** Whether some replies with one of these statuses do not have it. */
  isOptional?: true
  /** The operations whose replies have it; all by default. */
  operations?: readonly OperationId[]
  schema: Schema
}

/** The statuses of error replies, in ascending order. */
export const ERROR_STATUSES: readonly number[] = [
  ...new Set(Object.values(REFUSALS).map(({ status }) => status)),
].toSorted((one, other) => one - other)

const ANSWERED = [200, 304]
const COUNTED = [200, 304, 403, 404, 429]

/** The header fields of replies, keyed by component name: the source of the OpenAPI document and docs/api.md. */
export const REPLY_HEADERS: Readonly<Record<string, ReplyHeader>> = {
  ETag: {
    name: 'ETag',
    description: 'A strong entity tag of the bytes of the reply, for `If-None-Match`.',
    statuses: ANSWERED,
    schema: string('"EKkR1p87Ca_gfcubWe4q4sWkMrC"', '^"[^"]+"$'),
  },
  CacheControl: {
    name: 'Cache-Control',
    description: 'Only the client may store the reply, and it must revalidate it before each use.',
    statuses: ANSWERED,
    schema: string('private, no-cache', '^private, no-cache$'),
  },
  NoStore: {
    name: 'Cache-Control',
    description: 'The error must not be stored.',
    statuses: ERROR_STATUSES,
    schema: string('no-store', '^no-store$'),
  },
  Vary: {
    name: 'Vary',
    description: 'The request fields that the reply depends on.',
    statuses: ANSWERED,
    schema: string('Authorization, Accept-Encoding'),
  },
  HousestyleRevision: {
    name: 'Housestyle-Revision',
    description: 'The served revision, and the SHA-256 of its content.',
    statuses: ANSWERED,
    operations: ['getProject', 'listPages', 'getPage', 'getStyles', 'listFiles'],
    schema: string(
      '1;snapshot="443512c2d7f0d49de53f903abf4fd81ac588b31bb583a4c4ca3f2a2a0d8ab735"',
      '^[1-9]\\d*;snapshot="[0-9a-f]{64}"$',
    ),
  },
  RateLimit: {
    name: 'RateLimit',
    description:
      'The remaining limit: `r` requests now, `t` seconds until the next one is available. Absent if the service has no limit.',
    statuses: COUNTED,
    isOptional: true,
    schema: string('"workspace";r=599;t=60', '^"workspace";r=\\d+;t=\\d+$'),
  },
  RateLimitPolicy: {
    name: 'RateLimit-Policy',
    description: 'The limit of the workspace: `q` requests in `w` seconds. Absent if the service has no limit.',
    statuses: COUNTED,
    isOptional: true,
    schema: string('"workspace";q=600;w=60', '^"workspace";q=\\d+;w=\\d+$'),
  },
  RetryAfter: {
    name: 'Retry-After',
    description: 'The number of seconds to wait before the next request.',
    statuses: [429, 503],
    isOptional: true,
    schema: { type: 'integer', minimum: 0, examples: [60] },
  },
  WwwAuthenticate: {
    name: 'WWW-Authenticate',
    description: 'The required authentication, and the problem with the token (RFC 6750).',
    statuses: [401, 403],
    schema: string('Bearer realm="housestyle"', '^Bearer realm="housestyle"'),
  },
  Allow: {
    name: 'Allow',
    description: 'The methods that the address supports.',
    statuses: [405],
    schema: string('GET, HEAD, OPTIONS'),
  },
  RequestId: {
    name: 'X-Request-Id',
    description: 'Identifies the request in the service log.',
    statuses: [...ANSWERED, ...ERROR_STATUSES],
    isOptional: true,
    schema: string('k3Jx9_Qa-1f'),
  },
}

function string(example: string, pattern?: string): Schema {
  return { type: 'string', ...(pattern !== undefined && { pattern }), examples: [example] }
}
