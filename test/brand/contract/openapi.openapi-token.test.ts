import assert from 'node:assert/strict'
import test from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { openApiDocument } from '#brand/contract/openapi.ts'
import { SCOPES } from '#brand/contract/operations.ts'
import { TOKEN_REFUSALS } from '#brand/contract/refusals.ts'

test('the document describes the token endpoint with its OAuth flow, its form and the codes of each status', () => {
  const { paths, components } = JSON.parse(JSON.stringify(openApiDocument({})))
  const { servers, post } = paths['/oauth/token']
  assert.deepEqual(servers, [{ url: '/', description: 'The service that serves this document' }])
  assert.deepEqual(post.requestBody.content, {
    'application/x-www-form-urlencoded': { schema: { $ref: '#/components/schemas/TokenRequest' } },
  })
  const codes = ['400', '401', '429', '503'].map(status => {
    const { schema } = post.responses[status].content['application/json']
    return [status, schema.properties.error.enum]
  })
  assert.deepEqual(Object.fromEntries(codes), {
    400: ['invalid_request', 'invalid_grant', 'unsupported_grant_type', 'invalid_scope', 'invalid_target'],
    401: ['invalid_client'],
    429: ['too_many_requests'],
    503: ['temporarily_unavailable'],
  })
  const { tokenUrl, scopes } = components.securitySchemes.oauth2.flows.clientCredentials
  assert.deepEqual([tokenUrl, Object.keys(scopes)], ['/oauth/token', [...SCOPES]])
})

test('every token refusal has a code of its status', () => {
  const { paths, components } = openApiDocument({})
  const ajv = new Ajv2020({ strict: false })
  formats.default(ajv)
  ajv.addSchema({ $id: 'document', components })
  for (const [code, { status, description }] of Object.entries(TOKEN_REFUSALS)) {
    const response = paths['/oauth/token']?.post?.responses[status]
    assert.ok(response && 'content' in response)
    const schema = { $id: `document-${code}`, ...response.content?.['application/json']?.schema }
    const isRight = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')))
    const body = { error: code, error_description: description, error_uri: 'https://brand.example.com/docs' }
    assert.ok(isRight(body), code)
    assert.ok(!isRight({ ...body, error: 'access_denied' }), code)
  }
})
