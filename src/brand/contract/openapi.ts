import { keysOf } from '../fields.ts'
import { guide } from './guide.ts'
import { API_PATH, OPERATIONS, type Operation, type OperationId, SCOPES, type Scope } from './operations.ts'
import { BASIC_CHALLENGE, errorBody, REFUSALS, type Refusal, refuse, refuseScope, TOKEN_REFUSALS } from './refusals.ts'
import { ERROR_STATUSES, REPLY_HEADERS, type ReplyHeader } from './reply-headers.ts'
import { object, ref, type Schema, text, uri } from './schema.ts'
import { EXAMPLE_URL, idsIn, PATH_IDS, SCHEMAS } from './schemas.ts'

/** The reply bodies of the example brand, by operation id. */
export type ReplyExamples = Readonly<Record<string, unknown>>

/**
 * Makes the OpenAPI 3.1 document from the tables of operations, refusals, header fields and schemas. All service
 * addresses in it are paths, so every service at the root of its host serves the committed document.
 */
export function openApiDocument(examples: ReplyExamples) {
  const operations = OPERATIONS.map(each => [each.path, { get: operationObject(each, examples[each.id]) }])
  const paths: Readonly<Record<string, PathItem>> = {
    ...Object.fromEntries(operations),
    [TOKEN_PATH]: { servers: [ROOT], post: tokenOperation() },
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'housestyle',
      version: '0.1.0',
      summary: 'Brand guidelines, read-only: workspaces, projects, pages, styles and files',
      description: description(),
      contact: { name: 'The documentation of this service', url: '/docs' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [SERVER],
    tags: TAGS,
    paths,
    components: {
      securitySchemes: securitySchemes(),
      parameters: { ...Object.fromEntries(Object.entries(PATH_IDS).map(parameter)), IfNoneMatch: IF_NONE_MATCH },
      headers: Object.fromEntries(Object.entries({ ...REPLY_HEADERS, ...TOKEN_HEADERS }).map(headerObject)),
      responses: Object.fromEntries(ERROR_STATUSES.map(status => [responseName(status), errorResponse(status)])),
      schemas: { ...SCHEMAS, ...TOKEN_SCHEMAS },
    },
  }
}

/** Adapts the committed document to a service whose public URL has a path: its addresses begin with that path. */
export function openApiBelow(base: string, document: string): string {
  const isAddress = (name: string, value: unknown): value is string =>
    (name === 'url' || name === 'tokenUrl') && typeof value === 'string' && value.startsWith('/')
  const moved = JSON.parse(document, (name, value: unknown) => (isAddress(name, value) ? below(base, value) : value))
  return `${JSON.stringify(moved, null, 2)}\n`
}

/** Reads the examples from the committed document. */
export function replyExamples(document: string): ReplyExamples {
  const { paths }: OpenApiDocument = JSON.parse(document)
  const examples = Object.values(paths).flatMap(({ get }) => {
    const answered = get?.responses[200]
    const content = answered && 'content' in answered ? answered.content?.['application/json'] : undefined
    return get && content ? [[get.operationId, content.examples?.example?.value]] : []
  })
  return Object.fromEntries(examples)
}

function below(base: string, path: string): string {
  return path === '/' && base !== '' ? base : base + path
}

const ROOT = { url: '/', description: 'The service that serves this document' }
const SERVER = { url: API_PATH, description: 'The service that serves this document' }
const REVISION_SERVER = {
  url: `/revision/{revision}${API_PATH}`,
  description: 'The same for an earlier revision of a project with `revisions: served`',
  variables: { revision: { default: '1', description: 'The number of the revision: 1 or more.' } },
}

const TAGS = [
  { name: 'Workspace', description: 'A workspace and its projects' },
  { name: 'Project', description: 'A project, its status and its dates' },
  { name: 'Pages', description: 'Page content as Markdown' },
  { name: 'Styles', description: 'Colours and type styles' },
  { name: 'Files', description: 'Fonts, pictures and other files' },
  { name: 'Token', description: 'Tokens for clients' },
]

function description(): string {
  return guide(EXAMPLE_URL)
    .map(({ title, blocks }) => {
      const parts = blocks.map(block => (typeof block === 'string' ? block : `\`\`\`sh\n${block.shell}\n\`\`\``))
      return [`## ${title}`, ...parts].join('\n\n')
    })
    .join('\n\n')
}

function securitySchemes(): object {
  const operations = (scope: Scope) => OPERATIONS.filter(each => each.scope === scope).map(({ id }) => `\`${id}\``)
  const rows = SCOPES.map(scope => `- \`${scope}\`: ${operations(scope).join(', ')}`)
  const scopes = Object.fromEntries(SCOPES.map(scope => [scope, operations(scope).join(', ')]))
  return {
    bearer: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: `A JWT for one workspace. Each operation needs one scope:\n\n${rows.join('\n')}`,
    },
    oauth2: {
      type: 'oauth2',
      description: 'The way for a client to get such a token (RFC 6749 §4.4).',
      flows: { clientCredentials: { tokenUrl: TOKEN_PATH, scopes } },
    },
    client: {
      type: 'http',
      scheme: 'basic',
      description: 'The id and the secret of a client, each form-encoded (RFC 6749 §2.3.1).',
    },
  }
}

