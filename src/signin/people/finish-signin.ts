import { applyRights, endLostRights } from '../../access/session/exercised-rights.ts'
import { equalsInConstantTime } from '../../base/bytes.ts'
import { withoutUndefined } from '../../base/object.ts'
import { type Reply, type Request, withHeaders } from '../../exchange/message.ts'
import { redirect } from '../../exchange/reply.ts'
import type { SigninRecord } from '../../store/access/signins.ts'
import type { SigninContext } from '../context.ts'
import { endedFlowCookie, type Flow, readFlows } from './flow-cookie.ts'
import { sealIssuerTokens } from './issuer-clients.ts'
import { ForeignAnswer, type IssuerFailure, issuerFailure, logIssuerFailure } from './issuer-failure.ts'
import { admitPerson, completeClaims, ruleClaims, withoutRights } from './person.ts'
import { redirectPath } from './signin-addresses.ts'
import { expiredPage, failurePage, refusedPage } from './signin-pages.ts'

/** Answers at the redirect address: verifies the answer of the issuer, and starts a session if a rule permits it. */
export async function finishSignin(context: SigninContext, request: Request): Promise<Reply> {
  const state = new URLSearchParams(request.query).get('state') ?? ''
  const started = await readFlows(context, request)
  const flow = started.find(each => equalsInConstantTime(each.state, state))
  const signin = flow && context.signins.of(flow.workspace).find(({ id }) => id === flow.signin)
  if (!signin) {
    context.record({ event: 'sign-in-refused', reason: 'state', address: request.address })
    return expiredPage(context, request, flow ?? started[0])
  }
  const reply = await verifiedReply(context, request, flow, signin)
  return withHeaders(reply, ['Set-Cookie', endedFlowCookie(context, request, flow.state)])
}

async function verifiedReply(
  context: SigninContext,
  request: Request,
  flow: Flow,
  signin: SigninRecord,
): Promise<Reply> {
  const { workspace } = signin
  try {
    return await replyToPerson(context, request, flow, signin)
  } catch (error) {
    const failure = await issuerFailure(error)
    if (failure === undefined) throw error
    logIssuerFailure(context, signin, error)
    const reason = REASONS[failure]
    context.record({ event: 'sign-in-refused', reason, workspace, signin: signin.id, address: request.address })
    return failurePage(context, request, flow, failure)
  }
}

/** The reasons in the audit log. */
const REASONS: Readonly<Record<IssuerFailure, string>> = {
  unavailable: 'issuer-unavailable',
  setup: 'issuer-setup',
  refused: 'answer',
  invalid: 'answer',
}

async function replyToPerson(
  context: SigninContext,
  request: Request,
  flow: Flow,
  signin: SigninRecord,
): Promise<Reply> {
  const { tokens, claims, subject: name } = await verifiedAnswer(context, request, flow, signin)
  const admitted = admitPerson(context, signin, { claims, name, isProxy: false }, request)
  if (!admitted.ok) {
    const refused = withoutRights(context, signin, name)
    await endLostRights(context, refused)
    await applyRights(context, refused, true)
    return refusedPage(context, request, flow, admitted.problem)
  }
  const { person, record } = admitted.value
  await applyRights(context, person, false)
  const cookie = await context.sessions.start(request, {
    ...person,
    issuerTokens: await sealIssuerTokens(tokens, await context.issuerTokensKey()),
    expiresAt: new Date(context.clock() + context.sessionMs),
  })
  record()
  return withHeaders(redirect(303, flow.returnPath), ['Set-Cookie', cookie, 'Referrer-Policy', 'no-referrer'])
}

/** Exchanges the code, and verifies everything that binds the answer to this flow and issuer. */
async function verifiedAnswer(context: SigninContext, request: Request, flow: Flow, signin: SigninRecord) {
  const configuration = await context.clientOf(signin)
  if (request.path !== redirectPath(signin, configuration.serverMetadata()))
    throw new ForeignAnswer('the answer arrived at the address of another issuer')
  const { authorizationCodeGrant } = await import('openid-client')
  const address = new URL(`${context.publicUrl}${request.path}?${request.query}`)
  const answer = await authorizationCodeGrant(configuration, address, {
    expectedState: flow.state,
    expectedNonce: flow.nonce,
    pkceCodeVerifier: flow.codeVerifier,
    idTokenExpected: true,
  })
  const claims = answer.claims()
  if (!claims) throw new Error('the answer has no ID token, which the library requires')
  const { sub: subject } = claims
  const complete = await completeClaims(configuration, signin, { claims, accessToken: answer.access_token, subject })
  const { id_token: idToken = '', refresh_token: refreshToken } = answer
  const tokens = { idToken, ...withoutUndefined({ refreshToken }), claims: ruleClaims(complete, signin.settings.rules) }
  return { tokens, claims: complete, subject }
}
