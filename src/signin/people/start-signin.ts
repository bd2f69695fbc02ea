import { randomBytes } from 'node:crypto'
import type { ServerMetadata } from 'openid-client'
import { type Reply, type Request, withHeaders } from '../../exchange/message.ts'
import { redirect } from '../../exchange/reply.ts'
import { notFound } from '../../site/pages/not-found.ts'
import type { SigninRecord } from '../../store/access/signins.ts'
import type { SigninContext } from '../context.ts'
import { flowCookie } from './flow-cookie.ts'
import { issuerFailure, logIssuerFailure } from './issuer-failure.ts'
import { lacksSecureAddress, redirectPath, returnPathOf } from './signin-addresses.ts'
import { choicePage, failurePage, insecurePage } from './signin-pages.ts'

/**
 * Redirects to the issuer of a workspace, or offers its issuers if there are several. The query has `workspace`,
 * `return` (the address to return to) and, for one of several issuers, `with`.
 */
export async function startSignin(context: SigninContext, request: Request): Promise<Reply> {
  const query = new URLSearchParams(request.query)
  const workspace = query.get('workspace') ?? ''
  const offered = context.signins.of(workspace).filter(({ settings }) => 'clientId' in settings.way)
  if (offered.length === 0) return notFound(request, context)
  const home = `${context.base}/${encodeURIComponent(workspace)}`
  const returnPath = keptPath(returnPathOf(request, context.publicUrl, query)) ?? home
  const chosen = query.has('with') ? offered.find(({ id }) => id === query.get('with')) : undefined
  const signin = chosen ?? (offered.length === 1 ? offered[0] : undefined)
  if (!signin) return choicePage(context, request, offered, { workspace, returnPath })
  if (lacksSecureAddress(context.publicUrl, request.isHttps)) return insecurePage(context, request, workspace)
  try {
    return await redirectToIssuer(context, request, signin, returnPath)
  } catch (error) {
    const failure = await issuerFailure(error)
    if (failure === undefined) throw error
    logIssuerFailure(context, signin, error)
    return failurePage(context, request, { workspace, returnPath }, failure)
  }
}

/** A path that fits into a cookie of 4096 bytes, encrypted (RFC 6265 §6.1): otherwise without its query, or none. */
function keptPath(path: string | undefined): string | undefined {
  return [path, path?.split('?', 1)[0]].find(each => each !== undefined && each.length <= MAX_PATH)
}

const MAX_PATH = 2000

async function redirectToIssuer(
  context: SigninContext,
  request: Request,
  signin: SigninRecord,
  returnPath: string,
): Promise<Reply> {
  const configuration = await context.clientOf(signin)
  const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await import('openid-client')
  const [state, nonce, codeVerifier] = [random(), random(), random()]
  const { id, workspace } = signin
  const flow = { signin: id, workspace, state, nonce, codeVerifier, returnPath }
  const address = buildAuthorizationUrl(configuration, {
    response_type: 'code',
    redirect_uri: context.publicUrl + redirectPath(signin, configuration.serverMetadata()),
    ...scopeFor(signin, configuration.serverMetadata(), returnPath),
    state,
    nonce,
    code_challenge: await calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
  })
  return withHeaders(redirect(303, address.href), [
    ...(await flowCookie(context, request, flow)),
    'Referrer-Policy',
    'no-referrer',
  ])
}

/**
 * Some issuers give groups only for a scope of this name, and others refuse it. For a person who connects a program,
 * it also requests longer access (OpenID Connect Core 1.0 §11), so that the connection may outlive the session.
 */
function scopeFor(
  { settings }: SigninRecord,
  { issuer, scopes_supported: supported = [] }: ServerMetadata,
  returnPath: string,
): Record<string, string> {
  const needsGroups = settings.rules.groups.length > 0 && supported.includes('groups')
  const scope = `openid profile email${needsGroups ? ' groups' : ''}`
  if (!isConsentPath(returnPath)) return { scope }
  if (issuer === GOOGLE) return { scope, access_type: 'offline', prompt: 'consent' }
  return supported.includes('offline_access') ? { scope: `${scope} offline_access`, prompt: 'consent' } : { scope }
}

/** Google has no scope for refresh tokens. */
const GOOGLE = 'https://accounts.google.com'

/** Whether a path is of the page on which a person connects a program. */
function isConsentPath(path: string): boolean {
  return /\/(?:oauth|-)\/consent\/[\w-]+(?:\?|$)/.test(path)
}

/** 256 random bits, as RFC 7636 §4.1 recommends for the code verifier. */
function random(): string {
  return randomBytes(32).toString('base64url')
}
