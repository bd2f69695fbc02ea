import { createHmac, randomBytes } from 'node:crypto'
import { type Client, errors, type Interaction, type InteractionResults } from 'oidc-provider'
import { isScope, type Scope } from '#brand/contract/operations.ts'
import { isProjectId, isStoredWorkspaceId } from '#brand/ids.ts'
import { equalsInConstantTime } from '#platform/base/bytes.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { fieldText, withoutQuery } from '#platform/base/text.ts'
import type { Reply, Request } from '#platform/exchange/message.ts'
import { readOwnForm } from '#platform/exchange/own-form.ts'
import { NO_STORE, redirect } from '#platform/exchange/reply.ts'
import { basePath } from '#platform/exchange/target.ts'
import { offersSignin } from '#serving/access/session/signins.ts'
import type { Hosts } from '#serving/hosts.ts'
import { guideName } from '#serving/publications/publications.ts'
import { accessView, allowView, consentPage } from '#site/consent-views.ts'
import type { Guide } from '#site/guide/guide.ts'
import { openGuide } from '#site/guide-reply.ts'
import { introductionOf } from '#site/introduction.ts'
import { refusedPage } from '#site/pages/standalone-page.ts'
import { type ClientRecord, findClient } from '#store/access/clients.ts'
import { addConnection, type ConnectionRecord } from '#store/access/connections.ts'
import type { SigninContext } from '../../context.ts'
import { consentPath, isWithin, readResource, type Target } from '../connection/resource.ts'
import { forAuthorization } from '../server/begun-authorizations.ts'
import { withNode } from '../server/bridge.ts'
import { parametersOf } from '../server/parameters.ts'
import { type Consenter, consenterAt } from './consenter.ts'

/**
 * Answers `/oauth/consent/{uid}` and `{guide}/-/consent/{uid}`: the page on which a person lets a program read, or not.
 * Only the browser that began the authorization gets it. A guide that the person may not see has the same page as one
 * that does not exist.
 */
export async function answerConsent(
  context: SigninContext,
  received: Request,
  { uid, place }: { uid: string; place: Target },
): Promise<Reply> {
  const { assets } = context.site
  const { publicUrl } = context.access
  const request = forAuthorization(publicUrl, received, uid)
  const interaction = await currentInteraction(context, request)
  const { workspace } = place
  // No authorization of this browser has this id.
  if (interaction?.uid !== uid) {
    if (request.method === 'POST') recordRefusedForm(context, request, { reason: 'session', workspace })
    return refusedPage(assets, request, 400, 'the authorization has expired, or began elsewhere')
  }
  // The person has decided already.
  if (interaction.result !== undefined) return redirect(303, interaction.returnTo)
  const [resource = ''] = parametersOf(interaction.params).resources
  const target = readResource(context.service.hosts.pathOf, resource) ?? {}
  // The address names another place than the program asks for.
  if (!isWithin(place, target)) return redirect(303, publicUrl + consentPath(target, uid))
  const program = await programOf(context, interaction)
  if (!program) return refusedPage(assets, request, 400, 'the metadata of the program cannot be read')
  const consenter = await consenterAt(context, request, place)
  const proof = formProof(context.formSecret, uid, { place, consenter })
  const asked: Asked = { request, interaction, resource, program, place, consenter, proof }
  if (request.method !== 'POST') return askPage(context, asked, { isWrong: false })
  const form = readConsentForm(publicUrl, request)
  if (!form) {
    recordRefusedForm(context, request, { reason: 'cross-site', workspace, client: program.id, consenter })
    return refusedPage(assets, request, 403, 'the form was not sent by a page of this service')
  }
  return (await decide(context, asked, form)) ?? askPage(context, asked, { isWrong: form.action === 'open' })
}

/** The authorization that this browser began; undefined if it has expired. */
async function currentInteraction(context: SigninContext, request: Request): Promise<Interaction | undefined> {
  const { provider } = await context.authorizationServer()
  return withNode(context.access.publicUrl, request, (incoming, outgoing) =>
    provider.interactionDetails(incoming, outgoing).catch((error: unknown) => {
      if (error instanceof errors.SessionNotFound) return undefined
      throw error
    }),
  )
}

