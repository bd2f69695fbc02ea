import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { openApiBelow, openApiDocument } from '#brand/contract/openapi.ts'
import { OPERATIONS } from '#brand/contract/operations.ts'
import { REFUSALS } from '#brand/contract/refusals.ts'
import { refusePath } from '#brand/contract/route.ts'
import { SCHEMAS } from '#brand/contract/schemas.ts'

const ROOT = new URL('../../../', import.meta.url)

test('the committed document passes the linter without an error or a warning', { timeout: 300_000 }, async () => {
  const linter = createRequire(import.meta.url).resolve('@redocly/cli/bin/cli.js')
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [linter, 'lint', 'openapi.json', '--extends=recommended', '--format=json'],
    { cwd: ROOT, env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' } },
  )
  const { totals, problems } = JSON.parse(stdout)
  assert.deepEqual({ totals, problems }, { totals: { errors: 0, warnings: 0, ignored: 0 }, problems: [] })
})

test('the document is OpenAPI 3.1, has the interface version, and its server is /beta', () => {
  const { openapi, info, servers } = openApiDocument({})
  assert.match(openapi, /^3\.1\.\d$/)
  assert.deepEqual(JSON.parse(JSON.stringify(info)).version, '0.1.0')
  assert.deepEqual(servers, [{ url: '/beta', description: 'The service that serves this document' }])
})

test('the document has every operation as GET with its scope, ids, reply and refusals', () => {
  const { paths } = openApiDocument({})
  const kept = Object.keys(paths).filter(path => path !== '/oauth/token')
  const expected = OPERATIONS.map(({ path }) => path)
  assert.deepEqual(kept, expected)
  for (const { id, path, scope, reply } of OPERATIONS) {
    const get = paths[path]?.get
    assert.ok(get)
    assert.deepEqual(Object.keys(paths[path] ?? {}), ['get'])
    assert.equal(get.operationId, id)
    assert.deepEqual(get.security, [{ bearer: [scope] }, { oauth2: [scope] }])
    const parameters = get.parameters?.map(({ $ref }) => $ref.replace('#/components/parameters/', ''))
    assert.deepEqual(parameters?.at(-1), 'IfNoneMatch')
    assert.deepEqual(
      parameters?.slice(0, -1).map(name => `{${name}}`),
      path.match(/\{[^}]+\}/g),
    )
    const answered = get.responses[200]
    assert.ok(answered && 'content' in answered)
    assert.deepEqual(answered.content?.['application/json']?.schema, { $ref: `#/components/schemas/${reply}` })
    const statuses = new Set([200, 304, ...Object.values(REFUSALS).map(({ status }) => status)])
    assert.deepEqual(new Set(Object.keys(get.responses).map(Number)), statuses)
  }
})

test('only replies about a project have Housestyle-Revision', () => {
  const named = Object.values(openApiDocument({}).paths).flatMap(({ get }) => {
    const answered = get?.responses[200]
    return get && answered && 'headers' in answered && 'Housestyle-Revision' in answered.headers
      ? [get.operationId]
      : []
  })
  assert.deepEqual(named, ['getProject', 'listPages', 'getPage', 'getStyles', 'listFiles'])
})

