import type { MaybePromise } from '../../base/promise.ts'
import { encodeInSteps } from '../../base/steps.ts'
import { keyWithin } from '../../caches/caches.ts'
import type { Reply, Request } from '../../exchange/message.ts'
import type { Addresses } from '../../serving/addresses.ts'
import { workspaceKey } from '../../serving/content-keys.ts'
import type { Pointers, WorkspaceState } from '../../serving/pointers.ts'
import { FOR_EVERYONE } from '../../serving/publications.ts'
import type { Representation, ResponseCache } from '../../serving/response-cache.ts'
import type { Assets } from '../assets.ts'
import { type Html, html, htmlInSteps } from '../html.ts'
import { htmlDocument, pageType } from '../layout/document.ts'
import { listPage, pageLinks, pageQuery, pageTitle, requestedPage } from '../layout/pagination.ts'

/** What the page of a workspace is made from and cached in; `base` is the path of the public URL. */
type WorkspaceParts = {
  pointers: Pointers
  assets: Assets
  paths: Addresses
  responseCache: ResponseCache
  publicUrl: string
  base: string
}

/** The page of a workspace, which lists its public projects; undefined if it has none. */
export function workspaceReply(parts: WorkspaceParts, request: Request, id: string): MaybePromise<Reply | undefined> {
  const state = parts.pointers.workspace(id)
  const number = requestedPage(request.query)
  if (!state || state.open.length === 0 || number === undefined) return undefined
  const key = keyWithin(workspaceKey(state), String(number))
  return parts.responseCache.reply(key, request, () => workspacePage(state, number, parts))
}

async function workspacePage(
  { id, name, open }: WorkspaceState,
  number: number,
  { assets, paths, publicUrl, base }: WorkspaceParts,
): Promise<Representation | undefined> {
  const page = listPage(open, number, PROJECTS_ON_PAGE)
  if (!page) return undefined
  const body = html`<main id="Content" class="alone">
<h1>${name}</h1>
${await projectCards(page.entries, paths)}${pageLinks(`${base}/${id}`, page)}
</main>`
  const canonical = html`<link rel="canonical" href="${publicUrl}/${id}${pageQuery(number)}">\n`
  const more = html`${canonical}${sheetLink(assets)}`
  const { text } = htmlDocument(assets, { title: `${name}${pageTitle(page)}`, more }, body)
  return { bytes: await encodeInSteps([text]), type: pageType(assets), about: FOR_EVERYONE }
}

export const PROJECTS_ON_PAGE = 500

/** The style sheet of pages that list projects. */
export function sheetLink(assets: Assets): Html {
  return html`<link rel="stylesheet" href="${assets.path('page.css')}">\n`
}

/** Links to projects that everyone may see. */
export async function projectCards(projects: WorkspaceState['open'], paths: Addresses): Promise<Html> {
  const cards = await htmlInSteps(
    projects,
    record => html`<li><a href="${paths.project(record)}">${record.published.name}</a></li>\n`,
  )
  return html`<ul class="cards">
${cards}</ul>`
}
