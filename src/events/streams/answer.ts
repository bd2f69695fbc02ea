import { type PermitParts, permittedReply } from '../../access/permitted-reply.ts'
import { coversProject, type Permit } from '../../access/token/grant.ts'
import { andThen, type MaybePromise } from '../../base/promise.ts'
import { failed, ok, type Result } from '../../base/result.ts'
import { memoize } from '../../base/text.ts'
import { OPERATIONS } from '../../contract/operations.ts'
import { type Refusal, refusalReply, refuse, refuseMissingId } from '../../contract/refusals.ts'
import type { Call } from '../../contract/route.ts'
import type { Reply, Request } from '../../exchange/message.ts'
import { decodeSegments, pathProblem } from '../../exchange/target.ts'
import type { Pointers } from '../../serving/pointers/pointers.ts'
import type { WorkspaceState } from '../../serving/pointers/workspace-state.ts'
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

/** Whether a path is the address of an event stream. */
export function isStreamPath(path: string): boolean {
  return path.startsWith('/events/workspace/')
}

/**
 * Finds the workspace, and the project if any, of an event stream: `/events/workspace/{workspace}`, also followed by
 * `/project/{project}`. A stream needs the same scope as the list of projects.
 */
export const routeStream: (path: string) => Result<Call, Refusal> = memoize(path => {
  const segments = decodeSegments(path)
  if (!segments) return failed(refuse(pathProblem(path)))
  const [, , workspace = '', word, project = ''] = segments
  if (segments.length === 4 && word === 'project') return failed(refuseMissingId('project'))
  const isKnown = segments.length === 3 || (segments.length === 5 && word === 'project')
  return isKnown ? ok({ operation: LIST_PROJECTS, workspace, project, page: '' }) : failed(refuse('not-found'))
})

const LIST_PROJECTS = OPERATIONS[1]
