import { readTraceContext, type TraceContext } from '../../telemetry/trace-context.ts'
import type { Tracing } from '../../telemetry/tracing.ts'
import { requestRoute } from './request-route.ts'
import type { HttpExchange } from './send.ts'

type Traced = Pick<HttpExchange, 'edge' | 'incoming' | 'response' | 'requestId' | 'path'>

/**
 * The trace for what is done for a request: the one that its client names, if it does. If requests are traced, it begins
 * a span in that trace or in a new one, which ends once the reply is sent or the client is gone.
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
