import { guide } from './guide.ts'
import {
  errorReference,
  errorResponse,
  type HeaderObject,
  headersOf,
  jsonContent,
  type OpenApiDocument,
  type OperationObject,
  responseName,
} from './openapi-responses.ts'
import { TOKEN_HEADERS, TOKEN_PATH, TOKEN_SCHEMAS, tokenOperation } from './openapi-token.ts'
import { API_PATH, OPERATIONS, type Operation, SCOPES, type Scope } from './operations.ts'
import { ERROR_STATUSES, REPLY_HEADERS, type ReplyHeader } from './reply-headers.ts'
import { ref, type Schema } from './schema.ts'
import { EXAMPLE_URL, idsIn, PATH_IDS, SCHEMAS } from './schemas.ts'

/** The reply bodies of the example brand, by operation id. */
export type ReplyExamples = Readonly<Record<string, unknown>>

/**
 * Makes the OpenAPI 3.1 document from the tables of operations, refusals, header fields and schemas. All service
 * addresses in it are paths, so every service at the root of its host serves the committed document.
 */
export function openApiDocument(examples: ReplyExamples): OpenApiDocument {
  const operations = OPERATIONS.map(each => [each.path, { get: operationObject(each, examples[each.id]) }])
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
    paths: { ...Object.fromEntries(operations), [TOKEN_PATH]: { servers: [ROOT], post: tokenOperation() } },
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

const IF_NONE_MATCH = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'The `ETag` of the client’s stored reply, a list of tags, or `*`: if one is current, the reply is 304.',
  schema: { type: 'string' },
  example: REPLY_HEADERS.ETag?.schema.examples?.[0],
}

function headerObject([key, header]: [key: string, header: ReplyHeader]): [string, HeaderObject] {
  const { description, isAlways, schema } = header
  return [key, { description, required: isAlways, schema }]
}
