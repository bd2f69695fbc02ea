import type { OperationId } from './operations.ts'
import { errorBody, REFUSALS, type Refusal, type RefusalId, refuse, refuseScope } from './refusals.ts'
import { REPLY_HEADERS } from './reply-headers.ts'
import { ref, type Schema, type Schemas } from './schema.ts'
import { EXAMPLE_URL } from './schemas.ts'

/** Describes a JSON body. */
export function jsonContent(schema: Schema, examples: Examples): NonNullable<ResponseObject['content']> {
  return { 'application/json': { schema, examples } }
}

/** Describes the error replies of a status and their codes. */
export function errorResponse(status: number): ResponseObject {
  const refusals = refusalsOf(status)
  const codes = [...new Set(refusals.map(({ id }) => REFUSALS[id].error))]
  return {
    description: refusals.map(({ description }) => description).join('\n\n'),
    headers: headersOf(status),
    content: jsonContent(
      errorSchema(codes),
      Object.fromEntries(refusals.map(({ id, description }) => [id, { value: exampleOf(id, description) }])),
    ),
  }
}

/** Describes the body of errors with one of these codes. */
export function errorSchema(codes: readonly string[]): Schema {
  return { allOf: [ref('Error')], properties: { error: { type: 'string', enum: codes } }, required: ['error'] }
}

/** Refers to the error replies of a status. */
export function errorReference(status: number): Reference {
  return { $ref: `#/components/responses/${responseName(status)}` }
}

/** Describes the header fields of a status, for one operation or for errors. */
export function headersOf(status: number, operation?: OperationId): ResponseObject['headers'] {
  return Object.fromEntries(
    Object.entries(REPLY_HEADERS)
      .filter(([, { statuses }]) => statuses.includes(status))
      .filter(([, { operations }]) => !operations || operations.some(id => id === operation))
      .map(([key, { name }]) => [name, headerReference(key)]),
  )
}

/** Refers to a header field by its component name. */
export function headerReference(key: string): Reference {
  return { $ref: `#/components/headers/${key}` }
}

/** Returns the name of an error response in the document: the reason phrase of RFC 9110 §15. */
export function responseName(status: number): string {
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
  return Object.keys(REFUSALS)
    .filter(isRefusalId)
    .filter(id => REFUSALS[id].status === status)
    .map(id => (id === 'insufficient-scope' ? refuseScope('styles.read') : refuse(id)))
}

function exampleOf(id: RefusalId, description: string): object {
  return errorBody({ error: REFUSALS[id].error, description }, EXAMPLE_URL)
}

function isRefusalId(text: string): text is RefusalId {
  return Object.hasOwn(REFUSALS, text)
}

/** The parts of an OpenAPI 3.1 document that the code reads. */
export type OpenApiDocument = {
  openapi: string
  info: object
  servers: readonly object[]
  tags: readonly object[]
  paths: Readonly<Record<string, PathItem>>
  components: {
    securitySchemes: object
    parameters: Readonly<Record<string, object>>
    headers: Readonly<Record<string, HeaderObject>>
    responses: Readonly<Record<string, ResponseObject>>
    schemas: Schemas
  }
}

/** A path: an operation, or the token endpoint. */
type PathItem = { servers?: readonly object[]; get?: OperationObject; post?: OperationObject }

/** An API operation, or the token request. */
export type OperationObject = {
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

export type ResponseObject = {
  description: string
  headers: Readonly<Record<string, Reference>>
  content?: Readonly<Record<string, { schema: Schema; examples?: Examples }>>
}

export type Examples = Readonly<Record<string, { value: unknown }>>

export type HeaderObject = { description: string; required: boolean; schema: Schema }

/** Refers to a shared part of the document. */
export type Reference = { $ref: string }
