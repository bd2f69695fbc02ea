import { withoutUndefined } from '#platform/base/object.ts'
import type { Request } from '#platform/exchange/message.ts'
import type { Person } from '#serving/access/session/session-verifier.ts'
import { recordFor } from '#site/authorize.ts'
import type { ConnectionRecord } from '#store/access/connections.ts'
import { commonProjects } from '#store/access/covered-projects.ts'
import type { ProjectInstance, PublishedProject } from '#store/catalogue/catalogue.ts'
import { type SigninContext, sessionMs } from '../../context.ts'
import { canRefresh } from '../../people/refreshed-person.ts'
import type { Target } from '../connection/resource.ts'

/** Someone who may allow a program to read, and what they may pass on. */
export type Consenter = Pick<
  ConnectionRecord,
  'origin' | 'subject' | 'email' | 'unverifiedEmail' | 'issuer' | 'expiresAt'
> & {
  /** Absent: all projects of the workspace. */
  projects?: readonly ProjectInstance[]
  /** The person's name or address, or the name of the share link. */
  name?: string | undefined
  /** The person, if someone is signed in. */
  person?: Person
}

/**
 * The person who is signed in, or else the holder of a share link, if they may see the content at a place. The content
 * is looked up only after a cookie proves that, so that the response time does not reveal whether it exists.
 */
export async function consenterAt(
  context: SigninContext,
  request: Request,
  { workspace, project }: Target,
): Promise<Consenter | undefined> {
  if (workspace === undefined) return undefined
  const person = await personAt(context, request, { workspace, project })
  if (person || project === undefined) return person
  const { pointers, shares } = context.service
  const published = async () => (await pointers.workspace(workspace))?.projects.get(project)
  const admission = await shares.admission(request, workspace, project, async () => (await published())?.instance)
  const link = admission?.link
  const record = link && (await published())
  if (!link || !record) return undefined
  return {
    origin: { share: link.id },
    subject: `share-${link.id}`,
    projects: [instanceOf(record)],
    expiresAt: link.expiresAt,
    name: link.name,
  }
}

/** The person who is signed in, if they may see something at a place. */
async function personAt(
  context: SigninContext,
  request: Request,
  { workspace, project }: { workspace: string; project: string | undefined },
): Promise<Consenter | undefined> {
  const { access, service, sessions } = context
  const person = await sessions.person(request, workspace)
  if (!person) return undefined
  const record = project === undefined ? undefined : await recordFor(service.pointers, person, { workspace, project })
  if (project !== undefined && !record) return undefined
  // The projects of the place that the person may see: the guide, or for a workspace, all (undefined).
  const projects = commonProjects(record && [instanceOf(record)], person.projects)
  if (projects?.length === 0) return undefined
  const { id, subject, name, email, unverifiedEmail, signin, issuerTokens } = person
  const tokens = issuerTokens !== undefined && (await canRefresh(context, issuerTokens)) ? issuerTokens : undefined
  // A proxy names a person only for a short time; their session (`id`) begins with the consent.
  const sessionEnd = id === '' ? new Date(access.clock() + sessionMs(context)) : person.expiresAt
  return withoutUndefined({
    origin: { session: id },
    person,
    subject,
    name: name !== undefined && email !== undefined ? `${name} (${email})` : (name ?? email),
    email,
    unverifiedEmail,
    issuer: tokens === undefined ? undefined : { signin, tokens },
    projects,
    expiresAt: tokens === undefined ? sessionEnd : new Date(access.clock() + MAX_LIFETIME_MS),
  })
}

/** The lifetime of a connection that outlives its session, because its issuer can be asked again. */
const MAX_LIFETIME_MS = 90 * 24 * 3600 * 1000

function instanceOf({ project, instance }: PublishedProject): ProjectInstance {
  return { project, instance }
}
