import { createHmac } from 'node:crypto'
import type { ProjectRef } from '#brand/ids.ts'
import type { Reply, Request } from '#platform/exchange/message.ts'
import type { AccessEvent } from '#platform/telemetry/access-event.ts'
import type { AccessContext } from '#serving/access/context.ts'
import { manages } from '#serving/access/session/rights.ts'
import type { Person } from '#serving/access/session/session-verifier.ts'
import type { Site } from '#site/site.ts'
import { findProject, type ProjectRecord } from '#store/catalogue/catalogue.ts'
import { linkOf } from '#store/catalogue/reviews.ts'
import type { Store } from '#store/store.ts'

/** Everything with which signed-in people publish, share, review and end sessions in the browser. */
export type ManageContext = {
  access: AccessContext
  site: Site
  store: Store
  /** Keys the tokens of forms. */
  formSecret: Uint8Array
  /** Ends the session of a request as *Sign out* does, and redirects. */
  signOut: (request: Request, workspace: string) => Promise<Reply>
  /** Checks the followed repositories soon; absent if none of them is published once its drafts are approved. */
  checkRepositories?: (() => Promise<void>) | undefined
  /** Serves the changes in the store that this process has committed. */
  refresh: () => Promise<void>
  /** Whether the service sends mail. */
  hasMail: boolean
  /** Why the last import of a project from a repository that the service follows failed; undefined if it did not. */
  importFailure: (ref: ProjectRef) => string | undefined
}

export type Managed = { person: Person; record: ProjectRecord }

/** The person and the project of a request, if the person manages it; undefined for any other request. */
export async function managedBy(
  { site, store }: ManageContext,
  request: Request,
  { workspace, project }: { workspace: string; project: string },
): Promise<Managed | undefined> {
  const person = await site.service.sessions.person(request, workspace)
  const record = person?.manages && (await findProject(store.database, workspace, project))
  return record && manages(person, record) ? { person, record } : undefined
}

/** The context whose audit lines name the person, also next to another person. The log has only hashes of them. */
export function auditedBy(access: AccessContext, { subject }: Pick<Person, 'subject'>): AccessContext {
  const named = (event: AccessEvent) =>
    event.subject === undefined ? { ...event, subject } : { ...event, by: subject }
  return { ...access, record: event => access.record(named(event)) }
}

/** A reviewer in the log: the hash of a person, or the id of a link. */
export function auditedReviewer(reviewer: string): { subject: string } | { share: string } {
  const share = linkOf(reviewer)
  return share === undefined ? { subject: reviewer } : { share }
}

/** A reader who may send a form: a person, by their session or by the name that a proxy states, or a share link. */
export type Sender = Pick<Person, 'id' | 'subject'> | { link: string }

/** What distinguishes a sender from all others. */
export function senderParts(sender: Sender): readonly string[] {
  return 'link' in sender ? ['link', sender.link] : ['person', sender.id, sender.subject]
}

/** The token in the forms of a sender. Other sites cannot read it, so only our own pages can send these forms. */
export function formToken({ formSecret }: ManageContext, sender: Sender): string {
  return createHmac('sha256', formSecret)
    .update(`form ${JSON.stringify(senderParts(sender))}`)
    .digest('base64url')
}

/** The name of a person in the history; absent if the issuer sends neither a name nor an address. */
export function whoOf({ name, email }: Pick<Person, 'name' | 'email'>): string | undefined {
  return name ?? email
}
