import { RETRY_SOON, refusalReply, refuseUnavailable } from '../../contract/refusals.ts'
import { isApiPath } from '../../contract/route.ts'
import { type Reply, type Request, withHeaders } from '../../exchange/message.ts'
import type { Assets } from '../assets.ts'
import { html } from '../html.ts'
import { isForPeople } from './not-found.ts'
import { standalonePage } from './standalone-page.ts'

/** The reply while a dependency of the service is unavailable: a page for a browser, else the error of the API. */
export function unavailable(request: Request, { assets, publicUrl }: { assets: Assets; publicUrl: string }): Reply {
  const refusal = refusalReply(refuseUnavailable(), publicUrl)
  if (isApiPath(request.path) || !isForPeople(request)) return refusal
  const text = html`<h1>This page is temporarily unavailable</h1>
<p>Its content is temporarily unavailable. Reload the page in a few seconds.</p>`
  return withHeaders(standalonePage(assets, refusal.status, { title: 'Temporarily unavailable', text }), RETRY_SOON)
}
