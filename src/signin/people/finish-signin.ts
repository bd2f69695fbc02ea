import type { TokenEndpointResponse } from 'openid-client'
import { equalsInConstantTime } from '../../base/bytes.ts'
import { type Reply, type Request, withHeaders } from '../../exchange/message.ts'
import { redirect } from '../../exchange/reply.ts'
import type { SigninRecord } from '../../store/access/signins.ts'
import type { Flow } from './flow-cookie.ts'
import { sealIssuerTokens } from './issuer/issuer-tokens.ts'
import { type IssuerFailure, issuerFailure, logIssuerFailure } from './issuer-failure.ts'
import type { PeopleParts } from './people-parts.ts'
import { completeClaims } from './person/complete-claims.ts'
import { identityOf, refusedPerson, subjectHash } from './person/identity.ts'
import { allowedBy } from './person/rules.ts'
import { ForeignAnswer, redirectPathOf } from './redirect-path.ts'
import { expiredPage, failurePage, refusedPage } from './signin-pages.ts'

/** Answers at the redirect address: verifies the answer of the issuer, and starts a session if a rule permits it. */
export async function finishSignin(parts: PeopleParts, request: Request): Promise<Reply> {
  const { record, flows } = parts
  const state = new URLSearchParams(request.query).get('state') ?? ''
  const started = await flows(request).read(request.headers.cookie ?? '')
  const flow = started.find(each => equalsInConstantTime(each.state, state))
  const signin = flow && parts.signins.of(flow.workspace).find(({ id }) => id === flow.signin)
  if (!signin) {
    record({ event: 'sign-in-refused', reason: 'state', address: request.address })
    return expiredPage(parts, flow ?? started[0])
  }
  const reply = await verifiedReply(parts, request, flow, signin)
  return withHeaders(reply, ['Set-Cookie', flows(request).clear()])
}

async function verifiedReply(parts: PeopleParts, request: Request, flow: Flow, signin: SigninRecord): Promise<Reply> {
  const { workspace } = signin
  try {
    return await replyToPerson(parts, request, flow, signin)
  } catch (error) {
    const failure = await issuerFailure(error)
    if (failure === undefined) throw error
    logIssuerFailure(parts, signin, error)
    const reason = REASONS[failure]
    parts.record({ event: 'sign-in-refused', reason, workspace, signin: signin.id, address: request.address })
    return failurePage(parts, flow, failure)
  }
}

/** The reasons in the audit log. */
const REASONS: Readonly<Record<IssuerFailure, string>> = {
  unavailable: 'issuer-unavailable',
  setup: 'issuer-setup',
  refused: 'answer',
  invalid: 'answer',
}

async function replyToPerson(parts: PeopleParts, request: Request, flow: Flow, signin: SigninRecord): Promise<Reply> {
  const { tokens, claims, subject: name } = await verifiedAnswer(parts, request, flow, signin)
  const { issuer, workspace, settings } = signin
  const identity = identityOf(claims, { issuer, isProxy: false, groupsClaim: settings.rules.groupsClaim })
  const subject = subjectHash(issuer, name, parts.secret)
  const { email } = identity
  const logged = parts.isEmailLogged && email !== undefined ? { email } : {}
  const event = { workspace, signin: signin.id, subject, address: request.address, ...logged }
  const allowed = allowedBy(settings.rules, identity)
  if (!allowed.ok) {
    parts.record({ event: 'sign-in-refused', reason: allowed.problem, ...event })
    const refused = refusedPerson(identity, allowed.problem)
    return refusedPage(parts, flow, refused, await parts.contactOf(workspace))
  }
  const cookie = await parts.sessions.start(request, {
    workspace,
    signin: signin.id,
    subject,
    ...(identity.name !== undefined && { name: identity.name }),
    ...(email !== undefined && { email }),
    ...allowed.value,
    drafts: settings.drafts,
    issuerTokens: await sealIssuerTokens(tokens, await parts.issuerTokensKey()),
    expiresAt: new Date(parts.clock() + parts.sessionMs),
  })
  parts.record({ event: 'signed-in', ...event })
  return withHeaders(redirect(303, flow.returnPath), ['Set-Cookie', cookie, 'Referrer-Policy', 'no-referrer'])
}

/** Exchanges the code, and verifies everything that binds the answer to this flow and issuer. */
async function verifiedAnswer(parts: PeopleParts, request: Request, flow: Flow, signin: SigninRecord) {
  const configuration = await parts.clientOf(signin)
  if (request.path !== redirectPathOf(signin, configuration.serverMetadata()))
    throw new ForeignAnswer('the answer arrived at the address of another issuer')
  const { authorizationCodeGrant } = await import('openid-client')
  const address = new URL(`${parts.publicUrl}${request.path}?${request.query}`)
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
  return { tokens: tokensOf(answer), claims: complete, subject }
}

function tokensOf({ id_token: idToken = '', refresh_token: refreshToken }: TokenEndpointResponse) {
  return { idToken, ...(refreshToken !== undefined && { refreshToken }) }
}
