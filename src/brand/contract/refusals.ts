import type { HeaderList, Reply } from '#platform/exchange/message.ts'
import { json, NO_STORE } from '#platform/exchange/reply.ts'
import { API_PATH, OPERATIONS, type Scope } from './operations.ts'

/** The reason for refusing a request, which becomes an error reply. */
export type Refusal = { id: RefusalId; description: string; headers: HeaderList }

type RefusalRow = { status: number; error: string; description: string }

/** The error codes of statuses; that of all others is `invalid_request`. */
const ERROR_CODES: Readonly<Record<number, string>> = {
  401: 'invalid_client',
  403: 'access_denied',
  404: 'not_found',
  405: 'method_not_allowed',
  429: 'too_many_requests',
  500: 'server_error',
  503: 'temporarily_unavailable',
}

function row(status: number, description: string): RefusalRow {
  return { status, error: ERROR_CODES[status] ?? 'invalid_request', description }
}

/**
 * The reasons to refuse a request: the source of error replies, docs/api.md and the OpenAPI document. A description
 * states the problem and the fix. It never quotes the request.
 */
export const REFUSALS = {
  'trailing-slash': row(400, 'The path has a trailing slash. Remove it, or add the id that belongs after it.'),
  'missing-id': row(400, 'The path ends before a required id. Write the path as documented, and add this id.'),
  'empty-segment': row(
    400,
    'The path has an empty segment: two consecutive slashes. Remove one, or add the id that belongs between them.',
  ),
  'parent-segment': row(400, 'The path contains the segment "..". Write the full path as documented.'),
  'nul-in-path': row(400, 'The path contains a NUL character, which no id contains. Remove it.'),
  'broken-encoding': row(
    400,
    'The path contains a "%" without two hexadecimal digits after it. Percent-encode each id once; write "%" as "%25".',
  ),
  'not-utf-8': row(400, 'The path contains bytes that are not UTF-8. Write each id in UTF-8, percent-encoded once.'),
  'malformed-target': row(
    400,
    'The request target is not a valid path: it does not start with a slash, or it contains a character that must be percent-encoded. Write the path as documented.',
  ),
  'malformed-http': row(
    400,
    'The received bytes are not a well-formed HTTP/1.1 request. Send a request line, one Host field and well-formed header fields (RFC 9112).',
  ),
  'request-timeout': row(408, 'The complete request did not arrive in time. Send it again without pauses.'),
  'body-too-large': row(
    413,
    'The request body is larger than 64 KiB, than 1.5 MiB in a message of an agent, or than 25 MiB in a webhook of a git host. No operation takes a body: send the request without one.',
  ),
  'form-too-large': row(
    413,
    'The token request form is larger than 8 KiB. Send only grant_type, the credentials, scope and resource.',
  ),
  'target-too-long': row(414, 'The request target is longer than 8 KiB. Shorten the path or remove the query.'),
  'headers-too-large': row(
    431,
    'The request header fields are too large. Send fewer or shorter fields, including cookies.',
  ),
  'no-credentials': row(
    401,
    'The request has no bearer token. Send the header "Authorization: Bearer <ACCESS_TOKEN>". The operator of the service issues tokens with `housestyle token issue`.',
  ),
  'invalid-token': row(
    401,
    'The bearer token is not valid here: it is malformed, expired, revoked, sent more than once, or was issued by or for another service. Send a current token for this service.',
  ),
  'insufficient-scope': row(403, 'The token lacks the scope that this operation needs. Use a token with this scope.'),
  'not-found': row(
    404,
    'This request found nothing at this address: the address is unknown, the project is not published, or the token does not cover it. Check the address, whether the project is published, and what the token covers.',
  ),
  'method-not-allowed': row(
    405,
    'This address does not support this method. Use one of the methods in the Allow field.',
  ),
  'too-many-requests': row(
    429,
    'The requests made to this workspace exceed its limit. Wait for the number of seconds in the Retry-After field, and cache replies by their ETag.',
  ),
  'too-many-streams': row(
    429,
    'This token has too many open event streams. Close some, share one stream between the parts of a program, or use another token.',
  ),
  'too-many-pages': row(
    429,
    'The page and search requests from your address exceed the limit of this website. Wait for the number of seconds in the Retry-After field.',
  ),
  'server-error': row(
    500,
    'The service failed to answer this request. Try again; if it fails again, send the X-Request-Id of this reply to the operator of the service.',
  ),
  'too-many-connections': row(
    503,
    'Too many connections are open, in total or from your address. Reuse connections instead of opening new ones, and try again later.',
  ),
  overloaded: row(
    503,
    'The service is overloaded. Wait for the number of seconds in the Retry-After field, then try again.',
  ),
  unavailable: row(503, 'The service is temporarily unavailable. Try again in a few seconds.'),
} as const satisfies Record<string, RefusalRow>

