import { type PermitParts, permittedReply } from '../../access/permitted-reply.ts'
import { coversProject, type Permit } from '../../access/token/grant.ts'
import { andThen, type MaybePromise } from '../../base/promise.ts'
import { refusalReply } from '../../contract/refusals.ts'
import type { Reply, Request } from '../../exchange/message.ts'
import type { Pointers } from '../../serving/pointers/pointers.ts'
import type { WorkspaceState } from '../../serving/pointers/workspace-state.ts'
import { routeStream } from './stream-route.ts'
import type { EventStreams } from './streams.ts'

/** The parts that answer requests for event streams. */
export type EventParts = PermitParts & { pointers: Pointers; streams: Pick<EventStreams, 'open'> }

/** Answers a request for an event stream, with the checks of the API. */
export function answerEvents(parts: EventParts, request: Request): MaybePromise<Reply> {
  const routed = routeStream(request.path)
  if (!routed.ok) return refusalReply(routed.problem, parts.publicUrl)
  const call = routed.value
  return permittedReply(parts, request, {
    call,
    operation: 'events',
    find: permitted =>
      andThen(parts.pointers.workspace(call.workspace), workspace =>
        workspace && isServed(workspace, permitted) ? parts.streams.open(request, permitted) : undefined,
      ),
  })
}

/** Whether the project of a call is published and covered. A call without a project is for the workspace. */
function isServed({ projects }: WorkspaceState, { call, grant }: Permit): boolean {
  const record = projects.get(call.project)
  return call.project === '' || (record !== undefined && coversProject(grant, record))
}
