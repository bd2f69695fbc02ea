import { exampleOf } from './fields.ts'
import { guide } from './guide.ts'
import { API_PATH, OPERATIONS, type Operation, SCOPES, type Scope } from './operations.ts'
import { REFUSALS, type Refusal, type RefusalId, refusalReply, refuse, refuseScope } from './refusals.ts'
import { ERROR_STATUSES, REPLY_HEADERS } from './reply-headers.ts'
import { ref, type Schema, type Schemas } from './schema.ts'
import { EXAMPLE_URL, idsIn, PATH_IDS, SCHEMAS } from './schemas.ts'

/** An OpenAPI 3.1 document, as far as its readers here look into it. */
export type OpenApiDocument = {
  openapi: string
  info: object
  servers: readonly object[]
  paths: Readonly<Record<string, { get: OperationObject }>>
  components: {
    securitySchemes: object
    parameters: Readonly<Record<string, object>>
    headers: Readonly<Record<string, { description: string; required: boolean; schema: Schema }>>
    responses: Readonly<Record<string, ResponseObject>>
    schemas: Schemas
  }
}

type OperationObject = {
  operationId: string
  summary: string
  description: string
  /** Further places of the operation. */
  servers?: readonly object[]
  security: readonly Readonly<Record<string, readonly string[]>>[]
  parameters: readonly Reference[]
  responses: Readonly<Record<string, ResponseObject | Reference>>
}

type ResponseObject = {
  description: string
  headers: Readonly<Record<string, Reference>>
  content?: Content
}

type Content = Readonly<Record<string, { schema: Schema; examples: Examples }>>
type Examples = Readonly<Record<string, { value: unknown }>>
type Reference = { $ref: string }

/**
 * The OpenAPI 3.1 description of the API, made from the tables of operations, refusals, header fields and schemas. Its
 * one server is the relative address `/beta`, so that the committed document is the one that every service serves.
 */
export function openApiDocument(): OpenApiDocument {
  return {
    openapi: '3.1.1',
    info: {
      title: 'housestyle',
      version: '0.1.0',
      summary: 'Brand guidelines, read-only: workspaces, projects, pages, styles and files',
      description: description(),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [SERVER],
    paths: Object.fromEntries(OPERATIONS.map(operation => [operation.path, { get: operationObject(operation) }])),
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: scopes() } },
      parameters: Object.fromEntries(Object.entries(PATH_IDS).map(([name, schema]) => [name, parameter(name, schema)])),
      headers: Object.fromEntries(
        Object.entries(REPLY_HEADERS).map(([key, { description, isAlways, schema }]) => [
          key,
          { description, required: isAlways, schema },
        ]),
      ),
      responses: Object.fromEntries(ERROR_STATUSES.map(status => [responseName(status), errorResponse(status)])),
      schemas: SCHEMAS,
    },
  }
}

const SERVER = { url: API_PATH, description: 'The service that serves this document' }
const REVISION_SERVER = {
  url: `/revision/{revision}${API_PATH}`,
  description: 'The same for an earlier revision of a project with `revisions: served`',
  variables: { revision: { default: '1', description: 'The number of the revision: 1 or more.' } },
}

function description(): string {
  return guide(EXAMPLE_URL)
    .map(({ title, blocks }) => {
      const parts = blocks.map(block => (typeof block === 'string' ? block : `\`\`\`sh\n${block.shell}\n\`\`\``))
      return [`## ${title}`, ...parts].join('\n\n')
    })
    .join('\n\n')
}

function scopes(): string {
  const operations = (scope: Scope) => OPERATIONS.filter(each => each.scope === scope).map(({ id }) => `\`${id}\``)
  const rows = SCOPES.map(scope => `- \`${scope}\`: ${operations(scope).join(', ')}`)
  return `A JWT for one workspace. Each operation needs one scope:\n\n${rows.join('\n')}`
}

function operationObject({ id, path, scope, reply, isFrozen, summary }: Operation): OperationObject {
  return {
    operationId: id,
    summary,
    description: `Needs the scope \`${scope}\`.`,
    ...(isFrozen && { servers: [SERVER, REVISION_SERVER] }),
    security: [{ bearer: [scope] }],
    parameters: idsIn(path).map(name => ({ $ref: `#/components/parameters/${name}` })),
    responses: {
      200: {
        description: `${summary}.`,
        headers: headers(200, id),
        content: json(reply, { example: { value: exampleOf(SCHEMAS[reply], SCHEMAS) } }),
      },
      304: {
        description: 'The reply that the client holds, named by `If-None-Match`, is current.',
        headers: headers(304, id),
      },
      ...Object.fromEntries(
        ERROR_STATUSES.map(status => [status, { $ref: `#/components/responses/${responseName(status)}` }]),
      ),
    },
  }
}

function parameter(name: string, schema: Schema): object {
  const { description, examples = [], ...rest } = schema
  const note = name === 'page-id' ? ' Its slashes may be sent as `%2F` or as they are.' : ''
  return {
    name,
    in: 'path',
    required: true,
    description: `${description}${note}`,
    schema: rest,
    example: examples[0],
  }
}

function errorResponse(status: number): ResponseObject {
  const refusals = refusalsOf(status)
  return {
    description: refusals.map(({ description }) => description).join('\n\n'),
    headers: headers(status),
    content: json('Error', Object.fromEntries(refusals.map(refusal => [refusal.id, { value: bodyOf(refusal) }]))),
  }
}

function refusalsOf(status: number): Refusal[] {
  const known: readonly Refusal[] = Object.keys(REFUSALS)
    .filter(isRefusalId)
    .map(id => refuse(id))
  return known
    .filter(({ id }) => REFUSALS[id].status === status)
    .map(refusal => (refusal.id === 'insufficient-scope' ? refuseScope('styles.read') : refusal))
}

function isRefusalId(text: string): text is RefusalId {
  return Object.hasOwn(REFUSALS, text)
}

function bodyOf(refusal: Refusal): unknown {
  const { body } = refusalReply(refusal, EXAMPLE_URL)
  return body instanceof Uint8Array ? JSON.parse(new TextDecoder().decode(body)) : undefined
}

function json(schema: string, examples: Examples): Content {
  return { 'application/json': { schema: ref(schema), examples } }
}

function headers(status: number, operation?: string): ResponseObject['headers'] {
  return Object.fromEntries(
    Object.entries(REPLY_HEADERS)
      .filter(([, { statuses }]) => statuses.includes(status))
      .filter(([, { operations }]) => !operations || operations.some(id => id === operation))
      .map(([key, { name }]) => [name, { $ref: `#/components/headers/${key}` }]),
  )
}

/** What error responses are called in the document: the reason phrases of RFC 9110 §15. */
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
