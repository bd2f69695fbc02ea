import type { Schema, Schemas } from './schema.ts'

/** An OpenAPI 3.1 document: the parts of it that the code reads. */
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

/** A path: one of the operations, or the token endpoint. */
type PathItem = { servers?: readonly object[]; get?: OperationObject; post?: OperationObject }

/** An operation of the API, or the request for a token. */
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

/** Leads to a part of the document that several places share. */
export type Reference = { $ref: string }
