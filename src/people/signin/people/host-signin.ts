import { equalsInConstantTime } from '#platform/base/bytes.ts'
import { fieldText } from '#platform/base/text.ts'
import type { Reply, Request } from '#platform/exchange/message.ts'
import { basePath, withoutBase } from '#platform/exchange/target.ts'
import type { Entitled } from '#serving/access/session/exercised-rights.ts'
import { recordFor } from '#site/authorize.ts'
import { addressElsewhere } from '#site/elsewhere.ts'
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

/** The cookies of sign-ins at hosts, which have their own name. */
function cookiesOf({ access, flowKey }: SigninContext) {
  return { access, flowKey, cookie: 'housestyle_host' }
}

/**
 * The address at a host of this workspace to which a sign-in at the public URL returns; undefined for any other text, so that
 * no link to the sign-in can lead elsewhere.
 */
export function handoverAddress(context: SigninContext, text: string | null, workspace: string): string | undefined {
  const url = context.site.place || text === null ? null : URL.parse(text)
  const place = url ? context.service.hosts.at(url.host) : undefined
  if (!url || place?.workspace !== workspace) return undefined
  const state = fieldText(url.searchParams, 'state')
  const expectedText = `${place.url}${SIGNED_IN_PATH}?state=${state}`
  return text === expectedText && /^[\w-]{43}$/.test(state) ? expectedText : undefined
}

/** Where a person goes on after signing in at the public URL: to the sign-in at the host of the page, if it has one. */
export async function addressAfter(context: SigninContext, person: Entitled, returnPath: string): Promise<string> {
  const { service, site } = context
  const { pathname, search } = new URL(returnPath, site.url)
  const path = withoutBase(pathname, basePath(site.url))
  const [, workspace, project = ''] = path.split('/')
  if (workspace !== person.workspace || ONLY_AT_PUBLIC_URL.test(path)) return returnPath
  // The host of a guide that the person may not see stays secret.
  const visible = (await recordFor(service.pointers, person, { workspace, project })) ?? { workspace }
  const elsewhere = addressElsewhere(site, { path, query: search.slice(1) }, visible)
  if (elsewhere === undefined) return returnPath
  const address = new URL(elsewhere)
  return `${address.origin}${SIGNIN_PATH}?${new URLSearchParams({ return: address.pathname + address.search })}`
}

/** The pages that hosts do not have. */
const ONLY_AT_PUBLIC_URL = /\/-\/(?:consent|edit|sessions)(?:\/|$)/

/** Answers at the host: takes the session over, if this browser began the sign-in there. */
export async function finishAtHost(context: SigninContext, request: Request): Promise<Reply> {
  const query = new URLSearchParams(request.query)
  const flows = await readFlows<HostFlow>(cookiesOf(context), request)
  const flowsOfHost = flows.filter(({ host }) => host === request.place?.host)
  const flow = flowsOfHost.find(({ state }) => equalsInConstantTime(state, fieldText(query, 'state')))
  const cookie = flow && (await context.sessions.takeOver(request, flow.workspace, fieldText(query, 'code')))
  if (!flow || cookie === undefined) {
    context.access.record({ event: 'sign-in-refused', reason: 'state', address: request.address })
    return expiredPage(context, request, flow ?? flowsOfHost[0])
  }
  const ended = endedFlowCookie(cookiesOf(context), request, flow.state)
  return leadTo(flow.returnPath, ['Set-Cookie', cookie, 'Set-Cookie', ended])
}
