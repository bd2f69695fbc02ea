import { randomBytes } from 'node:crypto'
import type { Interaction } from 'oidc-provider'
import { isScope, type Scope } from '../../../contract/operations.ts'
import type { Reply, Request } from '../../../exchange/message.ts'
import { NO_STORE, redirect } from '../../../exchange/reply.ts'
import type { Assets } from '../../../site/assets.ts'
import { refusedPage } from '../../../site/pages/refused-authorization.ts'
import type { ClientRecord } from '../../../store/access/clients.ts'
import { addConnection, type ConnectionRecord } from '../../../store/access/connections.ts'
import type { Database } from '../../../store/database/database.ts'
import type { Audit } from '../../../telemetry/access-event.ts'
import { consentPath, isWithin, readResource, type Target } from '../connection/resource.ts'
import type { AuthorizationServer } from '../server/authorization-server.ts'
import { withNode } from '../server/bridge.ts'
import type { NamedClient } from '../server/client-name.ts'
import { type ConsentForm, isProof, readPlace } from './consent-form.ts'
import type { Consenter, ConsenterParts } from './consenter.ts'

export type DecisionParts = ConsenterParts & {
  server: Pick<AuthorizationServer, 'load'>
  assets: Assets
  /** Without a trailing slash. */
  publicUrl: string
  database: Database
  /** Keys the proofs in forms. */
  secret: Uint8Array
  record: Audit
}

/** A request to the page of an authorization. */
export type Asked = {
  request: Request
  interaction: Interaction
  /** The resource that the program asked for. */
  resource: string
  program: NamedClient & { id: string; registered?: ClientRecord }
  place: Target
  /** Absent if the person may see nothing at this place. */
  consenter: Consenter | undefined
  proof: string
}

/** The requested scopes that the program may have. */
export function scopesFor({ interaction, program }: Pick<Asked, 'interaction' | 'program'>): readonly Scope[] {
  const allowed = program.registered?.scope.split(' ')
  return (interaction.params.scope ?? '')
    .split(' ')
    .filter(isScope)
    .filter(scope => allowed?.includes(scope) !== false)
}

/** Does what the person chose in the form. Undefined if the page must ask again. */
export async function decide(parts: DecisionParts, asked: Asked, form: ConsentForm): Promise<Reply | undefined> {
  if (!isProof(form.proof, asked.proof))
    return refusedPage(parts.assets, 403, 'you signed in or out while the form was open: load the page again')
  if (form.action === 'open') return openPlace(parts, asked, form.place)
  if (form.action === 'allow') return allow(parts, asked)
  const { request, place, program, consenter } = asked
  parts.record({
    event: 'connection-refused',
    reason: 'person',
    client: program.id,
    workspace: place.workspace,
    ...(consenter && { subject: consenter.subject }),
    address: request.address,
  })
  return finish(parts, asked, { error: 'access_denied', error_description: 'the person did not allow it' })
}

/** Leads to the page of the entered place, where the browser sends the cookie of its share link. */
async function openPlace(parts: DecisionParts, asked: Asked, entry: string): Promise<Reply | undefined> {
  const { request, interaction, resource, place } = asked
  const { publicUrl, shares } = parts
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
async function allow(parts: DecisionParts, asked: Asked): Promise<Reply | undefined> {
  const { request, resource, program, place, consenter } = asked
  const { workspace } = place
  const scopes = scopesFor(asked)
  if (!consenter || workspace === undefined) return undefined
  if (program.registered && program.registered.workspace !== workspace)
    return refusedPage(parts.assets, 403, 'the program is registered for another workspace')
  const now = new Date(parts.clock())
  const { name: _, person, ...consent } = consenter
  const kept = person && (await parts.sessions.keep(person, consenter.expiresAt))
  const connection: ConnectionRecord = {
    ...consent,
    ...(kept && { origin: { session: kept.id } }),
    id: randomBytes(16).toString('hex'),
    workspace,
    client: program.id,
    clientName: program.name,
    resource,
    scope: scopes.join(' '),
    createdAt: now,
  }
  await parts.database.transaction(queries => addConnection(queries, connection))
  await saveGrant(parts, connection, now)
  const { id, subject } = connection
  const { address } = request
  parts.record({ event: 'connection-allowed', connection: id, client: program.id, workspace, subject, address })
  return finish(parts, asked, { login: { accountId: id, remember: false }, consent: { grantId: id } })
}

/** Saves the content for which the library may issue tokens. It has the id of the connection, also as its account. */
async function saveGrant(parts: DecisionParts, connection: ConnectionRecord, now: Date): Promise<void> {
  const { id, client, resource, scope, expiresAt } = connection
  const { provider } = await parts.server.load()
  const expiresIn = Math.max(1, Math.floor((expiresAt.getTime() - now.getTime()) / 1000))
  const grant = new provider.Grant({ jti: id, accountId: id, clientId: client, expiresIn })
  grant.addResourceScope(resource, scope)
  await grant.save()
}

/** Stores the result of the authorization, and continues it. */
async function finish(parts: DecisionParts, { request }: Asked, result: object): Promise<Reply> {
  const { provider } = await parts.server.load()
  const next = await withNode(parts.publicUrl, request, (incoming, outgoing) =>
    provider.interactionResult(incoming, outgoing, result),
  )
  return redirect(303, next)
}