/**
 * The program that asks; undefined if its metadata cannot be read. `registered` is its record if the operator registered it,
 * for one workspace and perhaps with limited scopes.
 */
async function programOf(context: SigninContext, { params }: Interaction): Promise<Program | undefined> {
  const { provider } = await context.authorizationServer()
  const client = await provider.Client.find(parametersOf(params).client).catch((error: unknown) => {
    if (error instanceof errors.OIDCProviderError) return undefined
    throw error
  })
  if (!client) return undefined
  const registered = await findClient(context.access.database, client.clientId)
  return { ...nameClient(client), id: client.clientId, ...withoutUndefined({ registered }) }
}

/** The name of a program. That of one whose metadata outsiders write is without control and direction characters. */
function nameClient({ clientId, clientName = '' }: Client): Pick<Program, 'name' | 'host'> {
  const name = [...clientName.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '').trim()].slice(0, MAX_CHARACTERS).join('')
  if (!clientId.startsWith('https://')) return { name: name === '' ? clientId : name }
  const { host } = new URL(clientId)
  return { name: name === '' ? host : name, host }
}

const MAX_CHARACTERS = 60

/**
 * The page for the decision: what the program may read, with the buttons; or for somebody who may see nothing at this place,
 * how to get access. `isWrong`: the place that they entered is none.
 */
async function askPage(context: SigninContext, asked: Asked, { isWrong }: { isWrong: boolean }): Promise<Reply> {
  const { request, interaction, program, place, consenter, proof } = asked
  const { workspace } = place
  const { returnAddress } = parametersOf(interaction.params)
  const guide = await shownGuide(context, place, consenter)
  const introduction = workspace === undefined ? undefined : await introductionOf(context.site, workspace)
  const page = withoutUndefined({ request, guide, introduction, returnAddress })
  if (!consenter || workspace === undefined) {
    const signIn = signInAddress(context, place, interaction.uid)
    const view = withoutUndefined({ program, proof, isWrong, hasPlace: workspace !== undefined, signIn })
    return consentPage(context.site.assets, { ...page, content: words => accessView(view, words) })
  }
  const name = (await context.service.pointers.workspace(workspace))?.name ?? workspace
  const view = { ...contentAsked(context, asked, consenter, guide), workspace: name, returnAddress }
  return consentPage(context.site.assets, { ...page, content: words => allowView(view, words) })
}

/** The program, the content that it asks for, and who may allow that for how long. */
function contentAsked(context: SigninContext, asked: Asked, consenter: Consenter, guide: Guide | undefined) {
  const { interaction, program, place, proof } = asked
  const { projects, origin, name, expiresAt, person, issuer } = consenter
  // The connection of a person with a session and without tokens of the issuer ends with the session. After a new
  // sign-in, the issuer may give tokens for a longer connection. An empty id: a proxy names the person.
  const endsWithSession = person !== undefined && person.id !== '' && !issuer
  return withoutUndefined({
    program,
    proof,
    guide: guide && guideName(guide),
    // For a workspace, the page lists its projects; undefined: all of them. For a guide, it names the guide instead.
    projects: place.project === undefined ? projects?.map(({ project }) => project) : undefined,
    scopes: scopesFor(asked),
    consenter: { isPerson: 'session' in origin, name },
    expiresAt,
    signInAgain: endsWithSession ? signInAddress(context, place, interaction.uid) : undefined,
  })
}

/** The address at which a person signs in and returns to this page; undefined if the workspace has no sign-in. */
function signInAddress({ access, signins }: SigninContext, place: Target, uid: string): string | undefined {
  const { workspace } = place
  if (workspace === undefined || !offersSignin(signins, workspace)) return undefined
  const base = basePath(access.publicUrl)
  return `${base}/-/signin?${new URLSearchParams({ workspace, return: base + consentPath(place, uid) })}`
}

/** The guide at a place, if it is public or the person may see it. */
async function shownGuide(
  { site, service: { pointers, openPublication } }: SigninContext,
  { workspace = '', project = '' }: Target,
  consenter: Consenter | undefined,
): Promise<Guide | undefined> {
  const open = await pointers.openWorkspace(workspace)
  const state = open?.openProjects.get(project) ? open : consenter && (await pointers.workspace(workspace))
  const publication = openPublication(state?.projects.get(project))
  return state && publication && openGuide(site, publication, state.name)
}

