import type { TraceContext } from './trace-context.ts'

/** Spans of requests and of the work that they wait for, for an OpenTelemetry collector. */
export type Tracing = {
  /** Begins the span of a request, in the trace of its client or in a new one. */
  beginRequest: (method: string, client: TraceContext | undefined) => RequestSpan
  /** Begins the span of an engine operation in this trace: `postgres`, `query`. */
  beginEngine: (engine: string, operation: string, trace: TraceContext) => EngineSpan
  /** Sends the remaining spans, for up to three seconds. */
  end: () => Promise<void>
}

type RequestSpan = {
  /** The trace for work of this request, whose parent is this span. */
  trace: TraceContext
  end: (request: AnsweredRequest) => void
}

/** The request data in a span. It must not give access to anything: no token, no secret of a path, no query. */
export type AnsweredRequest = {
  /** The pattern of its address; absent if unreadable. */
  route?: string
  path?: string
  /** `http` or `https`. */
  scheme: string
  /** For example, `1.1`. */
  httpVersion: string
  requestId: string
  /** Absent if the client left before there was a reply. */
  status?: number
  isWhole: boolean
}

type EngineSpan = { end: (failure?: { error: unknown }) => void }
