import type { ServerMetadata } from 'openid-client'
import type { Route } from '#brand/contract/route.ts'
import { equalsInConstantTime } from '#platform/base/bytes.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { andThen } from '#platform/base/promise.ts'
import { fieldText } from '#platform/base/text.ts'
import { type Reply, type Request, withHeaders } from '#platform/exchange/message.ts'
import { applyRights, endLostRights } from '#serving/access/session/exercised-rights.ts'
import type { NewSession } from '#serving/access/session/session-verifier.ts'
import { notFound } from '#site/pages/not-found.ts'
import type { SigninRecord } from '#store/access/signins.ts'
import { type SigninContext, sessionMs } from '../context.ts'
import { endedFlowCookie, type Flow, flowCookie, randomValue, readFlows } from './flow-cookie.ts'
import { addressAfter, finishAtHost, handoverAddress, startAtHost } from './host-signin.ts'
import { openIssuerTokens, sealIssuerTokens } from './issuer-clients.ts'
import { ForeignAnswer, type IssuerFailure, loggedFailure } from './issuer-failure.ts'
import { admitPerson, completeClaims, ruleClaims, withoutRights } from './person.ts'
import {
  lacksSecureAddress,
  leadTo,
  redirectPath,
  returnPathOf,
  SIGNED_IN_PATH,
  SIGNIN_PATH,
  SIGNOUT_PATH,
} from './signin-addresses.ts'
import { choicePage, expiredPage, failurePage, insecurePage, refusedPage, workspacePage } from './signin-pages.ts'
import { signOut, signoutPage } from './signout.ts'

/** The addresses at which people sign in and out. */
export const SIGNIN_ROUTES: readonly Route<{ signin: SigninContext }>[] = [
  signinRoute(SIGNIN_PATH, startSignin),
  signinRoute(SIGNED_IN_PATH, finishSignin),
  signinRoute(`${SIGNED_IN_PATH}/{issuer}`, finishSignin),
  signinRoute(SIGNOUT_PATH, signoutPage, signOut),
]

type Handler = (context: SigninContext, request: Request) => Promise<Reply>

/** A row with its handlers of GET and POST. HEAD never signs anyone in. */
function signinRoute(pattern: string, get: Handler, post?: Handler): (typeof SIGNIN_ROUTES)[number] {
  return {
    pattern,
    methods: post ? ['GET', 'POST', 'OPTIONS'] : ['GET', 'OPTIONS'],
    name: 'signin',
    who: 'everyone',
    limit: 'address',
    answer: ({ signin }, request) => {
      const handler = request.method === 'POST' && post ? post : get
      return andThen(handler(signin, request), reply => withHeaders(reply, ['X-Robots-Tag', 'noindex']))
    },
  }
}

/** Redirects to the issuer of a workspace, or offers its issuers. The query has `workspace`, `return` and `with`. */
async function startSignin(context: SigninContext, request: Request): Promise<Reply> {
  const query = new URLSearchParams(request.query)
  const { place } = context.site
  const workspace = place?.workspace ?? fieldText(query, 'workspace')
  // Without proxies, which sign people in by themselves.
  const offeredSignins = context.signins.of(workspace).filter(({ settings }) => 'clientId' in settings.way)
  if (!place && !query.has('workspace') && context.signins.hasAny())
    return workspacePage(context, request, returnPathOf(request, context.site.url, query))
  if (offeredSignins.length === 0) return notFound(request, context.site)
  const home = place ? '/' : context.site.here(`/${encodeURIComponent(workspace)}`)
  // At a host, the sign-in goes on there with a code; elsewhere at a path of this service.
  const returnPath =
    handoverAddress(context, query.get('return'), workspace) ??
    shortPath(returnPathOf(request, context.site.url, query)) ??
    home
  if (place) return startAtHost(context, request, { workspace, returnPath })
  const chosenSignin = query.has('with') ? offeredSignins.find(({ id }) => id === query.get('with')) : undefined
  const signin = chosenSignin ?? (offeredSignins.length === 1 ? offeredSignins[0] : undefined)
  if (!signin) return choicePage(context, request, offeredSignins, { workspace, returnPath })
  if (lacksSecureAddress(context.access.publicUrl, request.isHttps)) return insecurePage(context, request, workspace)
  try {
    return await redirectToIssuer(context, request, signin, returnPath)
  } catch (error) {
    return failurePage(context, request, { workspace, returnPath }, await loggedFailure(context, signin, error))
  }
}

