import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { openApiDocument } from '../../src/contract/openapi.ts'
import { OPERATIONS } from '../../src/contract/operations.ts'
import { REFUSALS } from '../../src/contract/refusals.ts'

const ROOT = new URL('../../', import.meta.url)

test('the committed document passes the linter without an error or a warning', { timeout: 60_000 }, async () => {
  const linter = createRequire(import.meta.url).resolve('@redocly/cli/bin/cli.js')
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [linter, 'lint', 'openapi.json', '--extends=recommended', '--format=json'],
    { cwd: ROOT, env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' } },
  )
  const { totals, problems } = JSON.parse(stdout)
  assert.deepEqual({ totals, problems }, { totals: { errors: 0, warnings: 0, ignored: 0 }, problems: [] })
})

test('the document is OpenAPI 3.1, has the version of the interface, and stands below /beta', () => {
  const { openapi, info, servers } = openApiDocument()
  assert.match(openapi, /^3\.1\.\d$/)
  assert.deepEqual(JSON.parse(JSON.stringify(info)).version, '0.1.0')
  assert.deepEqual(servers, [{ url: '/beta', description: 'The service that serves this document' }])
})

test('the document has the operations, each GET and with its scope, its ids, its reply and every refusal', () => {
  const { paths } = openApiDocument()
  assert.deepEqual(
    Object.keys(paths),
    OPERATIONS.map(({ path }) => path),
  )
  for (const { id, path, scope, reply } of OPERATIONS) {
    const get = paths[path]?.get
    assert.ok(get)
    assert.deepEqual(Object.keys(paths[path] ?? {}), ['get'])
    assert.equal(get.operationId, id)
    assert.deepEqual(get.security, [{ bearer: [scope] }])
    assert.deepEqual(
      get.parameters.map(({ $ref }) => `{${$ref.replace('#/components/parameters/', '')}}`),
      path.match(/\{[^}]+\}/g),
    )
    const answered = get.responses[200]
    assert.ok(answered && 'content' in answered)
    assert.deepEqual(answered.content?.['application/json']?.schema, { $ref: `#/components/schemas/${reply}` })
    const statuses = new Set([200, 304, ...Object.values(REFUSALS).map(({ status }) => status)])
    assert.deepEqual(new Set(Object.keys(get.responses).map(Number)), statuses)
  }
})

test('only the replies about a project name a revision', () => {
  const named = Object.values(openApiDocument().paths).flatMap(({ get }) => {
    const answered = get.responses[200]
    return answered && 'headers' in answered && 'Housestyle-Revision' in answered.headers ? [get.operationId] : []
  })
  assert.deepEqual(named, ['getProject', 'listPages', 'getPage', 'getStyles', 'listFiles'])
})

test('the operations of a snapshot are found below earlier revisions as well, and the others are not', () => {
  const [own] = openApiDocument().servers
  const servers = Object.values(openApiDocument().paths).map(({ get }) => [get.operationId, get.servers])
  const both = [
    own,
    {
      url: '/revision/{revision}/beta',
      description: 'The same for an earlier revision of a project with `revisions: served`',
      variables: { revision: { default: '1', description: 'The number of the revision: 1 or more.' } },
    },
  ]
  assert.deepEqual(servers, [
    ...['getWorkspace', 'listProjects', 'getProject'].map(id => [id, undefined]),
    ...['listPages', 'getPage', 'getStyles', 'listFiles'].map(id => [id, both]),
  ])
})