/** An authorization that a person decides about. */
type Asked = {
  request: Request
  interaction: Interaction
  resource: string
  program: Program
  place: Target
  /** Absent if the person may see nothing at this place. */
  consenter: Consenter | undefined
  proof: string
}

type Program = {
  id: string
  name: string
  /** The host of its metadata, which its owner controls; absent for a program that the operator registered. */
  host?: string
  registered?: ClientRecord
}

/** The requested scopes that the program may have. */
function scopesFor({ interaction, program }: Asked): readonly Scope[] {
  const allowed = program.registered?.scope.split(' ')
  const asked = parametersOf(interaction.params).scope.split(' ').filter(isScope)
  return asked.filter(scope => allowed?.includes(scope) !== false)
}

/** Does what the person chose in the form. Undefined if the page must ask again. */
async function decide(context: SigninContext, asked: Asked, form: ConsentForm): Promise<Reply | undefined> {
  if (!equalsInConstantTime(form.proof, asked.proof))
    return refuseForm(context, asked, 'session', 'you signed in or out while the form was open: load the page again')
  if (form.action === 'open') return openPlace(context, asked, form.place)
  if (form.action === 'allow') return allow(context, asked)
  const { request, place, program, consenter } = asked
  context.access.record({
    event: 'connection-refused',
    reason: 'person',
    client: program.id,
    workspace: place.workspace,
    ...withoutUndefined({ subject: consenter?.subject }),
    address: request.address,
  })
  return finish(context, asked, { error: 'access_denied', error_description: 'the person did not allow it' })
}

/** Records a refused form, and says why it was refused. */
function refuseForm(context: SigninContext, asked: Asked, reason: FormReason, message: string): Reply {
  const { request, program, place, consenter } = asked
  recordRefusedForm(context, request, { reason, workspace: place.workspace, client: program.id, consenter })
  return refusedPage(context.site.assets, request, 403, message)
}

type FormReason = 'cross-site' | 'rights' | 'session'
type RefusedForm = {
  reason: FormReason
  workspace: string | undefined
  client?: string
  consenter?: Consenter | undefined
}

function recordRefusedForm({ access }: SigninContext, { address }: Request, refused: RefusedForm): void {
  const { reason, workspace, client, consenter } = refused
  const subject = consenter?.subject
  access.record({
    event: 'form-refused',
    reason,
    operation: 'consent',
    ...(workspace !== undefined && isStoredWorkspaceId(workspace) && { workspace }),
    ...withoutUndefined({ client, subject }),
    address,
  })
}

/**
 * Leads to the page of the entered place, where the browser sends the cookie of its share link. Undefined if the entry is
 * no place, or another one than the program asks for, or if its share link does not open it.
 */
async function openPlace(context: SigninContext, asked: Asked, entry: string): Promise<Reply | undefined> {
  const { request, interaction, resource, place } = asked
  const { publicUrl } = context.access
  const { pathOf } = context.service.hosts
  // On the page of a guide, only the secret at the end of a share link may be entered.
  const isSecret = /^[\w-]{32}$/.test(entry) && place.project
  const entered = isSecret ? { ...place, linkSecret: entry } : readPlace(pathOf, entry)
  const target = readResource(pathOf, resource) ?? {}
  if (!entered || !isWithin(entered, target)) return undefined
  const { workspace, project, linkSecret } = entered
  const nextPage = publicUrl + consentPath(entered, interaction.uid)
  if (linkSecret === undefined || project === undefined || workspace === undefined) return redirect(303, nextPage)
  const cookies = await context.service.shares.redeem(request, workspace, project, linkSecret)
  return cookies && redirect(303, nextPage, [...cookies.flatMap(cookie => ['Set-Cookie', cookie]), ...NO_STORE])
}

