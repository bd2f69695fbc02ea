import assert from 'node:assert/strict'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { openApiDocument } from '#brand/contract/openapi.ts'
import type { OperationId } from '#brand/contract/operations.ts'
import { REFUSALS } from '#brand/contract/refusals.ts'
import type { Schema } from '#brand/contract/schema.ts'
import type { HeaderList } from '#platform/exchange/message.ts'
import { fieldsOf } from './visitor.ts'

/**
 * Asserts that a reply matches the OpenAPI document: the status, every header field, and the body field by field. Also
 * asserts current behaviour that the document leaves open: no additional fields, and a description and an address for
 * every error. `bodyText` is undefined for HEAD.
 */
export function assertDescribed(
  operationId: OperationId,
  status: number,
  headers: Headers | HeaderList,
  bodyText: string | undefined,
): void {
  const operation = Object.values(DOCUMENT.paths).find(({ get }) => get?.operationId === operationId)?.get
  const listed = operation?.responses[status]
  const response = listed && '$ref' in listed ? DOCUMENT.components.responses[nameIn(listed.$ref)] : listed
  assert.ok(response, `${operationId} has no reply ${status}`)
  const fields = headers instanceof Headers ? headers : fieldsOf(headers)
  assertHeaders(`${operationId} ${status}`, response.headers, fields)
  if (bodyText === undefined) return
  const content = response.content?.['application/json']
  if (!content) {
    assert.equal(bodyText, '', `${operationId} ${status} has a body`)
    return
  }
  assert.equal(fields.get('content-type'), 'application/json')
  const body: unknown = JSON.parse(bodyText)
  if (status >= 400) assertRefusal(status, content.schema, body)
  else assertValid(nameIn(content.schema.$ref ?? ''), body)
}

/** Asserts that a value matches a schema, without additional fields. */
export function assertValid(schema: string, value: unknown): void {
  const validate = AJV.getSchema(`api#/components/schemas/${schema}`)
  assert.ok(validate, `there is no schema ${schema}`)
  assert.ok(validate(value), `${schema}: ${AJV.errorsText(validate.errors)} in ${JSON.stringify(value)}`)
}

const DOCUMENT = openApiDocument({})

/** Fields of HTTP and CORS, which the OpenAPI document omits. */
const UNDESCRIBED =
  /^(access-control-.*|connection|content-(encoding|length|type)|date|keep-alive|transfer-encoding|x-content-type-options)$/

function assertHeaders(reply: string, described: Readonly<Record<string, { $ref: string }>>, fields: Headers): void {
  const names = Object.keys(described).map(name => name.toLowerCase())
  const others = [...fields.keys()].filter(name => !names.includes(name) && !UNDESCRIBED.test(name))
  assert.deepEqual(others, [], `${reply} has header fields that are not described`)
  for (const [name, { $ref }] of Object.entries(described)) {
    const header = DOCUMENT.components.headers[nameIn($ref)]
    const value = fields.get(name)
    assert.ok(header, `there is no header ${$ref}`)
    if (value === null) assert.ok(!header.required, `${reply} lacks ${name}`)
    else
      assert.ok(
        AJV.validate(header.schema, header.schema.type === 'integer' ? Number(value) : value),
        `${name}: ${value}`,
      )
  }
}

function assertRefusal(status: number, schema: Schema, body: unknown): void {
  assertValid('Error', body)
  assert.ok(typeof body === 'object' && body !== null && 'error' in body && 'error_uri' in body)
  const isKnown = Object.values(REFUSALS).some(row => row.status === status && row.error === body.error)
  assert.ok(isKnown, `no refusal is ${status} ${body.error}`)
  assert.ok(
    schema.properties?.error?.enum?.includes(String(body.error)),
    `${status} is not described with ${body.error}`,
  )
  assert.match(String(body.error_uri), new RegExp(`/docs#${body.error}$`))
}

function nameIn(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1)
}

const ALWAYS: Readonly<Record<string, readonly string[]>> = { Error: ['error', 'error_description', 'error_uri'] }

/** Only fonts and pictures have metadata, each with its own schema. */
const METADATA = {
  if: { properties: { contentType: { pattern: '^font/' } } },
  // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
  then: { properties: { metadata: { $ref: '#/components/schemas/FontMetadata' } } },
  else: {
    if: { properties: { contentType: { pattern: '^image/' } } },
    // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
    then: { properties: { metadata: { $ref: '#/components/schemas/ImageMetadata' } } },
    else: { properties: { metadata: false } },
  },
}

function strict(name: string, schema: Schema): object {
  const required = ALWAYS[name] ?? schema.required ?? []
  return { ...schema, required, additionalProperties: false, ...(name === 'File' && METADATA) }
}

const AJV = new Ajv2020({ allErrors: true, strictTypes: false })
formats.default(AJV)
AJV.addVocabulary(['components'])
AJV.addSchema({
  $id: 'api',
  components: {
    schemas: Object.fromEntries(
      Object.entries(DOCUMENT.components.schemas).map(([name, schema]) => [name, strict(name, schema)]),
    ),
  },
})
