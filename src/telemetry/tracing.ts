import type { TraceContext } from './trace-context.ts'

/** Spans of requests, and of what they wait for, for a collector of OpenTelemetry. */
export type Tracing = {
  /** Begins the span of a request, in the trace that its client named or in a new one. */
  beginRequest: (method: string, client: TraceContext | undefined) => RequestSpan
  /** Begins the span of work of an engine, as a part of this trace: `postgres`, `query`. */
  beginEngine: (engine: string, operation: string, trace: TraceContext) => EngineSpan
  /** Sends what was not sent yet, for up to three seconds. */
  end: () => Promise<void>
}

/** A span of a request that is being answered. */
type RequestSpan = {
  /** The trace for what is done for this request, whose parent is this span. */
  trace: TraceContext
  end: (request: AnsweredRequest) => void
}

/** What a span says of its request. Nothing in it may open anything: no token, no secret of a path, no query. */
export type AnsweredRequest = {
  /** The pattern of its address; absent if it could not be read. */
  route?: string
  path?: string
  /** `http` or `https`. */
  scheme: string
  /** As in `1.1`. */
  httpVersion: string
  requestId: string
  /** Absent if the client left before there was a reply. */
  status?: number
  /** Whether all of the reply was sent. */
  isWhole: boolean
}

type EngineSpan = { end: (failure?: { error: unknown }) => void }
