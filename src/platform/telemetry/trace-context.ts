import { AsyncLocalStorage } from 'node:async_hooks'

/** The trace of a request, as named by its client (W3C Trace Context). */
export type TraceContext = {
  /** 32 hexadecimal digits. */
  traceId: string
  /** The client's span: 16 hexadecimal digits. */
  parentId: string
  isSampled: boolean
  /** Data that tracing systems added on the way; empty if none. */
  state: string
}

/**
 * Reads `traceparent` and `tracestate` (W3C Trace Context, §3.2 and §3.3). Ignores malformed fields: both if
 * `traceparent` is malformed, else only `tracestate`. In later versions, reads the parts that this version knows.
 */
export function readTraceContext(parent: unknown, state: unknown): TraceContext | undefined {
  if (typeof parent !== 'string' || parent.length > MAX_PARENT) return undefined
  const { version, traceId, parentId, flags, more } = PARENT.exec(parent)?.groups ?? {}
  if (version === undefined || traceId === undefined || parentId === undefined || flags === undefined) return undefined
  if (version === 'ff' || (version === '00' && more !== undefined)) return undefined
  if (/^0+$/.test(traceId) || /^0+$/.test(parentId)) return undefined
  const isSampled = (Number.parseInt(flags, 16) & SAMPLED) !== 0
  return { traceId, parentId, isSampled, state: typeof state === 'string' && isState(state) ? state : '' }
}

export function traceHeaders({ traceId, parentId, isSampled, state }: TraceContext): Record<string, string> {
  return {
    traceparent: `00-${traceId}-${parentId}-${isSampled ? '01' : '00'}`,
    ...(state !== '' && { tracestate: state }),
  }
}

const MAX_PARENT = 512
/** `00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01`. A later version may have more after the flags. */
const PARENT =
  /^(?<version>[0-9a-f]{2})-(?<traceId>[0-9a-f]{32})-(?<parentId>[0-9a-f]{16})-(?<flags>[0-9a-f]{2})(?<more>-.*)?$/
const SAMPLED = 1

/** Whether `tracestate` is valid: `congo=t61rcWkgMzE,rojo=00f067aa`, with at most 32 members, each with another key. */
function isState(text: string): boolean {
  if (text.length > MAX_STATE) return false
  const members = text.split(',').map(member => member.replace(/^[ \t]+|[ \t]+$/g, ''))
  const keys = members.filter(member => member !== '').map(member => member.slice(0, member.indexOf('=')))
  if (keys.length === 0 || keys.length > MAX_MEMBERS || new Set(keys).size !== keys.length) return false
  return members.every(member => member === '' || MEMBER.test(member))
}

const MAX_STATE = 512
const MAX_MEMBERS = 32
/** `system=value` or `tenant@system=value`; the value has no comma or equals sign, and does not end with a space (§3.3.1). */
const MEMBER =
  /^(?:[a-z0-9][a-z0-9_*/-]{0,255}|[a-z0-9][a-z0-9_*/-]{0,240}@[a-z][a-z0-9_*/-]{0,13})=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/

const traces = new AsyncLocalStorage<TraceContext>()

/** Runs work for a request of this trace: its log lines name the trace, and so do its outgoing requests. */
export function withTrace<Value>(trace: TraceContext, work: () => Value): Value {
  return traces.run(trace, work)
}

export function currentTrace(): TraceContext | undefined {
  return traces.getStore()
}

/** Spans of requests and of the work that they wait for, for an OpenTelemetry collector. */
export type Tracing = {
  /** Begins the span of a request, in the trace of its client or in a new one. */
  beginRequest: (method: string, client: TraceContext | undefined) => RequestSpan
  /** Begins the span of an engine operation in this trace: `postgres`, `query`. */
  beginEngine: (
    engine: string,
    operation: string,
    trace: TraceContext,
  ) => { end: (failure?: { error: unknown }) => void }
  /** Sends the remaining spans, for up to three seconds. */
  end: () => Promise<void>
}

type RequestSpan = {
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