function operationObject(operation: Operation, example: unknown): OperationObject {
  const { id, tag, path, scope, reply, isFrozen, summary } = operation
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: `Needs the scope \`${scope}\`.`,
    ...(isFrozen && { servers: [SERVER, REVISION_SERVER] }),
    security: [{ bearer: [scope] }, { oauth2: [scope] }],
    parameters: [...idsIn(path), 'IfNoneMatch'].map(name => ({ $ref: `#/components/parameters/${name}` })),
    responses: {
      200: {
        description: `${summary}.`,
        headers: headersOf(200, id),
        content: jsonContent(ref(reply), { example: { value: example } }),
      },
      304: {
        description: 'The client’s stored reply, which `If-None-Match` names, is current.',
        headers: headersOf(304, id),
      },
      ...Object.fromEntries(ERROR_STATUSES.map(status => [status, errorReference(status)])),
    },
  }
}

function parameter([name, schema]: [name: string, schema: Schema]): [string, object] {
  const { description, examples = [], ...rest } = schema
  const note = name === 'page' ? ' Send its slashes as `%2F` or unencoded.' : ''
  const about = { name, in: 'path', required: true, description: `${description}${note}` }
  return [name, { ...about, schema: rest, example: examples[0] }]
}

const IF_NONE_MATCH: object = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'The `ETag` of the client’s stored reply, a list of tags, or `*`: if one is current, the reply is 304.',
  schema: { type: 'string' },
  example: REPLY_HEADERS.ETag?.schema.examples?.[0],
}

type HeaderRow = Pick<ReplyHeader, 'description' | 'isOptional' | 'schema'>

function headerObject([key, header]: [key: string, header: HeaderRow]): [string, HeaderObject] {
  const { description, isOptional = false, schema } = header
  return [key, { description, required: !isOptional, schema }]
}

/** The path of the token endpoint, below the public URL. */
const TOKEN_PATH = '/oauth/token'

const GRANT: Schema = { type: 'string', description: 'The grant type.', enum: ['client_credentials'] }
const RESOURCES =
  '`{base_url}/workspace/{workspace}`, `{public-url}/workspace/{workspace}`, or for agents `{public-url}/mcp`'

/** The form and the reply of the token endpoint (RFC 6749 §4.4, RFC 8707). */
const TOKEN_SCHEMAS = {
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
  ),
}

