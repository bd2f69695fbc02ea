import { withoutBase } from '#platform/exchange/target.ts'
import {
  type AnsweredRequest,
  readTraceContext,
  type TraceContext,
  type Tracing,
} from '#platform/telemetry/trace-context.ts'
import { findRoute } from '../service/routes.ts'
import type { HttpExchange } from './send.ts'

/** The trace that the client names. If tracing is enabled, starts a span in it, which ends with the reply. */
export function traceOf(request: HttpExchange, tracing: Tracing | undefined): TraceContext | undefined {
  const { traceparent, tracestate } = request.incoming.headers
  const named = traceparent === undefined ? undefined : readTraceContext(traceparent, tracestate)
  return tracing ? beginSpan(request, tracing, named) : named
}

function beginSpan(request: HttpExchange, tracing: Tracing, client: TraceContext | undefined): TraceContext {
  const { edge, incoming, response, requestId } = request
  const span = tracing.beginRequest(incoming.method ?? '', client)
  response.once('close', () =>
    span.end({
      ...(request.path !== undefined && requestRoute(request.path, edge.base)),
      ...(response.headersSent && { status: response.statusCode }),
      scheme: edge.publicUrl.startsWith('https:') ? 'https' : 'http',
      httpVersion: incoming.httpVersion,
      requestId,
      isWhole: response.writableFinished,
    }),
  )
  return span.trace
}

/**
 * Returns the pattern of a path, of which there are a few dozen, and the path as sent, without secrets: those of share
 * links, file keys, and ids of authorizations. `base` is the path of the public URL.
 */
export function requestRoute(sent: string, base = ''): Required<Pick<AnsweredRequest, 'route' | 'path'>> {
  const { pattern } = findRoute(withoutBase(sent, base)).route
  return { route: pattern, path: withoutSecrets(sent).slice(0, MAX_PATH) }
}

/** A page id may be too long for a trace. */
const MAX_PATH = 1024

/** Removes segments that give access, in any encoding. A cookie also has the id of its authorization. */
function withoutSecrets(path: string): string {
  const segments = path.split('/')
  const plain = segments.map(segment =>
    segment.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
  )
  return segments
    .map((segment, at) => (BEFORE_SECRET.has(`${plain[at - 2]}/${plain[at - 1]}`) ? 'REDACTED' : segment))
    .join('/')
}

/** The two segments before a key, a secret or an id. */
const BEFORE_SECRET: ReadonlySet<string> = new Set([
  '-/files',
  '-/thumbnails',
  '-/png',
  '-/share',
  '-/consent',
  'oauth/consent',
  'oauth/authorize',
])
