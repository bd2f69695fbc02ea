import { SCOPES } from '#brand/contract/operations.ts'
import { attempt } from '#platform/base/result.ts'
import { type HeaderList, type Reply, type Request, replyHeader } from '#platform/exchange/message.ts'
import { refusedPage } from '#site/pages/standalone-page.ts'
import type { AuthorizationServer, Exchanged, SigninContext } from '../../context.ts'
import { canonicalResource, contentScopes } from '../connection/resource.ts'
import { withEarlier } from './begun-authorizations.ts'

/** Loads the library and opens the server. */
export async function loadAuthorizationServer(context: SigninContext): Promise<AuthorizationServer> {
  const { openProvider } = await import('./provider.ts')
  return openProvider(context)
}

/** Passes a request of a program to the library, and returns its reply and, if it may have a token, what it is for. */
export async function exchange(
  context: SigninContext,
  request: Request,
): Promise<{ reply: Reply; exchanged: Exchanged | undefined }> {
  const { provider, exchanged, faults } = await context.authorizationServer()
  const { passToNode } = await import('./bridge.ts')
  const handle = provider.callback()
  // The request of node:http, by which the server notes what came of it.
  let received: object = {}
  const reply = await passToNode(context.access.publicUrl, request, async (incoming, outgoing) => {
    received = incoming
    await handle(incoming, outgoing)
  })
  const fault = faults.get(received)
  if (fault) throw fault
  return { reply, exchanged: exchanged.get(received) }
}

/** Answers `/oauth/authorize` and its continuation, `/oauth/authorize/{uid}`. */
export async function authorize(context: SigninContext, request: Request): Promise<Reply> {
  const { publicUrl } = context.access
  const { assets } = context.site
  // The continuation has an id in its path, and its parameters in the store.
  const isNew = request.path === AUTHORIZE_PATH
  if (isNew && !context.mayAuthorize(request.address)) return refusedPage(assets, request, 429, TOO_MANY)
  const query = isNew ? knownParameters(request.query) : ''
  const { reply } = await exchange(context, { ...request, query })
  const problem = isNew && isPublishedByAnyone(query) ? problemForElsewhere(publicUrl, reply) : undefined
  return problem === undefined ? forBrowser(context, request, reply) : refusedPage(assets, request, 400, problem)
}

export const AUTHORIZE_PATH = '/oauth/authorize'
const TOO_MANY = 'too many requests from your network in a minute'

/** Whether a program has no registration: anyone can publish the metadata of a program. */
function isPublishedByAnyone(query: string): boolean {
  return new URLSearchParams(query).get('client_id')?.startsWith('https://') === true
}

/**
 * The problem that a reply would report to the address of a program on another machine; undefined if the reply redirects
 * elsewhere. Before the person decides, such a redirect could lead from a link to this service to any site (RFC 9700
 * §4.11.2).
 */
function problemForElsewhere(publicUrl: string, { headers }: Reply): string | undefined {
  const location = replyHeader(headers, 'location') ?? ''
  if (!URL.canParse(location) || location.startsWith(`${publicUrl}/`)) return undefined
  const { protocol, search, hash } = new URL(location)
  const parameters = new URLSearchParams(`${search}&${hash.slice(1)}`)
  return protocol === 'http:' ? undefined : (parameters.get('error_description') ?? 'unknown')
}

/**
 * A reply for the browser from one of the library: our page for an error; otherwise only its redirect and its cookies, except
 * those of its sessions, which are not used.
 */
function forBrowser({ access, site }: SigninContext, request: Request, { status, headers, body }: Reply): Reply {
  if (status >= 400) return refusedPage(site.assets, request, status, problemIn({ body }))
  // Names and values by turns.
  const passedOn: string[] = []
  for (let at = 0; at < headers.length; at += 2) {
    const [name = '', value = ''] = headers.slice(at, at + 2)
    if (name === 'location') passedOn.push(name, value)
    if (name === 'set-cookie' && !value.startsWith('housestyle-unused'))
      passedOn.push(name, withEarlier(access.publicUrl, request, value))
  }
  return { status, headers: [...passedOn, ...PRIVACY], hasOwnHeaders: true, body: new Uint8Array() }
}

const PRIVACY: HeaderList = ['Cache-Control', 'no-store', 'Referrer-Policy', 'no-referrer', 'X-Robots-Tag', 'noindex']

/** The JSON of a reply of the library. */
export function jsonOf({ body }: Pick<Reply, 'body'>): Readonly<Partial<Record<string, string>>> {
  return JSON.parse(body instanceof Uint8Array ? new TextDecoder().decode(body) : '{}')
}

/** The problem that a reply of the library names. */
function problemIn(reply: Pick<Reply, 'body'>): string {
  const { error_description: description, error } = attempt(() => jsonOf(reply)) ?? {}
  return String(description ?? error ?? 'unknown')
}

/** Keeps the known parameters (RFC 6749 §3.1: others must be ignored). Without a scope, all are requested. */
function knownParameters(query: string): string {
  const kept = new URLSearchParams()
  for (const [name, value] of new URLSearchParams(query)) {
    if (KEPT.has(name)) kept.append(name, name === 'resource' ? canonicalResource(value) : value)
    if (name === 'prompt' && value.split(' ').includes('none')) kept.append(name, 'none')
    if (name === 'scope') kept.append(name, contentScopes(value) || ALL_SCOPES)
  }
  if (!kept.has('scope')) kept.append('scope', ALL_SCOPES)
  return kept.toString()
}

/** The parameters that pass unchanged. */
const KEPT: ReadonlySet<string> = new Set([
  'client_id',
  'code_challenge',
  'code_challenge_method',
  'redirect_uri',
  'resource',
  'response_type',
  'state',
])

const ALL_SCOPES = SCOPES.join(' ')
