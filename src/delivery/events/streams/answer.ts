import { OPERATIONS } from '#brand/contract/operations.ts'
import { refusalReply } from '#brand/contract/refusals.ts'
import { type Ids, READ, type Route, refusePath } from '#brand/contract/route.ts'
import { andThen, type MaybePromise } from '#platform/base/promise.ts'
import type { Reply, Request } from '#platform/exchange/message.ts'
import { permittedReply } from '#serving/access/permitted-reply.ts'
import type { ServiceContext } from '#serving/access/service-context.ts'
import { findCovered, type Permit } from '#serving/access/token/grant.ts'
import type { WorkspaceState } from '#serving/pointers/workspace-state.ts'
import type { EventStreams } from './streams.ts'

type Answering = { service: ServiceContext; streams: Pick<EventStreams, 'open'> }

const STREAM = {
  methods: READ,
  name: 'events',
  who: 'projects.read',
  limit: 'workspace',
  cors: {
    sent: 'Authorization, Last-Event-ID',
    read: 'Retry-After, RateLimit, RateLimit-Policy',
  },
} as const
const WORKSPACE = '/events/workspace/{workspace}'
const PROJECT = `${WORKSPACE}/project/{project}`

/** The addresses of event streams. A stream needs the same scope as the list of projects. */
export const EVENT_ROUTES: readonly Route<Answering>[] = [
  { ...STREAM, pattern: WORKSPACE, sent: 2, answer: answerEvents },
  { ...STREAM, pattern: PROJECT, sent: 2, answer: answerEvents },
  {
    ...STREAM,
    pattern: '/events/workspace/{rest}',
    hasOwnMethods: true,
    answer: ({ service }, { path }) => refusalReply(refusePath(path, [WORKSPACE, PROJECT]), service.access.publicUrl),
  },
]

/** Answers a request for an event stream, with the checks of the API. */
function answerEvents({ service, streams }: Answering, request: Request, ids: Ids): MaybePromise<Reply> {
  const { workspace, project } = ids
  return permittedReply(service, request, {
    call: { operation: LIST_PROJECTS, workspace, project },
    operation: 'events',
    find: permitted =>
      andThen(service.pointers.workspace(workspace), state =>
        state && isServed(state, permitted) ? streams.open(request, permitted) : undefined,
      ),
  })
}

const LIST_PROJECTS = OPERATIONS[1]

/** Whether the project of a call is published and covered. A call without a project is for the workspace. */
function isServed(state: WorkspaceState, { call, grant }: Permit): boolean {
  return call.project === '' || findCovered(state, grant, call.project) !== undefined
}