/** A path that fits into a cookie of 4096 bytes, encrypted (RFC 6265 §6.1): otherwise without its query, or none. */
function shortPath(path: string | undefined): string | undefined {
  return [path, path?.split('?', 1)[0]].find(each => each !== undefined && each.length <= MAX_PATH)
}

const MAX_PATH = 2000

/**
 * Redirects to the issuer. The cookie of the sign-in keeps the random values that its answer must have: `state` binds it to
 * this browser, `nonce` to its ID token, and the code verifier to the exchange of the code (PKCE, RFC 7636).
 */
async function redirectToIssuer(
  context: SigninContext,
  request: Request,
  signin: SigninRecord,
  returnPath: string,
): Promise<Reply> {
  const configuration = await context.clientOf(signin)
  const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await import('openid-client')
  const state = randomValue()
  const nonce = randomValue()
  const codeVerifier = randomValue()
  const { id, workspace } = signin
  const flow = { signin: id, workspace, state, nonce, codeVerifier, returnPath }
  const address = buildAuthorizationUrl(configuration, {
    response_type: 'code',
    redirect_uri: context.access.publicUrl + redirectPath(signin, configuration.serverMetadata()),
    ...scopeFor(signin, configuration.serverMetadata(), returnPath),
    state,
    nonce,
    code_challenge: await calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
  })
  return leadTo(address.href, await flowCookie(context, request, flow))
}

/**
 * The scopes to ask for. Some issuers give groups only for a scope of this name, and others refuse it. For a person who
 * connects a program, this also asks for longer access (OpenID Connect Core 1.0 §11), so that the connection may outlive the
 * session.
 */
function scopeFor(
  { settings }: SigninRecord,
  { issuer, scopes_supported: supported = [] }: ServerMetadata,
  returnPath: string,
): Record<string, string> {
  const needsGroups = settings.rules.groups.length > 0 && supported.includes('groups')
  const scope = `openid profile email${needsGroups ? ' groups' : ''}`
  if (!CONSENT_PAGE.test(returnPath)) return { scope }
  if (issuer === GOOGLE) return { scope, access_type: 'offline', prompt: 'consent' }
  return supported.includes('offline_access') ? { scope: `${scope} offline_access`, prompt: 'consent' } : { scope }
}

/** Google has another parameter instead of a scope for refresh tokens. */
const GOOGLE = 'https://accounts.google.com'

/** The page on which a person connects a program. */
const CONSENT_PAGE = /\/(?:oauth|-)\/consent\/[\w-]+(?:\?|$)/

/** Answers at the redirect address: verifies the answer of the issuer, and starts a session if a rule permits it. */
async function finishSignin(context: SigninContext, request: Request): Promise<Reply> {
  if (context.site.place) return finishAtHost(context, request)
  const state = fieldText(new URLSearchParams(request.query), 'state')
  // A reload of the redirect address, or the back button: the person is signed in already.
  const ledTo = await earlierAddress(context, request, state)
  if (ledTo !== undefined) return leadTo(ledTo)
  const flows = await readFlows(context, request)
  const flow = flows.find(each => equalsInConstantTime(each.state, state))
  const signin = flow && context.signins.of(flow.workspace).find(({ id }) => id === flow.signin)
  if (!signin) {
    context.access.record({ event: 'sign-in-refused', reason: 'state', address: request.address })
    return expiredPage(context, request, flow ?? flows[0])
  }
  const answered = { flow, signin }
  const reply = await replyToPerson(context, request, answered).catch((error: unknown) =>
    failedReply(context, request, answered, error),
  )
  return withHeaders(reply, ['Set-Cookie', endedFlowCookie(context, request, flow.state)])
}

/** The address to which a used link led, if the session that it began is live in this browser. */
async function earlierAddress(context: SigninContext, request: Request, state: string): Promise<string | undefined> {
  const key = await context.issuerTokensKey()
  for (const { issuerTokens } of await context.sessions.people(request)) {
    const answered = issuerTokens === undefined ? undefined : (await openIssuerTokens(issuerTokens, key))?.answered
    if (answered && equalsInConstantTime(answered.state, state)) return answered.ledTo
  }
  return undefined
}

