import type { Sessions } from '../../access/session/session-verifier.ts'
import { equalsInConstantTime } from '../../base/bytes.ts'
import type { Reply, Request } from '../../exchange/message.ts'
import type { SigninContext } from '../context.ts'
import { endedFlowCookie, flowCookie, randomValue, readFlows } from './flow-cookie.ts'
import { lacksSecureAddress, leadTo, SIGNED_IN_PATH, SIGNIN_PATH } from './signin-addresses.ts'
import { expiredPage, insecurePage } from './signin-pages.ts'

/*
 * People sign in at the public URL also for the host of a guide or a workspace, because issuers know only that address.
 * The answer leads back to the host with a code for a session there. Only the browser that began at the host can use it.
 */

/** A sign-in that began at a host. */
type HostFlow = { host: string; workspace: string; state: string; returnPath: string }

type Started = Pick<HostFlow, 'workspace' | 'returnPath'>

/** Redirects to the sign-in at the public URL, which returns to the host. */
export async function startAtHost(context: SigninContext, request: Request, started: Started): Promise<Reply> {
  const { access, site } = context
  const { place } = site
  if (lacksSecureAddress(access.publicUrl, request.isHttps)) return insecurePage(context, request, started.workspace)
  const state = randomValue()
  const cookie = await flowCookie(cookiesOf(context), request, { ...started, state, host: place?.host ?? '' })
  const query = { workspace: started.workspace, return: `${site.url}${SIGNED_IN_PATH}?state=${state}` }
  const address = `${access.publicUrl}${SIGNIN_PATH}?${new URLSearchParams(query)}`
  return leadTo(address, cookie)
}

function cookiesOf({ access, flowKey }: SigninContext) {
  return { access, flowKey, cookie: 'housestyle_host' }
}

/** The address at a host of this workspace to which a sign-in at the public URL returns; undefined for any other text. */
export function handoverAddress(
  { service: { hosts }, site }: SigninContext,
  text: string | null,
  workspace: string,
): string | undefined {
  const url = site.place || text === null ? null : URL.parse(text)
  const place = url ? hosts.at(url.host) : undefined
  if (!url || place?.workspace !== workspace) return undefined
  const state = url.searchParams.get('state') ?? ''
  const own = `${place.url}${SIGNED_IN_PATH}?state=${state}`
  return text === own && /^[\w-]{43}$/.test(state) ? own : undefined
}

/** Makes a session for a host, and leads the browser there with its code. */
export async function redirectToHost(
  { sessions }: SigninContext,
  address: string,
  session: Parameters<Sessions['handOver']>[1],
): Promise<Reply> {
  const code = await sessions.handOver(new URL(address).hostname, session)
  return leadTo(`${address}&code=${code}`)
}

/** Answers at the host: takes the session over, if this browser began the sign-in there. */
export async function finishAtHost(context: SigninContext, request: Request): Promise<Reply> {
  const query = new URLSearchParams(request.query)
  const flows = await readFlows<HostFlow>(cookiesOf(context), request)
  const own = flows.filter(({ host }) => host === request.place?.host)
  const flow = own.find(({ state }) => equalsInConstantTime(state, query.get('state') ?? ''))
  const cookie = flow && (await context.sessions.takeOver(request, flow.workspace, query.get('code') ?? ''))
  if (!flow || cookie === undefined) {
    context.access.record({ event: 'sign-in-refused', reason: 'state', address: request.address })
    return expiredPage(context, request, flow ?? own[0])
  }
  const ended = endedFlowCookie(cookiesOf(context), request, flow.state)
  return leadTo(flow.returnPath, ['Set-Cookie', cookie, 'Set-Cookie', ended])
}
