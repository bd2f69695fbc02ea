import { withoutUndefined } from '#platform/base/object.ts'
import { fieldText } from '#platform/base/text.ts'
import { type Reply, type Request, withHeaders } from '#platform/exchange/message.ts'
import { redirect } from '#platform/exchange/reply.ts'
import type { Person } from '#serving/access/session/session-verifier.ts'
import type { SigninContext } from '../context.ts'
import { openIssuerTokens } from './issuer-clients.ts'
import { loggedFailure } from './issuer-failure.ts'
import { returnPathOf, SIGNOUT_PATH } from './signin-addresses.ts'
import { foreignSignoutPage, signedOutPage, signoutButtonPage } from './signin-pages.ts'

/** The page with the button that signs out; for somebody who is not signed in, the page that says so. */
export async function signoutPage(context: SigninContext, request: Request): Promise<Reply> {
  const query = new URLSearchParams(request.query)
  const workspace = workspaceOf(context, query)
  const person = await context.sessions.person(request, workspace)
  if (!person) return signedOutPage(context, request, workspace)
  return signoutButtonPage(context, request, person, returnPathOf(request, context.site.url, query))
}

/** The workspace of the host, or else the one that a query or form names. */
function workspaceOf({ site }: SigninContext, fields: URLSearchParams): string {
  return site.place?.workspace ?? fieldText(fields, 'workspace')
}

/** Answers the button of that page as `endOwnSession` does. Refuses a form of another site. */
export async function signOut(context: SigninContext, request: Request): Promise<Reply> {
  const form = new URLSearchParams(Buffer.from(request.body ?? []).toString('utf8'))
  const workspace = workspaceOf(context, form)
  if (!isFromOwnPage(request, context.site.url)) return refuseForeign(context, request, workspace)
  const { address, setCookie } = await endOwnSession(context, request, workspace)
  const reply = address === undefined ? await signedOutPage(context, request, workspace) : redirect(303, address)
  return withHeaders(reply, ['Set-Cookie', setCookie])
}

/** Signs out for a form of another page of the service, which has refused those of other sites. */
export async function signOutFrom(context: SigninContext, request: Request, workspace: string): Promise<Reply> {
  const { address, setCookie } = await endOwnSession(context, request, workspace)
  const signedOut = context.site.at(`${SIGNOUT_PATH}?${new URLSearchParams({ workspace })}`)
  return withHeaders(redirect(303, address ?? signedOut), ['Set-Cookie', setCookie])
}

/** Returns the `Set-Cookie` value that removes the cookie, and where the issuer ends its own session, if it does. */
async function endOwnSession(context: SigninContext, request: Request, workspace: string) {
  const { person, setCookie } = await context.sessions.end(request, workspace)
  if (person) {
    const { signin, subject } = person
    context.access.record({ event: 'signed-out', workspace, signin, subject, address: request.address })
  }
  return { setCookie, address: person && (await issuerSignout(context, person)) }
}

/** Records and refuses a form of another site. */
async function refuseForeign(context: SigninContext, request: Request, workspace: string): Promise<Reply> {
  const person = await context.sessions.person(request, workspace)
  context.access.record({
    event: 'form-refused',
    reason: 'cross-site',
    operation: 'signin',
    ...(person && { workspace: person.workspace, subject: person.subject }),
    address: request.address,
  })
  return foreignSignoutPage(context, request, workspace)
}

/** Browsers state the origin of a form (Fetch Metadata §2.4); older ones send only `Origin`. */
function isFromOwnPage({ headers }: Request, publicUrl: string): boolean {
  const site = headers['sec-fetch-site']
  return site === undefined ? headers.origin === new URL(publicUrl).origin : site === 'same-origin'
}

/** The address that ends the session at the issuer (OpenID Connect RP-Initiated Logout 1.0 §2). */
async function issuerSignout(context: SigninContext, { workspace, signin: id, issuerTokens }: Person) {
  const signin = context.signins.of(workspace).find(each => each.id === id)
  if (!signin || issuerTokens === undefined) return undefined
  try {
    const configuration = await context.clientOf(signin)
    if (configuration.serverMetadata().end_session_endpoint === undefined) return undefined
    const tokens = await openIssuerTokens(issuerTokens, await context.issuerTokensKey())
    const { buildEndSessionUrl } = await import('openid-client')
    return buildEndSessionUrl(configuration, {
      post_logout_redirect_uri: context.access.publicUrl + SIGNOUT_PATH,
      ...withoutUndefined({ id_token_hint: tokens?.idToken }),
    }).href
  } catch (error) {
    await loggedFailure(context, signin, error)
    return undefined
  }
}