export type RefusalId = keyof typeof REFUSALS

/** A refusal with the header fields of its reply. */
export function refuse(id: RefusalId, headers: HeaderList = []): Refusal {
  return { id, description: REFUSALS[id].description, headers }
}

/** Ends the reading of a body, whose request gets this refusal. */
export class RefusedBody extends Error {
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super(refusal.description)
    this.refusal = refusal
  }
}

/** Refuses a request that the service cannot answer at the moment. The client may try again in a second. */
export function refuseUnavailable(): Refusal {
  return refuse('unavailable', RETRY_SOON)
}

/** Refuses a path that ends before this id. The reply names the id: `workspace`. */
export function refuseMissingId(name: string): Refusal {
  return {
    ...refuse('missing-id'),
    description: `${REFUSALS['missing-id'].description.slice(0, -1)}: ${name}`,
  }
}

/** Refuses a request that finds nothing. A path close to the API paths gets a hint, whatever content exists. */
export function refuseNotFound(path: string, publicUrl: string, headers: HeaderList = []): Refusal {
  const description = REFUSALS['not-found'].description + hintFor(path, publicUrl + API_PATH, publicUrl)
  return { id: 'not-found', description, headers }
}

function hintFor(path: string, baseUrl: string, publicUrl: string): string {
  if (API_PATH_WITHOUT_BASE.test(path)) return ` The API is below ${baseUrl}: write ${API_PATH} before /workspace.`
  if (path === API_PATH)
    return ` The API begins at ${baseUrl}${OPERATIONS[0].path}, and ${publicUrl}/openapi.json describes it.`
  return ''
}

const API_PATH_WITHOUT_BASE = /^\/workspace(?:\/|$)/

/**
 * Refuses a request for a revision of a project that does not serve them by number. Requires a token that covers the
 * project, because the reply shows that it is published.
 */
export function refuseUnservedRevision(): Refusal {
  return { id: 'not-found', description: `${REFUSALS['not-found'].description} ${UNSERVED}`, headers: [] }
}

const UNSERVED =
  'The project has no `revisions: served`: to request revisions by number, publish it with this line in its project.yaml.'

/** Asks the client to wait for a second. */
export const RETRY_SOON: HeaderList = ['Retry-After', '1']

/** Refuses a request without credentials (RFC 6750 §3: a challenge without an error code). */
export function refuseNoCredentials(): Refusal {
  return refuse('no-credentials', ['WWW-Authenticate', `Bearer ${REALM}`])
}

/** Refuses an invalid token (RFC 6750 §3.1). */
export function refuseInvalidToken(): Refusal {
  return refuse('invalid-token', [
    'WWW-Authenticate',
    `Bearer ${REALM}, error="invalid_token", error_description="The access token is malformed, expired, revoked or not for this service"`,
  ])
}

/** Refuses a token without these scopes. The reply names them (RFC 6750 §3.1). */
export function refuseScope(...scopes: readonly Scope[]): Refusal {
  return {
    id: 'insufficient-scope',
    description: `${REFUSALS['insufficient-scope'].description.slice(0, -1)}: ${scopes.join(', ')}`,
    headers: ['WWW-Authenticate', `Bearer ${REALM}, error="insufficient_scope", scope="${scopes.join(' ')}"`],
  }
}

