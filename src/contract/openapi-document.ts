import type { Schema, Schemas } from './schema.ts'

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
