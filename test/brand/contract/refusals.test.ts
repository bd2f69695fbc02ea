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
  TOKEN_REFUSALS,
} from '#brand/contract/refusals.ts'
import { keysOf } from '#brand/fields.ts'
import type { HeaderList } from '#platform/exchange/message.ts'

const PUBLIC_URL = 'https://brand.example.com'
const JSON_NOT_STORED = [
  'Content-Type',
  'application/json',
  'Cache-Control',
  'no-store',
  'X-Content-Type-Options',
  'nosniff',
]

/** Refusals with header fields that others do not have. */
const CHALLENGES: readonly (readonly [refusal: Refusal, challenge: string])[] = [
  [refuseNoCredentials(), 'Bearer realm="housestyle"'],
  [
    refuseInvalidToken(),
    'Bearer realm="housestyle", error="invalid_token", error_description="The access token is malformed, expired, revoked or not for this service"',
  ],
  [refuseScope('styles.read'), 'Bearer realm="housestyle", error="insufficient_scope", scope="styles.read"'],
]

test('the reply to each refusal has its status, its code, a description and a link to the documentation', () => {
  const fields: HeaderList = ['Retry-After', '1']
  for (const refusal of [...CHALLENGES.map(([each]) => each), ...keysOf(REFUSALS).map(id => refuse(id, fields))]) {
    const { status, error } = REFUSALS[refusal.id]
    const reply = refusalReply(refusal, PUBLIC_URL)
    assert.deepEqual([reply.status, reply.headers], [status, [...JSON_NOT_STORED, ...refusal.headers]])
    assert.ok(reply.body instanceof Uint8Array)
    const body = { error, error_description: refusal.description, error_uri: `${PUBLIC_URL}/docs#${error}` }
    assert.deepEqual(JSON.parse(new TextDecoder().decode(reply.body)), body)
  }
})

test('a refusal of credentials says in WWW-Authenticate what is wrong with them', () => {
  for (const [{ headers }, challenge] of CHALLENGES) assert.deepEqual(headers, ['WWW-Authenticate', challenge])
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

test('a token endpoint description contains only the characters that RFC 6749 §5.2 allows', () => {
  for (const { description } of Object.values(TOKEN_REFUSALS)) {
    assert.match(description, /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
  }
})