/** Makes the error reply for a refusal. Its documentation link is below `publicUrl`. */
export function refusalReply(refusal: Refusal, publicUrl: string): Reply {
  return errorReply({ ...REFUSALS[refusal.id], description: refusal.description }, publicUrl, refusal.headers)
}

/** Makes an error reply. All errors have the same form. */
export function errorReply({ status, ...error }: RefusalRow, publicUrl: string, headers: HeaderList): Reply {
  return json(errorBody(error, publicUrl), { status, headers })
}

export function errorBody({ error, description }: Omit<RefusalRow, 'status'>, publicUrl: string): object {
  return { error, error_description: description, error_uri: `${publicUrl}/docs#${error}` }
}

const REALM = 'realm="housestyle"'

/** The reasons not to send an existing file. No API operation uses them. */
const FILE_REFUSALS = {
  'precondition-failed': row(
    412,
    'The file does not match the tag in the If-Match field. Request it again without the field.',
  ),
  'range-not-satisfiable': row(
    416,
    'The file has no bytes in the requested range. Request bytes below its length, which is in the Content-Range field.',
  ),
} as const

/** Makes the error reply to a request for a file, in the form of the API errors. */
export function fileRefusalReply(id: keyof typeof FILE_REFUSALS, publicUrl: string, headers: HeaderList = []): Reply {
  return errorReply(FILE_REFUSALS[id], publicUrl, headers)
}

/** The reasons not to issue a token, by error code (RFC 6749 §5.2, RFC 8707 §2). */
export const TOKEN_REFUSALS = {
  invalid_request: {
    status: 400,
    description:
      'The request is malformed. Send a POST with content type application/x-www-form-urlencoded, each parameter only once, and the client secret in only one way.',
  },
  invalid_client: {
    status: 401,
    description:
      'The client is unknown or its secret is wrong. Send client_id and client_secret, in the form or as HTTP Basic.',
  },
  invalid_grant: {
    status: 400,
    description:
      'The code or the refresh token is unknown, expired or already used, or the person no longer has access. Ask the person to connect the program again.',
  },
  unsupported_grant_type: {
    status: 400,
    description:
      'The grant type is not supported. Send grant_type=client_credentials, or for a person authorization_code or refresh_token.',
  },
  invalid_scope: {
    status: 400,
    description:
      'A scope is unknown, or the client does not have it. Request only scopes of the client, or omit scope to get all of them.',
  },
  invalid_target: {
    status: 400,
    description:
      'The resource is not the workspace of the client. Send one resource, {base_url}/workspace/{workspace}, {public-url}/workspace/{workspace} or {public-url}/mcp, or none.',
  },
  too_many_requests: {
    status: 429,
    description:
      'There were too many attempts with a wrong secret, or the client has 10,000 unexpired tokens. Wait for the number of seconds in the Retry-After field, and use each token until it expires.',
  },
  temporarily_unavailable: {
    status: 503,
    description: 'The service cannot sign tokens at the moment. Its operator finds the reason in the log.',
  },
} as const satisfies Record<string, { status: number; description: string }>

/** The challenge of every 401 reply (RFC 9110 §15.5.2), also to clients that sent the form. */
export const BASIC_CHALLENGE = 'Basic realm="housestyle", charset="UTF-8"'

export type TokenRefusalId = keyof typeof TOKEN_REFUSALS

/** Makes the error reply of the token endpoint. */
export function tokenRefusalReply(id: TokenRefusalId, publicUrl: string, headers: HeaderList = []): Reply {
  const { status, description } = TOKEN_REFUSALS[id]
  return tokenReply(status, errorBody({ error: id, description }, publicUrl), headers)
}

/** Makes a reply of the token endpoint. It must not be cached (RFC 6749 §5.1). */
export function tokenReply(status: number, body: object, headers: HeaderList = []): Reply {
  return json(body, { status, caching: [...NO_STORE, 'Pragma', 'no-cache'], headers })
}
