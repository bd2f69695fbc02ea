import type { MaybePromise } from '../base/promise.ts'
import { memoize } from '../base/text.ts'
import { RETRY_SOON, refusalReply, refuse, refuseUnavailable } from '../contract/refusals.ts'
import type { Reply, Request } from '../exchange/message.ts'
import type { Log } from '../telemetry/log.ts'
import type { Tracing } from '../telemetry/tracing.ts'
import type { Admission } from './admission/admission.ts'
import type { Connections } from './connections/connections.ts'
import type { Pipelines } from './connections/pipeline.ts'
import { requestKind } from './request-kind.ts'
import type { Service } from './service/service.ts'

/** What requests are answered with at a socket. */
export type Edge = {
  connections: Connections
  pipelines: Pipelines
  admission: Admission
  service: Service | undefined
  publicUrl: string
  /** The path of the public URL. */
  base: string
  outages: Outages | undefined
  isStopping: boolean
  log: Log
  observe: Observe
  /** Called for each request that is refused before it is read, with why. */
  shed: (reason: 'overload' | 'connections') => void
  tracing: Tracing | undefined
}

/** Called for each answered request with its status, its duration in milliseconds, and what it asked for. */
export type Observe = (status: number, milliseconds: number, kind: string) => void

/** What is done about requests that fail because something that the service needs is away. */
export type Outages = {
  /** Whether an error that a request failed with is an outage; if so, it is logged. */
  report: (error: unknown, requestId: string) => boolean
  /** What is answered then. */
  reply: (request: Request) => Reply
}

/** The reply of the service; what goes wrong becomes a reply. */
export function replyTo(edge: Edge, request: Request, requestId: string): MaybePromise<Reply> {
  const { service, publicUrl } = edge
  try {
    const reply = service ? service(request) : refusalReply(refuseUnavailable(), publicUrl)
    return reply instanceof Promise ? reply.catch(error => replyToFailure(edge, error, requestId, request)) : reply
  } catch (error) {
    return replyToFailure(edge, error, requestId, request)
  }
}

/** The reply to a request that failed, which is logged. */
export function replyToFailure(edge: Edge, error: unknown, requestId: string, request?: Request): Reply {
  const { outages, publicUrl } = edge
  const isOutage = outages?.report(error, requestId) === true
  if (!isOutage) edge.log.error({ err: error, requestId }, 'a request failed')
  if (isOutage && request) return outages.reply(request)
  return refusalReply(isOutage ? refuseUnavailable() : refuse('server-error'), publicUrl)
}

/** Tells that a request is answered. */
export function recordRequest(
  { base, observe }: Edge,
  status: number,
  startedMs: number,
  path: string | undefined,
): void {
  observe(status, performance.now() - startedMs, requestKind(path, base))
}

/** Made once, since a refusal has to cost less than an answer. */
export const overloadedReply = memoize(publicUrl => refusalReply(refuse('overloaded', RETRY_SOON), publicUrl))
