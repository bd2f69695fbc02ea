import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { buffer, text } from 'node:stream/consumers'
import test from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { openTracing } from '#platform/telemetry/open-tracing.ts'
import { MAIN } from '../../program/cli/housestyle.ts'
import { freePort } from '../../support/free-port.ts'
import { issuerKey } from '../../support/issuer-server.ts'
import { localServer } from '../../support/local-server.ts'
import { silent } from '../../support/service.ts'
import { SMALL_BRAND, temporaryStore } from '../../support/temporary-store.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const CLIENT = '00f067aa0ba902b7'

/** The requests to a collector: the path, the content type and the body of each. */
type Received = { path: string | undefined; type: string | undefined; body: Buffer }

/** Starts a collector that accepts everything. */
async function startCollector(): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = []
  const { url } = await localServer(async (request, response) => {
    received.push({ path: request.url, type: request.headers['content-type'], body: await buffer(request) })
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  return { url, received }
}

/** Starts a service in its own process, which sends its traces soon. */
async function serveWith(env: Record<string, string>, more: { flags?: string[]; node?: string[] } = {}) {
  const port = await freePort()
  const args = [
    ...(more.node ?? []),
    MAIN,
    'serve',
    '--data',
    store.data,
    '--port',
    `${port}`,
    '--json',
    ...(more.flags ?? []),
  ]
  const child = spawn(process.execPath, args, {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      OTEL_BSP_SCHEDULE_DELAY: '20',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 300_000,
    killSignal: 'SIGKILL',
  })
  const errors = text(child.stderr)
  const exited = once(child, 'exit')
  const line = once(createInterface({ input: child.stdout }), 'line')
  await Promise.race([line, exited.then(async () => assert.fail(await errors))])
  const end = async () => {
    child.kill()
    return { exit: (await exited)[0], log: (await errors).replace(/^\{"message":.*\n/m, '') }
  }
  return { url: `http://127.0.0.1:${port}`, end }
}

/** Returns the spans of OTLP JSON, with their attributes as an object. */
function spansOf(received: readonly Received[]) {
  return received
    .flatMap(({ body }) => JSON.parse(String(body)).resourceSpans)
    .flatMap(({ resource, scopeSpans }) => scopeSpans.map((scope: object) => ({ resource, ...scope })))
    .flatMap(({ resource, spans }) =>
      spans.map(({ attributes, ...span }: { attributes: Attribute[] }) => ({
        ...span,
        attributes: objectOf(attributes),
        resource: objectOf(resource.attributes),
      })),
    )
}

type Attribute = { key: string; value: Record<string, unknown> }

function objectOf(attributes: Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
}

const store = await temporaryStore('https://brand.test')
await store.publishing('acme/guidelines', SMALL_BRAND)
const { token } = await store.issue('acme')
const { url, received } = await startCollector()
const contexts: unknown[] = []
const issuer = await localServer((request, response) => {
  contexts.push(request.headers.traceparent)
  response.end(JSON.stringify({ issuer: issuer.url, jwks_uri: `${issuer.url}/jwks`, keys: [] }))
})
const key = await issuerKey('unknown')
const service = await serveWith(
  {
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${url}/traces`,
    OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json',
    OTEL_RESOURCE_ATTRIBUTES: 'service.name=other,deployment.environment.name=a%2Cb',
    OTEL_SERVICE_NAME: 'brand',
    OTEL_NODE_RESOURCE_DETECTORS: 'all',
    HOUSESTYLE_KEY_SECRET: 'a-secret-of-the-keys',
  },
  { flags: ['--public-url', 'https://brand.test', '--trust', `${issuer.url}=acme,https://a-secret.test=acme`] },
)
const ask = (path: string, headers: Record<string, string> = {}) => fetch(service.url + path, { headers })

/** The replies, by request. */
const asked = {
  styles: await ask('/beta/workspace/acme/project/guidelines/styles?q=a-secret-word', {
    traceparent: `00-${TRACE}-${CLIENT}-01`,
    tracestate: 'a=1',
    authorization: `Bearer ${token}`,
  }),
  outside: await ask('/beta/workspace/acme/projects?access_token=a-secret-token', {
    authorization: `Bearer ${await key.sign({ iss: issuer.url, aud: 'https://brand.test/beta', sub: 'a', jti: '1', iat: 1 })}`,
  }),
  malformed: await ask('/nowhere', { traceparent: `00-${'0'.repeat(32)}-${CLIENT}-01` }),
  notSampled: await ask('/nowhere', { traceparent: `00-${TRACE}-${CLIENT}-00` }),
  share: await ask('/acme/guidelines/-/share/a-secret-of-a-share', { cookie: 'a-secret' }),
  written: await ask('/acme/guidelines/%2D/sh%61re/a-secret-of-a-share'),
  file: await ask('/acme/guidelines/-/files/a-secret-key/logo.svg', { authorization: 'Bearer a-secret-token' }),
}
const ended = await service.end()
const spans = spansOf(received)
const requests = spans.filter(({ kind }) => kind === 2)

/** Finds the span of a request, by the id in its reply. */
function spanOf(reply: Response) {
  const id = [{ stringValue: reply.headers.get('x-request-id') }]
  return requests.find(({ attributes }) => isDeepStrictEqual(attributes[REQUEST_ID], { values: id }))
}

const REQUEST_ID = 'http.response.header.x-request-id'

test('a request is a span in the trace of its client, with child spans for the work that it waits for', () => {
  assert.deepEqual([asked.styles.status, ended.exit], [200, 0])
  const { name, traceId, parentSpanId, traceState, attributes, status, spanId } = spanOf(asked.styles)
  const { [REQUEST_ID]: _, ...others } = attributes
  assert.deepEqual(
    { name, traceId, parentSpanId, traceState, attributes: others, status },
    {
      name: 'GET /beta/workspace/{workspace}/project/{project}/styles',
      traceId: TRACE,
      parentSpanId: CLIENT,
      traceState: 'a=1',
      attributes: {
        'http.request.method': 'GET',
        'http.response.status_code': 200,
        'http.route': '/beta/workspace/{workspace}/project/{project}/styles',
        'network.protocol.version': '1.1',
        'url.path': '/beta/workspace/acme/project/guidelines/styles',
        'url.scheme': 'https',
      },
      status: { code: 0 },
    },
  )
  const queries = spans.filter(each => each.parentSpanId === spanId)
  assert.ok(queries.length > 0)
  for (const each of queries) {
    assert.deepEqual([each.name, each.kind, each.traceId], ['sqlite query', 3, TRACE])
    assert.deepEqual(each.attributes, { 'db.system.name': 'sqlite', 'db.operation.name': 'query' })
  }
})

test('traces describe the service by OpenTelemetry variables, its version and its process', () => {
  const { 'service.instance.id': instance, 'service.version': version, ...others } = spanOf(asked.styles).resource
  assert.match(String(instance), /^[0-9a-f-]{36}$/)
  assert.match(String(version), /^\d+\.\d+\.\d+$/)
  const named = Object.entries(others).filter(([name]) => !name.startsWith('telemetry.sdk.'))
  assert.deepEqual(Object.fromEntries(named), { 'service.name': 'brand', 'deployment.environment.name': 'a,b' })
})

test('traces contain no token, query, secret of a path or setting', () => {
  assert.ok(spanOf(asked.share) && spanOf(asked.written) && spanOf(asked.file))
  assert.deepEqual([...new Set(received.map(({ path, type }) => `${path} ${type}`))], ['/traces application/json'])
  const bodies = received.map(({ body }) => String(body)).join()
  assert.doesNotMatch(bodies, /a-secret/)
  assert.ok(!bodies.includes(token))
})

test('a malformed client trace starts a new trace, and an unsampled one starts none', () => {
  const { name, traceId, parentSpanId, status } = spanOf(asked.malformed)
  assert.deepEqual(
    { name, parentSpanId, status },
    { name: 'GET /{workspace}', parentSpanId: undefined, status: { code: 0 } },
  )
  assert.doesNotMatch(traceId, /^0+$/)
  assert.equal(spanOf(asked.notSampled), undefined)
})

test('a request for an issuer’s keys contains the span of the original request', () => {
  assert.equal(asked.outside.status, 401)
  const { traceId, spanId } = spanOf(asked.outside)
  assert.deepEqual([...new Set(contexts)], [`00-${traceId}-${spanId}-01`])
})

test('traces are sent as protobuf by default', async () => {
  const other = await startCollector()
  const service = await serveWith({ OTEL_EXPORTER_OTLP_ENDPOINT: other.url })
  await fetch(`${service.url}/healthz`)
  await service.end()
  const [sent] = other.received
  assert.deepEqual([sent?.path, sent?.type], ['/v1/traces', 'application/x-protobuf'])
  assert.match(String(sent?.body), /GET \/healthz/)
})

for (const environment of [
  { OTEL_SERVICE_NAME: 'brand', OTEL_TRACES_SAMPLER: 'always_on', OTEL_EXPORTER_OTLP_ENDPOINT: '' },
  { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_SDK_DISABLED: 'true' },
  { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_TRACES_EXPORTER: 'none' },
])
  test(`${Object.keys(environment).join(', ')} do not enable traces`, async () => {
    assert.equal(await openTracing(environment, '0.1.0', silent), undefined)
  })

/** Hides OpenTelemetry from Node, as if it were not installed. */
const hook = `import { registerHooks } from 'node:module'
registerHooks({ resolve(name, context, next) {
  return next(name.startsWith('@opentelemetry/') ? 'not-installed-' + name.length : name, context)
} })`
const WITHOUT = ['--import', `data:text/javascript,${encodeURIComponent(hook)}`]

test('if traces are enabled but OpenTelemetry is not installed, the service logs one line and serves', async () => {
  const service = await serveWith({ OTEL_TRACES_EXPORTER: 'otlp' }, { node: WITHOUT })
  assert.equal((await fetch(`${service.url}/healthz`)).status, 200)
  const { exit, log } = await service.end()
  const lines = log.trim().split('\n')
  assert.deepEqual([exit, lines.length], [0, 1])
  const { level, msg } = JSON.parse(lines[0] ?? '')
  assert.equal(level, 50)
  assert.match(msg, /not installed: run npm install @opentelemetry\/api @opentelemetry\/sdk-node/)
})

test('an unavailable collector or one without an address causes one log line and no failed request', async () => {
  const targets = ['http://127.0.0.1:9', 'nowhere']
  const logs = targets.map(async target => {
    const service = await serveWith({ OTEL_EXPORTER_OTLP_ENDPOINT: target, OTEL_EXPORTER_OTLP_TIMEOUT: '300' })
    for (let round = 0; round < 20; round++) assert.equal((await fetch(`${service.url}/healthz`)).status, 200)
    const { exit, log } = await service.end()
    const lines = log.trim().split('\n')
    assert.equal(exit, 0)
    assert.ok(lines.length <= 3, log)
    return lines.map(line => JSON.parse(line).msg)
  })
  const messages = (await Promise.all(logs)).flat()
  assert.deepEqual(new Set(messages), new Set(['OpenTelemetry reports a problem, and traces may be lost']))
})
