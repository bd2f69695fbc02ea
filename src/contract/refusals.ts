import type { HeaderList, Reply } from '../exchange/message.ts'
import { json } from '../exchange/reply.ts'
import { API_PATH, type Scope } from './operations.ts'

/** The reason why a request is refused, which becomes an error reply. */
export type Refusal = { id: RefusalId; description: string; headers: HeaderList }

type RefusalRow = { status: number; error: string; description: string }

/**
 * The reasons to refuse a request: the source of error replies, of docs/errors.md and of the OpenAPI document. A
 * description says what is wrong and what to do. It never quotes the request.
 */
export const REFUSALS = {
  'trailing-slash': {
    status: 400,
    error: 'invalid_request',
    description: 'The path has a trailing slash. Leave it out; if an id belongs after it, add the id.',
  },
  'missing-id': {
    status: 400,
    error: 'invalid_request',
    description: 'The path ends where an id is missing. Write the path as the documentation shows, and add this id.',
  },
  'empty-segment': {
    status: 400,
    error: 'invalid_request',
    description:
      'The path has an empty segment: two slashes follow each other. Leave one out, or write the id that belongs between them.',
  },
  'parent-segment': {
    status: 400,
    error: 'invalid_request',
    description: 'The path has a segment "..". Write the path in full, as the documentation shows.',
  },
  'nul-in-path': {
    status: 400,
    error: 'invalid_request',
    description: 'The path has a NUL. No id has one: leave it out.',
  },
  'broken-encoding': {
    status: 400,
    error: 'invalid_request',
    description:
      'The path has a broken percent-encoding: a "%" without two hexadecimal digits. Percent-encode each id once; a "%" is written "%25".',
  },
  'not-utf-8': {
    status: 400,
    error: 'invalid_request',
    description: 'The path has bytes that are not UTF-8. Write each id in UTF-8, percent-encoded once.',
  },
  'malformed-target': {
    status: 400,
    error: 'invalid_request',
    description:
      'The request target is not a path: a slash at its start is missing, or it has a character that must be percent-encoded. Write the path as the documentation shows.',
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
  'form-too-large': {
    status: 413,
    error: 'invalid_request',
    description:
      'The form of the token request is larger than 8 KiB. Send only grant_type, the credentials, scope and resource.',
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
  'too-many-pages': {
    status: 429,
    error: 'too_many_requests',
    description:
      'The requests for pages and searches from your address exceed the limit of the website. Wait as many seconds as the Retry-After field says.',
  },
  'server-error': {
    status: 500,
    error: 'server_error',
    description:
      'The service failed to answer this request. Try again; if it fails again, give the X-Request-Id of this reply to whoever runs the service.',
  },
  'too-many-connections': {
    status: 503,
    error: 'temporarily_unavailable',
    description:
      'Too many connections are open, in all or from your address. Reuse connections instead of opening new ones, and try again later.',
  },
  overloaded: {
    status: 503,
    error: 'temporarily_unavailable',
    description:
      'More is asked of the service than it can answer at the moment. Wait as many seconds as the Retry-After field says, and try again.',
  },
  unavailable: {
    status: 503,
    error: 'temporarily_unavailable',
    description: 'The service cannot answer at the moment. Try again in a few seconds.',
  },
} as const satisfies Record<string, RefusalRow>

export type RefusalId = keyof typeof REFUSALS

/** A refusal with the header fields of its reply. */
export function refuse(id: RefusalId, headers: HeaderList = []): Refusal {
  return { id, description: REFUSALS[id].description, headers }
}

/** The service cannot answer at the moment. The client may try again in a second. */
export function refuseUnavailable(): Refusal {
  return refuse('unavailable', RETRY_SOON)
}

/** The path ends before this id, which the reply names: `workspace`. */
export function refuseMissingId(name: string): Refusal {
  return {
    id: 'missing-id',
    description: `${REFUSALS['missing-id'].description.slice(0, -1)}: ${name}-id`,
    headers: [],
  }
}

/**
 * There is nothing for this request. A path close to the paths of the API gets a hint, which depends only on the form of
 * the path, not on what exists.
 */
export function refuseNotFound(path: string, publicUrl: string, headers: HeaderList = []): Refusal {
  const description = REFUSALS['not-found'].description + hintFor(path, publicUrl + API_PATH, publicUrl)
  return { id: 'not-found', description, headers }
}

function hintFor(path: string, baseUrl: string, publicUrl: string): string {
  if (OF_API.test(path)) return ` The API stands below ${baseUrl}: write ${API_PATH} before /workspace.`
  if (path === API_PATH)
    return ` The API begins at ${baseUrl}/workspace/{workspace-id}, and ${publicUrl}/openapi.json describes it.`
  return ''
}

const OF_API = /^\/workspace(?:\/|$)/

/** The client may try again in a second. */
export const RETRY_SOON: HeaderList = ['Retry-After', '1']

/** The request has no credentials (RFC 6750 §3: a challenge without an error code). */
export function refuseNoCredentials(): Refusal {
  return refuse('no-credentials', ['WWW-Authenticate', `Bearer ${REALM}`])
}

/** The token is not valid (RFC 6750 §3.1). */
export function refuseInvalidToken(): Refusal {
  return refuse('invalid-token', [
    'WWW-Authenticate',
    `Bearer ${REALM}, error="invalid_token", error_description="The access token is malformed, expired, revoked or not for this service"`,
  ])
}

/** The token lacks these scopes, which the reply names (RFC 6750 §3.1). */
export function refuseScope(...scopes: readonly Scope[]): Refusal {
  return {
    id: 'insufficient-scope',
    description: `${REFUSALS['insufficient-scope'].description.slice(0, -1)}: ${scopes.join(', ')}`,
    headers: ['WWW-Authenticate', `Bearer ${REALM}, error="insufficient_scope", scope="${scopes.join(' ')}"`],
  }
}

/** The error reply of a refusal. The documentation that it links to is below `publicUrl`. */
export function refusalReply(refusal: Refusal, publicUrl: string): Reply {
  return errorReply({ ...REFUSALS[refusal.id], description: refusal.description }, publicUrl, refusal.headers)
}

/** An error reply, in the one form that the API has for all of them. */
export function errorReply({ status, ...error }: RefusalRow, publicUrl: string, headers: HeaderList): Reply {
  return json(errorBody(error, publicUrl), { status, headers })
}

/** The body of an error reply. */
export function errorBody({ error, description }: Omit<RefusalRow, 'status'>, publicUrl: string): object {
  return { error, error_description: description, error_uri: `${publicUrl}/docs#${error}` }
}

const REALM = 'realm="housestyle"'
