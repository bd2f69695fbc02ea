import { randomBytes } from 'node:crypto'
import { RETRY_SOON, RefusedBody, refusalReply, refuse, refuseUnavailable } from '#brand/contract/refusals.ts'
import type { MaybePromise } from '#platform/base/promise.ts'
import { memoize } from '#platform/base/text.ts'
import type { DigestFor, Reply, Request } from '#platform/exchange/message.ts'
import type { Log } from '#platform/telemetry/log.ts'
import type { Tracing } from '#platform/telemetry/trace-context.ts'
import { type Admission, openAdmission } from './admission.ts'
import { type BodyMemory, type ClientOf, openBodyMemory } from './body-memory.ts'
import type { Connections } from './connections.ts'
import { withCors } from './service/cors.ts'
import { nameInMetrics } from './service/routes.ts'
import type { Service } from './service/service.ts'

/** The state and functions for answering requests on sockets. */
export type Edge = {
  connections: Connections
  admission: Admission
  service: Service | undefined
  publicUrl: string
  /** The path of the public URL. */
  base: string
  /** The path below the service of a request with this `Host`. */
  inside: (path: string, host: string | undefined) => string
  /** Origins that may read replies from a browser. */
  origins: ReadonlySet<string>
  outages: Outages | undefined
  isStopping: boolean
  log: Log
  /** Called for each answered request with its status, duration in milliseconds, and kind. */
  observe: (status: number, milliseconds: number, kind: string) => void
  /** Called for each request that is refused before it is read, with the reason. */
  shed: (reason: 'overload' | 'connections') => void
  /** Absent if tracing is disabled. */
  tracing: Tracing | undefined
  /** Finds the digests of bodies that are not kept. */
  digestFor: DigestFor | undefined
  bodyMemory: BodyMemory
}

/** The parts of an edge that its owner gives. */
export type EdgeOptions = Pick<Edge, 'log' | 'observe'> &
  Partial<Pick<Edge, 'shed' | 'tracing' | 'digestFor' | 'origins'>> & { clientOf?: ClientOf | undefined }

export function newEdge(
  connections: Connections,
  { log, observe, shed = () => undefined, tracing, digestFor, clientOf, origins = new Set() }: EdgeOptions,
): Edge {
  return {
    connections,
    admission: openAdmission({ log, shed: () => shed('overload') }),
    service: undefined,
    publicUrl: '',
    base: '',
    inside: path => path,
    origins,
    outages: undefined,
    isStopping: false,
    log,
    observe,
    shed,
    tracing,
    digestFor,
    bodyMemory: openBodyMemory({ clientOf }),
  }
}

export type Outages = {
  /** Whether the error of a request is an outage; if so, logs it. */
  report: (error: unknown, requestId: string) => boolean
  reply: (request: Request) => Reply
}

export function replyTo(edge: Edge, request: Request, requestId: string): MaybePromise<Reply> {
  const { service, publicUrl, admission } = edge
  try {
    const reply = service ? service(request) : withCors(edge, request, refusalReply(refuseUnavailable(), publicUrl))
    if (!(reply instanceof Promise)) return reply
    return admission.whileMaking(reply.catch(error => replyToFailure(edge, error, requestId, request)))
  } catch (error) {
    return replyToFailure(edge, error, requestId, request)
  }
}

/**
 * Logs a failed request, unless its body is refused, and returns its reply. It never throws: if no page can be made, the
 * reply is the API's error.
 */
export function replyToFailure(edge: Edge, error: unknown, requestId: string, request?: Request): Reply {
  const { outages, publicUrl } = edge
  if (error instanceof RefusedBody) return refusalReply(error.refusal, publicUrl)
  const isOutage = outages?.report(error, requestId) === true
  if (!isOutage) edge.log.error({ err: error, requestId }, 'a request failed')
  const readable = (reply: Reply) => (request ? withCors(edge, request, reply) : reply)
  try {
    if (isOutage && request) return readable(outages.reply(request))
  } catch (err) {
    if (!outages?.report(err, requestId)) edge.log.error({ err, requestId }, 'the page of an error cannot be made')
  }
  return readable(refusalReply(isOutage ? refuseUnavailable() : refuse('server-error'), publicUrl))
}

export function recordRequest(edge: Edge, status: number, startedMs: number, path: string | undefined): void {
  edge.observe(status, performance.now() - startedMs, nameInMetrics(path, edge.base))
}

/** Cached, because a refusal must cost less than an answer. */
export const overloadedReply = memoize(publicUrl => refusalReply(refuse('overloaded', RETRY_SOON), publicUrl))

/** Returns a request id that is unique across processes. */
export function nextRequestId(): string {
  requests++
  return `${INSTANCE}-${requests.toString(36)}`
}

const INSTANCE = randomBytes(6).toString('base64url')
let requests = 0
