import { randomUUID } from 'node:crypto'
import {
  type Attributes,
  createTraceState,
  DiagLogLevel,
  diag,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api'
import { NodeSDK } from '@opentelemetry/sdk-node'
import { errorCode, errorMessage } from '../base/error.ts'
import { field, parsedJson } from '../base/object.ts'
import { withTimeout } from '../base/promise.ts'
import type { Log } from './log.ts'
import type { AnsweredRequest, TraceContext, Tracing } from './trace-context.ts'

/**
 * Starts the OpenTelemetry SDK only for traces. It reads its own variables (`OTEL_EXPORTER_OTLP_PROTOCOL`,
 * `OTEL_TRACES_SAMPLER` …). It sends no data about the machine: the SDK's detectors would send the command line, which
 * may contain secrets. Span names and attributes follow the semantic conventions, version 1.37.
 */
export function startOpenTelemetry(
  environment: Readonly<Partial<Record<string, string>>>,
  version: string,
  log: Log,
): Tracing {
  const sdk = new NodeSDK({
    resourceDetectors: [{ detect: () => ({ attributes: resourceAttributes(environment, version) }) }],
    instrumentations: [],
    metricReaders: [],
    logRecordProcessors: [],
  })
  // Set after the SDK, which with OTEL_LOG_LEVEL installs a logger that writes to stdout.
  diag.setLogger(sdkLogger(log), { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true })
  sdk.start()
  const tracer = trace.getTracer('housestyle', version)
  return {
    beginRequest: (method, client) => {
      const span = tracer.startSpan(
        method,
        { kind: SpanKind.SERVER, attributes: methodAttributes(method) },
        contextOf(client, true),
      )
      return { trace: traceOf(span), end: request => endRequest(span, method, request) }
    },
    beginEngine: (engine, operation, parent) => {
      const span = tracer.startSpan(
        `${engine} ${operation}`,
        { kind: SpanKind.CLIENT, attributes: engineAttributes(engine, operation) },
        contextOf(parent, false),
      )
      return { end: failure => endEngine(span, failure) }
    },
    end: async () => {
      const sent = sdk.shutdown().catch((error: unknown) => log.warn({ err: error }, UNSENT))
      await withTimeout(MAX_SENDING_MS, sent, () => undefined)
    },
  }
}

const MAX_SENDING_MS = 3000
const UNSENT = 'traces cannot be sent'

/** Operator settings override the defaults. */
function resourceAttributes(environment: Readonly<Partial<Record<string, string>>>, version: string): Attributes {
  const { OTEL_SERVICE_NAME = '', OTEL_RESOURCE_ATTRIBUTES = '' } = environment
  return {
    'service.name': 'housestyle',
    'service.version': version,
    'service.instance.id': randomUUID(),
    ...listedAttributes(OTEL_RESOURCE_ATTRIBUTES),
    ...(OTEL_SERVICE_NAME !== '' && { 'service.name': OTEL_SERVICE_NAME }),
  }
}

/** Parses `key=value,key=value`, percent-encoded; ignores a malformed list entirely (OpenTelemetry, Resource SDK). */
function listedAttributes(text: string): Attributes {
  try {
    const members = text.split(',').filter(member => member.trim() !== '')
    return Object.fromEntries(members.map(member => attributeOf(member)))
  } catch (error) {
    diag.warn(`OTEL_RESOURCE_ATTRIBUTES is ignored: ${errorMessage(error)}`)
    return {}
  }
}

function attributeOf(member: string): [string, string] {
  const [key = '', value, ...more] = member.split('=').map(part => decodeURIComponent(part.trim()))
  if (key === '' || value === undefined || more.length > 0)
    throw new Error('it is not a comma-separated list of key=value')
  return [key, value]
}

function contextOf(parent: TraceContext | undefined, isRemote: boolean) {
  if (!parent) return ROOT_CONTEXT
  const { traceId, parentId: spanId, isSampled, state } = parent
  const traceFlags = isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE
  const named = { traceId, spanId, traceFlags, isRemote, ...(state !== '' && { traceState: createTraceState(state) }) }
  return trace.setSpanContext(ROOT_CONTEXT, named)
}

function traceOf(span: Span): TraceContext {
  const { traceId, spanId: parentId, traceFlags, traceState } = span.spanContext()
  return { traceId, parentId, isSampled: (traceFlags & TraceFlags.SAMPLED) !== 0, state: traceState?.serialize() ?? '' }
}

/** The methods of the conventions; any other is `_OTHER`, to keep their number small. */
const METHODS: ReadonlySet<string> = new Set([
  'CONNECT',
  'DELETE',
  'GET',
  'HEAD',
  'OPTIONS',
  'PATCH',
  'POST',
  'PUT',
  'TRACE',
])

function methodAttributes(method: string): Attributes {
  if (METHODS.has(method)) return { 'http.request.method': method }
  return { 'http.request.method': '_OTHER', 'http.request.method_original': method }
}

function endRequest(span: Span, method: string, request: AnsweredRequest): void {
  const { route, path, scheme, httpVersion, requestId, status, isWhole } = request
  // Undefined if nothing failed.
  const trouble = !isWhole ? 'client_gone' : status !== undefined && status >= 500 ? String(status) : undefined
  span.setAttributes({
    'url.scheme': scheme,
    'network.protocol.version': httpVersion,
    'http.response.header.x-request-id': [requestId],
    'http.route': route,
    'url.path': path,
    'http.response.status_code': status,
    'error.type': trouble,
  })
  const name = METHODS.has(method) ? method : 'HTTP'
  span.updateName(route === undefined ? name : `${name} ${route}`)
  if (trouble !== undefined) span.setStatus({ code: SpanStatusCode.ERROR })
  span.end()
}

const SYSTEMS: ReadonlyMap<string, string> = new Map([
  ['postgres', 'postgresql'],
  ['sqlite', 'sqlite'],
  ['redis', 'redis'],
])

function engineAttributes(engine: string, operation: string): Attributes {
  const system = SYSTEMS.get(engine)
  return system === undefined ? {} : { 'db.system.name': system, 'db.operation.name': operation }
}

/** Records only the error code, because a message may quote content. */
function endEngine(span: Span, failure: { error: unknown } | undefined): void {
  if (failure) {
    span.setAttribute('error.type', errorCode(failure.error) || '_OTHER')
    span.setStatus({ code: SpanStatusCode.ERROR })
  }
  span.end()
}

/** Logs messages of the SDK, each at most once a minute. */
function sdkLogger(log: Log) {
  const loggedAt = new Map<string, number>()
  const logOnce = (text: string) => {
    const reason = reasonOf(text)
    if (performance.now() - (loggedAt.get(reason) ?? Number.NEGATIVE_INFINITY) < REPEAT_MS) return
    if (loggedAt.size > MAX_REASONS) loggedAt.clear()
    loggedAt.set(reason, performance.now())
    log.warn({ reason }, 'OpenTelemetry reports a problem, and traces may be lost')
  }
  const nothing = () => undefined
  return { error: logOnce, warn: logOnce, info: nothing, debug: nothing, verbose: nothing }
}

const REPEAT_MS = 60_000
const MAX_REASONS = 100

/** The SDK writes an error as JSON, with its stack. */
function reasonOf(text: string): string {
  const message = field(parsedJson(text), 'message')
  return typeof message === 'string' ? message : text
}
