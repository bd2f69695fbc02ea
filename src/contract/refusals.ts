import type { HeaderList, Reply } from '../exchange/message.ts'
import { json } from '../exchange/reply.ts'
import type { Scope } from './operations.ts'

/** A request that is not answered, and why: a value that becomes an error reply. */
export type Refusal = { id: RefusalId; description: string; headers: HeaderList }

type RefusalRow = { status: number; error: string; description: string }

/**
 * Every reason to refuse a request: the one source of error replies, of docs/errors.md and of the OpenAPI document.
 * A description says what was asked, what is wrong and what to do; it never repeats what the request said.
 */
export const REFUSALS = {
  'malformed-request': {
    status: 400,
    error: 'invalid_request',
    description:
      'The request cannot be read: an id is missing or empty, or the path has a broken percent-encoding, a NUL or "..". Write the path as the documentation shows, with each id percent-encoded once.',
  },
  'malformed-http': {
    status: 400,
    error: 'invalid_request',
    description:
      'The bytes received are not a well-formed HTTP/1.1 request. Send a request line, one Host field and well-formed header fields (RFC 9112).',
  },
  'request-timeout': {
    status: 408,
    error: 'invalid_request',
    description: 'The request did not arrive in full in time. Send it again without pauses.',
  },
  'body-too-large': {
    status: 413,
    error: 'invalid_request',
    description: 'The request has a body of more than 64 KiB. No operation takes a body: send the request without one.',
  },
  'target-too-long': {
    status: 414,
    error: 'invalid_request',
    description: 'The request target is longer than 8 KiB. Shorten the path or leave out the query.',
  },
  'headers-too-large': {
    status: 431,
    error: 'invalid_request',
    description: 'The header fields of the request are too large. Send fewer or shorter fields, cookies among them.',
  },
  'no-credentials': {
    status: 401,
    error: 'invalid_client',
    description:
      'The request carries no bearer token. Send the header "Authorization: Bearer <ACCESS_TOKEN>"; whoever runs the service issues tokens with `housestyle token issue`.',
  },
  'invalid-token': {
    status: 401,
    error: 'invalid_client',
    description:
      'The bearer token is not valid here: it is malformed, expired, revoked, sent more than once, or was issued by or for another service. Send a current token of this service.',
  },
  'insufficient-scope': {
    status: 403,
    error: 'access_denied',
    description: 'The token does not carry the scope that this operation needs. Use a token with this scope.',
  },
  'not-found': {
    status: 404,
    error: 'not_found',
    description:
      'There is nothing at this address for this request: the address is unknown, the project is not published, or the token does not cover it. Check the address, that the project is published, and what the token covers.',
  },
  'method-not-allowed': {
    status: 405,
    error: 'method_not_allowed',
    description: 'This address cannot be asked with this method. Use one of the methods that the Allow field names.',
  },
  'too-many-requests': {
    status: 429,
    error: 'too_many_requests',
    description:
      'The requests made to this workspace exceed its limit. Wait as many seconds as the Retry-After field says, and cache replies by their ETag.',
  },
  'server-error': {
    status: 500,
    error: 'server_error',
    description:
      'The service failed to answer this request. Try again; if it fails again, give the X-Request-Id of this reply to whoever runs the service.',
  },
  unavailable: {
    status: 503,
    error: 'temporarily_unavailable',
    description: 'The service cannot answer at the moment. Try again in a few seconds.',
  },
} as const satisfies Record<string, RefusalRow>

/** The name of a reason to refuse. */
export type RefusalId = keyof typeof REFUSALS

/** A refusal with the header fields that its status asks for. */
export function refuse(id: RefusalId, headers: HeaderList = []): Refusal {
  return { id, description: REFUSALS[id].description, headers }
}

/** The service cannot answer at the moment; the client may try again in a second. */
export function refuseUnavailable(): Refusal {
  return refuse('unavailable', RETRY_SOON)
}

/** Tells a client to try again in a moment. */
export const RETRY_SOON: HeaderList = ['Retry-After', '1']

/** The request carries no credentials at all (RFC 6750 §3: a challenge without an error code). */
export function refuseNoCredentials(): Refusal {
  return refuse('no-credentials', ['WWW-Authenticate', `Bearer ${REALM}`])
}

/** The credentials fail (RFC 6750 §3.1). */
export function refuseInvalidToken(): Refusal {
  return refuse('invalid-token', [
    'WWW-Authenticate',
    `Bearer ${REALM}, error="invalid_token", error_description="The access token is malformed, expired, revoked or not for this service"`,
  ])
}

/** The token lacks the scope of the operation, which is named (RFC 6750 §3.1). */
export function refuseScope(scope: Scope): Refusal {
  return {
    id: 'insufficient-scope',
    description: `${REFUSALS['insufficient-scope'].description.slice(0, -1)}: ${scope}`,
    headers: ['WWW-Authenticate', `Bearer ${REALM}, error="insufficient_scope", scope="${scope}"`],
  }
}

/**
 * The error reply of a refusal. `publicUrl` is the service's own address, below which the documentation stands.
 */
export function refusalReply(refusal: Refusal, publicUrl: string): Reply {
  return errorReply({ ...REFUSALS[refusal.id], description: refusal.description }, publicUrl, refusal.headers)
}

/** An error reply: the one JSON body of the interface, never stored. */
export function errorReply({ status, error, description }: RefusalRow, publicUrl: string, headers: HeaderList): Reply {
  const body = {
    error,
    error_description: description,
    error_uri: `${publicUrl}/docs#${error}`,
  }
  return json(body, { status, headers })
}

const REALM = 'realm="housestyle"'
