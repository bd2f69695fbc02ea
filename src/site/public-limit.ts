import { refusalReply, refuse } from '#brand/contract/refusals.ts'
import { andThen, type MaybePromise } from '#platform/base/promise.ts'
import { networkOf } from '#platform/exchange/ip-address.ts'
import { type Reply, type Request, withHeaders } from '#platform/exchange/message.ts'
import type { Allowance } from '#serving/access/limit/limit-memory.ts'
import { html } from './html.ts'
import { isForPeople, standalonePage } from './pages/standalone-page.ts'
import type { Site } from './site.ts'

/**
 * Charges a request for a page or a search, or the messages of an agent that it contains, to its address, or to its
 * network of 64 bits if that is IPv6, and answers it if the limit allows. Otherwise the reply is 429: a page for a
 * browser, else the error of the API.
 */
export function withinPublicLimit(
  site: Site,
  request: Request,
  reply: () => MaybePromise<Reply>,
  messages = 1,
): MaybePromise<Reply> {
  const { access, publicLimit: limit, ticks } = site.service
  if (!limit) return reply()
  // The slash distinguishes an address from a workspace id.
  return andThen(limit.spend(`address/${networkOf(request.address)}`, ticks(), messages), allowance => {
    if (allowance.isAllowed) return reply()
    access.record({ event: 'limit-refused', reason: 'address', address: request.address })
    return tooManyReply(site, request, allowance)
  })
}

function tooManyReply({ service, assets }: Site, request: Request, { resetSeconds }: Allowance): Reply {
  const retry = ['Retry-After', String(resetSeconds)]
  const refusal = refusalReply(refuse('too-many-pages', [...retry, 'Vary', 'Accept']), service.access.publicUrl)
  if (!isForPeople(request)) return refusal
  const text = html`<p>Your network address requested too many pages in a short time. Wait ${secondsText(resetSeconds)}, then reload this page.</p>
<p>Other people may share your address, for example in an office. If this happens often, contact the owner of this guide.</p>`
  return withHeaders(standalonePage(assets, refusal.status, { title: 'Too many requests', text }), retry)
}

function secondsText(seconds: number): string {
  return seconds === 1 ? 'a second' : `${seconds} seconds`
}