/** Adds a connection, and lets the program fetch its first token. Undefined for someone who may see nothing here. */
async function allow(context: SigninContext, asked: Asked): Promise<Reply | undefined> {
  const { request, program, place, consenter } = asked
  const { workspace } = place
  if (!consenter || workspace === undefined) {
    recordRefusedForm(context, request, { reason: 'rights', workspace, client: program.id })
    return undefined
  }
  if (program.registered && program.registered.workspace !== workspace)
    return refuseForm(context, asked, 'rights', 'the program is registered for another workspace')
  const now = new Date(context.access.clock())
  const connection = await connectionOf(context, asked, { consenter, workspace }, now)
  await context.access.database.transaction(queries => addConnection(queries, connection))
  await saveGrant(context, connection, now)
  const { id, subject } = connection
  const { address } = request
  context.access.record({
    event: 'connection-allowed',
    connection: id,
    client: program.id,
    workspace,
    subject,
    address,
  })
  return finish(context, asked, { login: { accountId: id, remember: false }, consent: { grantId: id } })
}

/** The connection that a person allows: the content of the consenter, for the program and its scopes. */
async function connectionOf(
  { sessions }: SigninContext,
  asked: Asked,
  { consenter, workspace }: { consenter: Consenter; workspace: string },
  createdAt: Date,
): Promise<ConnectionRecord> {
  const { resource, program } = asked
  const { name: _, person, ...consent } = consenter
  // A person whom a proxy names has no session yet; it begins here, and the connection depends on it.
  const session = person && (await sessions.keep(person, consenter.expiresAt))
  return {
    ...consent,
    origin: session ? { session: session.id } : consent.origin,
    id: randomBytes(16).toString('hex'),
    workspace,
    client: program.id,
    clientName: program.name,
    resource,
    scope: scopesFor(asked).join(' '),
    createdAt,
  }
}

/** Saves the content for which the library may issue tokens. It has the id of the connection, also as its account. */
async function saveGrant(context: SigninContext, connection: ConnectionRecord, now: Date): Promise<void> {
  const { id, client, resource, scope, expiresAt } = connection
  const { provider } = await context.authorizationServer()
  const expiresIn = Math.max(1, Math.floor((expiresAt.getTime() - now.getTime()) / 1000))
  const settings = { jti: id, accountId: id, clientId: client, expiresIn }
  const grant = new provider.Grant(settings)
  grant.addResourceScope(resource, scope)
  await grant.save()
}

/** Gives the decision to the library, and leads back to it. */
async function finish(context: SigninContext, { request }: Asked, result: InteractionResults): Promise<Reply> {
  const { provider } = await context.authorizationServer()
  const next = await withNode(context.access.publicUrl, request, (incoming, outgoing) =>
    provider.interactionResult(incoming, outgoing, result),
  )
  return redirect(303, next)
}

type ConsentForm = {
  action: 'allow' | 'cancel' | 'open'
  proof: string
  /** The address, share link or id of a workspace that the person entered. */
  place: string
}

/** Reads a form that a page of this service sent; undefined for any other request. */
function readConsentForm(publicUrl: string, request: Request): ConsentForm | undefined {
  const form = readOwnForm(publicUrl, request, { maxBytes: MAX_BYTES, allowsNullOrigin: true })
  if (!form) return undefined
  const action = ACTIONS.find(each => each === form.get('action'))
  return action && { action, proof: fieldText(form, 'proof'), place: fieldText(form, 'place').trim() }
}

const MAX_BYTES = 8192
const ACTIONS = ['allow', 'cancel', 'open'] as const

/**
 * The proof in a form that this person got the page of this authorization at this place, so that no other site can send
 * the form for them. It also holds after the same person signed in again in another tab.
 */
function formProof(secret: Uint8Array, uid: string, { place, consenter }: Pick<Asked, 'place' | 'consenter'>): string {
  const text = JSON.stringify([uid, place.workspace, place.project, consenter?.subject])
  return createHmac('sha256', secret).update(`consent ${text}`).digest('base64url')
}

/**
 * Reads what a person entered: an address of this service, a share link (`…/acme/web/-/share/{secret}`) or the id of a
 * workspace; undefined for anything else.
 */
function readPlace(pathOf: Hosts['pathOf'], text: string): (Target & { linkSecret?: string }) | undefined {
  const path = (pathOf(text) ?? text).replace(/^\//, '')
  const [workspace = '', project = '', dash, kind, linkSecret] = withoutQuery(path).split('/')
  if (!isStoredWorkspaceId(workspace)) return undefined
  if (project === '') return { workspace }
  if (!isProjectId(project)) return undefined
  const isLink = dash === '-' && kind === 'share'
  return withoutUndefined({ workspace, project, linkSecret: isLink ? linkSecret : undefined })
}