test('only the operations with frozen replies also exist below earlier revisions', () => {
  const [own] = openApiDocument({}).servers
  const servers = Object.values(openApiDocument({}).paths).flatMap(({ get }) =>
    get ? [[get.operationId, get.servers]] : [],
  )
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

test('the document has tags, a contact, and parameter names that are valid in any programming language', () => {
  const { info, tags, paths, components } = JSON.parse(JSON.stringify(openApiDocument({})))
  assert.deepEqual(Object.keys(info.contact), ['name', 'url'])
  const named = tags.map(({ name }: { name: string }) => name)
  for (const { get, post } of Object.values<{ get?: object; post?: object }>(paths)) {
    const { tags: own } = { tags: [], ...get, ...post }
    assert.equal(own.length, 1)
    assert.ok(named.includes(own[0]))
  }
  const parameters = Object.values<{ name: string; in: string }>(components.parameters)
  for (const { name } of parameters.filter(each => each.in === 'path')) assert.match(name, /^[a-z]+$/)
  const [condition] = parameters.filter(each => each.in === 'header')
  assert.partialDeepStrictEqual(condition, { name: 'If-None-Match', required: false, schema: { type: 'string' } })
})

test('each error status has its codes, and every file its name, size, type and address', () => {
  const { responses, schemas } = openApiDocument({}).components
  const codes = Object.entries(responses).map(([name, { content }]) => {
    const { properties, required } = content?.['application/json']?.schema ?? {}
    assert.deepEqual(required, ['error'])
    return [name, properties?.error?.enum]
  })
  assert.deepEqual(Object.fromEntries(codes), {
    BadRequest: ['invalid_request'],
    Unauthorized: ['invalid_client'],
    Forbidden: ['access_denied'],
    NotFound: ['not_found'],
    MethodNotAllowed: ['method_not_allowed'],
    RequestTimeout: ['invalid_request'],
    ContentTooLarge: ['invalid_request'],
    UriTooLong: ['invalid_request'],
    TooManyRequests: ['too_many_requests'],
    RequestHeaderFieldsTooLarge: ['invalid_request'],
    InternalServerError: ['server_error'],
    ServiceUnavailable: ['temporarily_unavailable'],
  })
  assert.deepEqual(schemas.File?.required, ['filename', 'size', 'contentType', 'url'])
})

test('for a public URL with a path, only the addresses in the document change', () => {
  const document = JSON.stringify(openApiDocument({ listFiles: { files: [{ url: 'https://brand.example.com/a' }] } }))
  const moved = openApiBelow('/brand', document)
  const addresses = Array.from(moved.matchAll(/"(?:url|tokenUrl)": "([^"]*)"/g), ([, address]) => address)
  assert.deepEqual(
    new Set(addresses),
    new Set([
      '/brand/docs',
      '/brand/beta',
      '/brand/revision/{revision}/beta',
      '/brand',
      '/brand/oauth/token',
      'https://brand.example.com/a',
    ]),
  )
  const back = moved.replaceAll('"/brand"', '"/"').replace(/("(?:url|tokenUrl)": ")\/brand/g, '$1')
  assert.deepEqual(JSON.parse(back), JSON.parse(document))
})

test('the reply to a path without an id names the parameter as the document does', () => {
  const { paths } = openApiDocument({})
  const written = Object.keys(paths).filter(path => path.startsWith('/workspace'))
  for (const path of written)
    for (const [before, name] of Array.from(path.matchAll(/\/\{(\w+)\}/g), ({ index, 1: id }) => [
      path.slice(0, index),
      id,
    ])) {
      const { id, description } = refusePath(before ?? '', written)
      assert.deepEqual([id, description.split(' ').at(-1)], ['missing-id', name])
    }
})

test('the document says which values are absent, which names repeat, and the units of measures', () => {
  const { Color, File, PageSummary, Project, TypeStyle } = SCHEMAS
  const says = (schema: { description?: string } | undefined) => schema?.description ?? ''
  for (const schema of [Color, TypeStyle]) assert.match(says(schema), /absent value is left out, never null/)
  for (const { properties } of [Color, PageSummary, TypeStyle]) assert.match(says(properties?.name), /may share a name/)
  assert.match(says(File.properties?.filename), /may share it/)
  assert.match(says(Project.properties?.status), /`Draft`: not published, which no reply says/)
  const { size, leading, tracking, spacing } = TypeStyle.properties ?? {}
  assert.match(says(size), /in CSS px/)
  assert.match(says(leading), /multiple of `size`, without a unit/)
  for (const measure of [tracking, spacing]) assert.match(says(measure), /in em: multiples of `size`/)
})