/** A sign-in under way, and the settings of the issuer that answered. */
type Answered = { flow: Flow; signin: SigninRecord }

/** Records why a sign-in failed, and says it. */
async function failedReply(context: SigninContext, request: Request, { flow, signin }: Answered, error: unknown) {
  const failure = await loggedFailure(context, signin, error)
  const reason = REASONS[failure]
  const { id, workspace } = signin
  context.access.record({ event: 'sign-in-refused', reason, workspace, signin: id, address: request.address })
  return failurePage(context, request, flow, failure)
}

/** The reasons in the audit log. */
const REASONS: Readonly<Record<IssuerFailure, string>> = {
  unavailable: 'issuer-unavailable',
  setup: 'issuer-setup',
  refused: 'answer',
  invalid: 'answer',
}

/** Admits or refuses the person, applies their rights everywhere, and starts their session. */
async function replyToPerson(context: SigninContext, request: Request, answered: Answered): Promise<Reply> {
  const { flow, signin } = answered
  const { tokens, claims, subject: name } = await verifiedAnswer(context, request, answered)
  const admitted = admitPerson(context, signin, { claims, name, isProxy: false }, request)
  if (!admitted.ok) {
    // What the person did with earlier rights ends, and so do their sessions.
    const refused = withoutRights(context, signin, name)
    await endLostRights(context.access, refused)
    await applyRights(context.access, refused, true)
    return refusedPage(context, request, flow, admitted.problem)
  }
  const { person, record } = admitted.value
  await applyRights(context.access, person, false)
  const ledTo = await addressAfter(context, person, flow.returnPath)
  const keptTokens = { ...tokens, answered: { state: flow.state, ledTo } }
  const session = {
    ...person,
    issuerTokens: await sealIssuerTokens(keptTokens, await context.issuerTokensKey()),
    expiresAt: new Date(context.access.clock() + sessionMs(context)),
  }
  const reply = await startSession(context, request, session, { flow, ledTo })
  record()
  return reply
}

/** Starts a session, and redirects to `ledTo`. For a sign-in that began at a host, both happen there, with a code. */
async function startSession(
  context: SigninContext,
  request: Request,
  session: NewSession,
  { flow, ledTo }: { flow: Flow; ledTo: string },
): Promise<Reply> {
  const handover = handoverAddress(context, flow.returnPath, flow.workspace)
  if (handover === undefined) return leadTo(ledTo, ['Set-Cookie', await context.sessions.start(request, session)])
  const code = await context.sessions.handOver(new URL(handover).hostname, session)
  return leadTo(`${handover}&code=${code}`)
}

/** Exchanges the code, and verifies everything that binds the answer to this flow and issuer. */
async function verifiedAnswer(context: SigninContext, request: Request, { flow, signin }: Answered) {
  const configuration = await context.clientOf(signin)
  if (request.path !== redirectPath(signin, configuration.serverMetadata()))
    throw new ForeignAnswer('the answer arrived at the address of another issuer')
  const { authorizationCodeGrant } = await import('openid-client')
  const address = new URL(`${context.access.publicUrl}${request.path}?${request.query}`)
  const answer = await authorizationCodeGrant(configuration, address, {
    expectedState: flow.state,
    expectedNonce: flow.nonce,
    pkceCodeVerifier: flow.codeVerifier,
    idTokenExpected: true,
  })
  const claims = answer.claims()
  if (!claims) throw new Error('the answer has no ID token, which the library requires')
  const { sub: subject } = claims
  const personAnswer = { claims, accessToken: answer.access_token, subject }
  const allClaims = await completeClaims(configuration, signin, personAnswer)
  const { id_token: idToken = '', refresh_token: refreshToken } = answer
  // Only the claims for which the rules ask are kept.
  const keptClaims = ruleClaims(allClaims, signin.settings.rules)
  const tokens = { idToken, ...withoutUndefined({ refreshToken }), claims: keptClaims }
  return { tokens, claims: allClaims, subject }
}
