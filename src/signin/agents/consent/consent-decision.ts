import { randomBytes } from 'node:crypto'
import type { Interaction } from 'oidc-provider'
import { withoutUndefined } from '../../../base/object.ts'
import { isStoredWorkspaceId } from '../../../brand/ids.ts'
import { isScope, type Scope } from '../../../contract/operations.ts'
import type { Reply, Request } from '../../../exchange/message.ts'
import { NO_STORE, redirect } from '../../../exchange/reply.ts'
import { refusedPage } from '../../../site/pages/standalone-page.ts'
import type { ClientRecord } from '../../../store/access/clients.ts'
import { addConnection, type ConnectionRecord } from '../../../store/access/connections.ts'
import type { SigninContext } from '../../context.ts'
import { consentPath, isWithin, readResource, type Target } from '../connection/resource.ts'
import { withNode } from '../server/bridge.ts'
import { type ConsentForm, isProof, readPlace } from './consent-form.ts'
import type { Consenter } from './consenter.ts'

/** A request to the page of an authorization. */
export type Asked = {
  request: Request
  interaction: Interaction
  /** The resource that the program asked for. */
  resource: string
  program: Program
  place: Target
  /** Absent if the person may see nothing at this place. */
  consenter: Consenter | undefined
  proof: string
}

/** A program as the consent page names it. */
export type Program = {
  id: string
  name: string
  /** The host of its metadata, which its owner controls; absent for a program that the operator registered. */
  host?: string
  registered?: ClientRecord
}

/** The requested scopes that the program may have. */
export function scopesFor({ interaction, program }: Asked): readonly Scope[] {
  const allowed = program.registered?.scope.split(' ')
  return (interaction.params.scope ?? '')
    .split(' ')
    .filter(isScope)
    .filter(scope => allowed?.includes(scope) !== false)
}

/** Does what the person chose in the form. Undefined if the page must ask again. */
export async function decide(context: SigninContext, asked: Asked, form: ConsentForm): Promise<Reply | undefined> {
  if (!isProof(form.proof, asked.proof))
    return refuseForm(context, asked, 'session', 'you signed in or out while the form was open: load the page again')
  if (form.action === 'open') return openPlace(context, asked, form.place)
  if (form.action === 'allow') return allow(context, asked)
  const { request, place, program, consenter } = asked
  context.record({
    event: 'connection-refused',
    reason: 'person',
    client: program.id,
    workspace: place.workspace,
    ...withoutUndefined({ subject: consenter?.subject }),
    address: request.address,
  })
  return finish(context, asked, { error: 'access_denied', error_description: 'the person did not allow it' })
}

function refuseForm(context: SigninContext, asked: Asked, reason: FormReason, message: string): Reply {
  const { request, program, place, consenter } = asked
  recordRefusedForm(context, request, reason, { workspace: place.workspace, client: program.id, consenter })
  return refusedPage(context.assets, request, 403, message)
}

/** Why a form of the consent page was refused, in the log. */
type FormReason = 'cross-site' | 'rights' | 'session'

/** Records a refused form. */
export function recordRefusedForm(
  { record }: Pick<SigninContext, 'record'>,
  { address }: Request,
  reason: FormReason,
  {
    workspace,
    client,
    consenter,
  }: { workspace: string | undefined; client?: string; consenter?: Consenter | undefined },
): void {
  const subject = consenter?.subject
  record({
    event: 'form-refused',
    reason,
    operation: 'consent',
    ...(workspace !== undefined && isStoredWorkspaceId(workspace) && { workspace }),
    ...withoutUndefined({ client, subject }),
    address,
  })
}

/** Leads to the page of the entered place, where the browser sends the cookie of its share link. */
async function openPlace(context: SigninContext, asked: Asked, entry: string): Promise<Reply | undefined> {
  const { request, interaction, resource, place } = asked
  const { publicUrl, shares } = context
  // A link may be entered without its address.
  const entered =
    /^[\w-]{32}$/.test(entry) && place.project ? { ...place, linkSecret: entry } : readPlace(publicUrl, entry)
  const target = readResource(publicUrl, resource) ?? {}
  if (!entered || !isWithin(entered, target)) return undefined
  const { workspace, project, linkSecret } = entered
  const next = publicUrl + consentPath(entered, interaction.uid)
  if (linkSecret === undefined || project === undefined || workspace === undefined) return redirect(303, next)
  const cookies = await shares.redeem(request, workspace, project, linkSecret)
  return cookies && redirect(303, next, [...cookies.flatMap(cookie => ['Set-Cookie', cookie]), ...NO_STORE])
}

/** Adds a connection, and lets the program fetch its first token. */
async function allow(context: SigninContext, asked: Asked): Promise<Reply | undefined> {
  const { request, resource, program, place, consenter } = asked
  const { workspace } = place
  const scopes = scopesFor(asked)
  if (!consenter || workspace === undefined) {
    recordRefusedForm(context, request, 'rights', { workspace, client: program.id })
    return undefined
  }
  if (program.registered && program.registered.workspace !== workspace)
    return refuseForm(context, asked, 'rights', 'the program is registered for another workspace')
  const now = new Date(context.clock())
  const { name: _, person, ...consent } = consenter
  const session = person && (await context.sessions.keep(person, consenter.expiresAt))
  const connection: ConnectionRecord = {
    ...consent,
    origin: session ? { session: session.id } : consent.origin,
    id: randomBytes(16).toString('hex'),
    workspace,
    client: program.id,
    clientName: program.name,
    resource,
    scope: scopes.join(' '),
    createdAt: now,
  }
  await context.database.transaction(queries => addConnection(queries, connection))
  await saveGrant(context, connection, now)
  const { id, subject } = connection
  const { address } = request
  context.record({ event: 'connection-allowed', connection: id, client: program.id, workspace, subject, address })
  return finish(context, asked, { login: { accountId: id, remember: false }, consent: { grantId: id } })
}

/** Saves the content for which the library may issue tokens. It has the id of the connection, also as its account. */
async function saveGrant(context: SigninContext, connection: ConnectionRecord, now: Date): Promise<void> {
  const { id, client, resource, scope, expiresAt } = connection
  const { provider } = await context.authorizationServer()
  const expiresIn = Math.max(1, Math.floor((expiresAt.getTime() - now.getTime()) / 1000))
  const grant = new provider.Grant({ jti: id, accountId: id, clientId: client, expiresIn })
  grant.addResourceScope(resource, scope)
  await grant.save()
}

/** Stores the result of the authorization, and continues it. */
async function finish(context: SigninContext, { request }: Asked, result: object): Promise<Reply> {
  const { provider } = await context.authorizationServer()
  const next = await withNode(context.publicUrl, request, (incoming, outgoing) =>
    provider.interactionResult(incoming, outgoing, result),
  )
  return redirect(303, next)
}
