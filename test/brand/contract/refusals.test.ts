import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  REFUSALS,
  type Refusal,
  refusalReply,
  refuse,
  refuseInvalidToken,
  refuseMissingId,
  refuseNoCredentials,
  refuseNotFound,
  refuseScope,
} from '#brand/contract/refusals.ts'
import { assertDescribed } from '../../support/openapi-validator.ts'

const PUBLIC_URL = 'https://brand.example.com'
const JSON_NOT_STORED = [
  'Content-Type',
  'application/json',
  'Cache-Control',
  'no-store',
  'X-Content-Type-Options',
  'nosniff',
]

const REPLIES: readonly [refusal: Refusal, status: number, error: string, headers: readonly string[]][] = [
  [refuse('trailing-slash'), 400, 'invalid_request', []],
  [refuseMissingId('workspace'), 400, 'invalid_request', []],
  [refuse('empty-segment'), 400, 'invalid_request', []],
  [refuse('parent-segment'), 400, 'invalid_request', []],
  [refuse('nul-in-path'), 400, 'invalid_request', []],
  [refuse('broken-encoding'), 400, 'invalid_request', []],
  [refuse('not-utf-8'), 400, 'invalid_request', []],
  [refuse('malformed-target'), 400, 'invalid_request', []],
  [refuse('malformed-http'), 400, 'invalid_request', []],
  [refuse('request-timeout'), 408, 'invalid_request', []],
  [refuse('body-too-large'), 413, 'invalid_request', []],
  [refuse('form-too-large'), 413, 'invalid_request', []],
  [refuse('target-too-long'), 414, 'invalid_request', []],
  [refuse('headers-too-large'), 431, 'invalid_request', []],
  [refuseNoCredentials(), 401, 'invalid_client', ['WWW-Authenticate', 'Bearer realm="housestyle"']],
  [
    refuseInvalidToken(),
    401,
    'invalid_client',
    [
      'WWW-Authenticate',
      'Bearer realm="housestyle", error="invalid_token", error_description="The access token is malformed, expired, revoked or not for this service"',
    ],
  ],
  [
    refuseScope('styles.read'),
    403,
    'access_denied',
    ['WWW-Authenticate', 'Bearer realm="housestyle", error="insufficient_scope", scope="styles.read"'],
  ],
  [refuse('not-found'), 404, 'not_found', []],
  [
    refuse('method-not-allowed', ['Allow', 'GET, HEAD, OPTIONS']),
    405,
    'method_not_allowed',
    ['Allow', 'GET, HEAD, OPTIONS'],
  ],
  [refuse('too-many-requests', ['Retry-After', '2']), 429, 'too_many_requests', ['Retry-After', '2']],
  [refuse('too-many-streams', ['Retry-After', '60']), 429, 'too_many_requests', ['Retry-After', '60']],
  [refuse('too-many-pages', ['Retry-After', '2']), 429, 'too_many_requests', ['Retry-After', '2']],
  [refuse('server-error'), 500, 'server_error', []],
  [refuse('overloaded', ['Retry-After', '1']), 503, 'temporarily_unavailable', ['Retry-After', '1']],
  [refuse('too-many-connections', ['Retry-After', '1']), 503, 'temporarily_unavailable', ['Retry-After', '1']],
  [refuse('unavailable', ['Retry-After', '1']), 503, 'temporarily_unavailable', ['Retry-After', '1']],
]

for (const [refusal, status, error, headers] of REPLIES) {
  test(`${refusal.id} gets ${status} ${error}, a description and a link to the documentation`, () => {
    const reply = refusalReply(refusal, PUBLIC_URL)
    assert.deepEqual(
      { status: reply.status, headers: reply.headers },
      { status, headers: [...JSON_NOT_STORED, ...headers] },
    )
    assert.ok(reply.body instanceof Uint8Array)
    const text = new TextDecoder().decode(reply.body)
    const body = { error, error_description: refusal.description, error_uri: `${PUBLIC_URL}/docs#${error}` }
    assert.deepEqual(JSON.parse(text), body)
    assertDescribed('getStyles', reply.status, reply.headers, text)
  })
}

test('every refusal has a reply', () => {
  assert.deepEqual(REPLIES.map(([{ id }]) => id).toSorted(), Object.keys(REFUSALS).toSorted())
})

test('a refusal names the missing scope', () => {
  assert.equal(
    refuseScope('files.read').description,
    'The token lacks the scope that this operation needs. Use a token with this scope: files.read',
  )
})

test('the refusal of a path without a required id names the id', () => {
  assert.equal(
    refuseMissingId('project').description,
    'The path ends before a required id. Write the path as documented, and add this id: project',
  )
})

test('the 404 for the base path of the API names its first address and the OpenAPI document', () => {
  const hint =
    ' The API begins at https://brand.example.com/beta/workspace/{workspace}, and https://brand.example.com/openapi.json describes it.'
  assert.equal(refuseNotFound('/beta', PUBLIC_URL).description, refuse('not-found').description + hint)
})

test('a path without the API base gets a hint, which depends only on the form of the path', () => {
  const plain = refuse('not-found').description
  const hint = ' The API is below https://brand.example.com/beta: write /beta before /workspace.'
  for (const path of ['/workspace', '/workspace/', '/workspace/acme', '/workspace/nowhere/project/x/styles'])
    assert.equal(refuseNotFound(path, PUBLIC_URL).description, plain + hint)
  for (const path of ['/', '/acme/guidelines', '/workspaces/acme', '/acme/workspace/x', '/Workspace/acme'])
    assert.equal(refuseNotFound(path, PUBLIC_URL).description, plain)
})
