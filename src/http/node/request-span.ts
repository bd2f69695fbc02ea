import { readTraceContext, type TraceContext } from '../../telemetry/trace-context.ts'
import type { Tracing } from '../../telemetry/tracing.ts'
import { requestRoute } from './request-route.ts'
import type { HttpExchange } from './send.ts'

type Traced = Pick<HttpExchange, 'edge' | 'incoming' | 'response' | 'requestId' | 'path'>

/**
 * Returns the trace of a request: the one named by its client, if any. If tracing is enabled, starts a span in that
 * trace or in a new one; the span ends when the reply is sent or the client disconnects.
 */
export function traceOf(request: Traced, tracing: Tracing | undefined): TraceContext | undefined {
  const { traceparent, tracestate } = request.incoming.headers
  const named = traceparent === undefined ? undefined : readTraceContext(traceparent, tracestate)
  return tracing ? beginSpan(request, tracing, named) : named
}

function beginSpan(request: Traced, tracing: Tracing, client: TraceContext | undefined): TraceContext {
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
