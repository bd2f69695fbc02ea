import type { Person } from '../access/session/session-verifier.ts'
import { withoutUndefined } from '../base/object.ts'
import { isProjectId, isStoredWorkspaceId } from '../brand/ids.ts'
import type { Ids } from '../contract/route.ts'
import type { Reply, Request } from '../exchange/message.ts'
import { readOwnForm } from '../exchange/own-form.ts'
import type { ManageContext } from './context.ts'
import { MAX_FORM_BYTES, readForm } from './form.ts'

/**
 * Records a refused form, and a page that a signed-in person lacks the right to open. `reply` is undefined if nothing is
 * at the address for this request. A visitor without a session who only opens a page gets no line.
 */
export async function recordRefusal(
  context: ManageContext,
  request: Request,
  { ids, operation, reply }: { ids: Ids; operation: string; reply: Reply | undefined },
): Promise<void> {
  const isForm = request.method === 'POST'
  if (reply ? !isForm || reply.status < 400 : !(isForm || request.headers.cookie)) return
  const { workspace = '', project = '' } = ids
  const person = await personOf(context, request, workspace)
  if (!person && !isForm) return
  const share = person || !reply ? undefined : await draftLink(context, request, { workspace, project })
  context.access.record({
    event: isForm ? 'form-refused' : 'page-refused',
    reason: reply ? reasonOf(context, request, reply.status, { person, share }) : person ? 'rights' : 'session',
    operation,
    // Anything may be in the address of a refused request.
    ...(isStoredWorkspaceId(workspace) && { workspace }),
    ...(isProjectId(project) && { project }),
    ...withoutUndefined({ subject: person?.subject, share }),
    address: request.address,
  })
}

async function personOf({ site }: ManageContext, request: Request, workspace: string): Promise<Person | undefined> {
  return workspace === ''
    ? (await site.service.sessions.people(request))[0]
    : site.service.sessions.person(request, workspace)
}

/** The id of the draft link with which a request came. */
async function draftLink(
  { site }: ManageContext,
  request: Request,
  { workspace, project }: { workspace: string; project: string },
): Promise<string | undefined> {
  const instance = async () => (await site.service.pointers.drafts.find({ workspace, project }))?.instance
  return (await site.service.shares.drafts.admission(request, workspace, project, instance))?.link?.id
}

type Sent = { person: Person | undefined; share: string | undefined }

/** Why a form changed nothing. A right form that gets 403 has a sender who may not do what it says. */
function reasonOf(context: ManageContext, request: Request, status: number, { person, share }: Sent): string {
  if (status === 409) return 'changed'
  if (status !== 403) return 'content'
  if (!readOwnForm(context.site.service.access.publicUrl, request, { maxBytes: MAX_FORM_BYTES })) return 'cross-site'
  const sender = person ?? (share === undefined ? undefined : { link: share })
  return sender && readForm(context, request, sender) ? 'rights' : 'session'
}
