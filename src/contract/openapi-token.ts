import {
  errorReference,
  errorSchema,
  headerReference,
  type OperationObject,
  type ResponseObject,
} from './openapi-responses.ts'
import { SCOPES } from './operations.ts'
import { ERROR_STATUSES, type ReplyHeader } from './reply-headers.ts'
import { object, ref, type Schema, text, uri } from './schema.ts'
import { EXAMPLE_URL } from './schemas.ts'
import { BASIC_CHALLENGE, TOKEN_REFUSALS } from './token-refusals.ts'

/** The path of the token endpoint, below the public URL. */
export const TOKEN_PATH = '/oauth/token'

const GRANT: Schema = { type: 'string', description: 'The grant type.', enum: ['client_credentials'] }
const RESOURCES = '`{base_url}/workspace/{id}`, `{public-url}/workspace/{id}`, or for agents `{public-url}/mcp`'

/** The form and the reply of the token endpoint (RFC 6749 §4.4, RFC 8707). */
export const TOKEN_SCHEMAS = {
  TokenRequest: object<Record<'grant_type' | 'client_id' | 'client_secret' | 'scope' | 'resource', string>>(
    'A token request. The client credentials are in this form or in HTTP Basic.',
    {
      grant_type: GRANT,
      client_id: text('The id of the client.', 'acme-0f3a9c21b7de'),
      client_secret: { type: 'string', description: 'The secret of the client.' },
      scope: text('A subset of the client’s scopes, separated by spaces; if absent, all of them.', 'styles.read'),
      resource: uri(`The workspace of the client: ${RESOURCES}.`, `${EXAMPLE_URL}/beta/workspace/acme`),
    },
    ['grant_type'],
  ),
  Token: object<Record<'access_token' | 'token_type' | 'scope' | 'resource', string> & { expires_in: number }>(
    'A token.',
    {
      access_token: { type: 'string', description: 'The token, a JWT (RFC 9068).' },
      token_type: { type: 'string', description: 'The token type.', enum: ['Bearer'] },
      expires_in: { type: 'integer', description: 'The lifetime in seconds.', minimum: 1, examples: [3600] },
      scope: text('The scopes of the token, separated by spaces.', SCOPES.join(' ')),
      resource: uri('The workspace of the token, as sent in the request.', `${EXAMPLE_URL}/beta/workspace/acme`),
    },
    ['access_token', 'token_type', 'expires_in', 'scope', 'resource'],
  ),
}

/** The header fields that only the token endpoint sends. */
export const TOKEN_HEADERS: Readonly<Record<string, ReplyHeader>> = {
  Pragma: {
    name: 'Pragma',
    description: 'The reply must not be cached (RFC 6749 §5.1).',
    statuses: [],
    isAlways: true,
    schema: { type: 'string', examples: ['no-cache'] },
  },
  BasicChallenge: {
    name: 'WWW-Authenticate',
    description: 'The authentication scheme for clients.',
    statuses: [],
    isAlways: true,
    schema: { type: 'string', pattern: '^Basic realm="housestyle"', examples: [BASIC_CHALLENGE] },
  },
}

/** Describes the token request. */
export function tokenOperation(): OperationObject {
  const statuses: readonly number[] = [...new Set(Object.values(TOKEN_REFUSALS).map(({ status }) => status))]
  const shared = ERROR_STATUSES.filter(status => !statuses.includes(status) && !OPERATION_STATUSES.includes(status))
  return {
    operationId: 'issueToken',
    tags: ['Token'],
    summary: 'A token for a client (OAuth 2.0, the client credentials grant)',
    description: 'Needs no token. The client sends its id and secret either as HTTP Basic or in the form.',
    security: [{ client: [] }, {}],
    requestBody: {
      required: true,
      content: { 'application/x-www-form-urlencoded': { schema: ref('TokenRequest') } },
    },
    responses: {
      200: {
        description: 'The token.',
        headers: { ...NOT_CACHED, 'X-Request-Id': headerReference('RequestId') },
        content: { 'application/json': { schema: ref('Token') } },
      },
      ...Object.fromEntries(statuses.map(status => [status, tokenErrorResponse(status)])),
      ...Object.fromEntries(shared.map(status => [status, errorReference(status)])),
    },
  }
}

/** Statuses of requests with a bearer token or an API path. */
const OPERATION_STATUSES: readonly number[] = [403, 404]

const NOT_CACHED = { 'Cache-Control': headerReference('NoStore'), Pragma: headerReference('Pragma') }

function tokenErrorResponse(status: number): ResponseObject {
  const refusals = Object.entries(TOKEN_REFUSALS).filter(([, refusal]) => refusal.status === status)
  return {
    description: refusals.map(([, { description }]) => description).join('\n\n'),
    headers: {
      ...NOT_CACHED,
      ...(status === 401 && { 'WWW-Authenticate': headerReference('BasicChallenge') }),
      ...([429, 503].includes(status) && { 'Retry-After': headerReference('RetryAfter') }),
      'X-Request-Id': headerReference('RequestId'),
    },
    content: { 'application/json': { schema: errorSchema(refusals.map(([code]) => code)) } },
  }
}