/** The header fields that only the token endpoint sends. */
const TOKEN_HEADERS: Readonly<Record<string, HeaderRow>> = {
  Pragma: {
    description: 'The reply must not be cached (RFC 6749 §5.1).',
    schema: { type: 'string', examples: ['no-cache'] },
  },
  BasicChallenge: {
    description: 'The authentication scheme for clients.',
    schema: { type: 'string', pattern: '^Basic realm="housestyle"', examples: [BASIC_CHALLENGE] },
  },
}

/** Describes the token request. */
function tokenOperation(): OperationObject {
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

/** Describes a JSON body. */
function jsonContent(schema: Schema, examples: Examples): NonNullable<ResponseObject['content']> {
  return { 'application/json': { schema, examples } }
}

/** Describes the error replies of a status and their codes. */
function errorResponse(status: number): ResponseObject {
  const refusals = refusalsOf(status)
  const codes = [...new Set(refusals.map(({ id }) => REFUSALS[id].error))]
  const bodies = refusals.map(({ id, description }) => {
    return [id, { value: errorBody({ error: REFUSALS[id].error, description }, EXAMPLE_URL) }]
  })
  return {
    description: refusals.map(({ description }) => description).join('\n\n'),
    headers: headersOf(status),
    content: jsonContent(errorSchema(codes), Object.fromEntries(bodies)),
  }
}

/** Describes the body of errors with one of these codes. */
function errorSchema(codes: readonly string[]): Schema {
  return { allOf: [ref('Error')], properties: { error: { type: 'string', enum: codes } }, required: ['error'] }
}

/** Refers to the error replies of a status. */
function errorReference(status: number): Reference {
  return { $ref: `#/components/responses/${responseName(status)}` }
}

/** Describes the header fields of a status, for one operation or for errors. */
function headersOf(status: number, operation?: OperationId): ResponseObject['headers'] {
  return Object.fromEntries(
    Object.entries(REPLY_HEADERS)
      .filter(([, { statuses }]) => statuses.includes(status))
      .filter(([, { operations }]) => !operations || operations.some(id => id === operation))
      .map(([key, { name }]) => [name, headerReference(key)]),
  )
}

/** Refers to a header field by its component name. */
function headerReference(key: string): Reference {
  return { $ref: `#/components/headers/${key}` }
}

/** Returns the name of an error response in the document: the reason phrase of RFC 9110 §15. */
function responseName(status: number): string {
  return RESPONSE_NAMES[status] ?? `Error${status}`
}

const RESPONSE_NAMES: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  408: 'RequestTimeout',
  413: 'ContentTooLarge',
  414: 'UriTooLong',
  429: 'TooManyRequests',
  431: 'RequestHeaderFieldsTooLarge',
  500: 'InternalServerError',
  503: 'ServiceUnavailable',
}

function refusalsOf(status: number): Refusal[] {
  const ids = keysOf(REFUSALS).filter(id => REFUSALS[id].status === status)
  return ids.map(id => (id === 'insufficient-scope' ? refuseScope('styles.read') : refuse(id)))
}

export type OpenApiDocument = ReturnType<typeof openApiDocument>

/** A path: an operation, or the token endpoint. */
type PathItem = { servers?: readonly object[]; get?: OperationObject; post?: OperationObject }

/** An API operation, or the token request. */
type OperationObject = {
  operationId: string
  tags: readonly string[]
  summary: string
  description: string
  /** More servers that have the operation. */
  servers?: readonly object[]
  security: readonly Readonly<Record<string, readonly string[]>>[]
  parameters?: readonly Reference[]
  requestBody?: object
  responses: Readonly<Record<string, ResponseObject | Reference>>
}

type ResponseObject = {
  description: string
  headers: Readonly<Record<string, Reference>>
  content?: Readonly<Record<string, { schema: Schema; examples?: Examples }>>
}

type Examples = Readonly<Record<string, { value: unknown }>>

type HeaderObject = { description: string; required: boolean; schema: Schema }

/** Refers to a shared part of the document. */
type Reference = { $ref: string }

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
