import { covers } from '../../access/session/session-verifier.ts'
import type { MaybePromise } from '../../base/promise.ts'
import type { Reply, Request } from '../../exchange/message.ts'
import type { WorkspaceState } from '../../serving/pointers/workspace-state.ts'
import { PRIVATE_CACHING, PUBLIC_CACHING } from '../../serving/publications/publications.ts'
import type { Representation } from '../../serving/replies/response-cache.ts'
import { type Html, html } from '../html.ts'
import { htmlDocument, pageType } from '../layout/document.ts'
import { listEnd, MAX_ENTRIES } from '../layout/list-end.ts'
import type { SiteContext } from '../site-context.ts'
import { wordsFor } from '../words/words.ts'
import { projectCards } from './workspace-page.ts'

/** A workspace with the private guides that a person who is signed in may see. */
type OwnGuides = { id: string; name: string; projects: WorkspaceState['published'] }

/**
 * The page at `/`: the public guides by workspace, after the private ones that people who are signed in may see. Each
 * change of the store renews it.
 */
export function homeReply(site: SiteContext, request: Request): MaybePromise<Reply | undefined> {
  const key = `/@${site.pointers.version()}`
  const replyWith = (own: readonly OwnGuides[]) => {
    const reader = own.length === 0 ? '' : `//${JSON.stringify(own.map(guidesKey))}`
    return site.responseCache.reply(key + reader, request, () => homePage(site, own))
  }
  return request.headers.cookie === undefined ? replyWith([]) : ownGuides(site, request).then(replyWith)
}

function guidesKey({ id, projects }: OwnGuides): readonly string[] {
  return [id, ...projects.map(({ project }) => project)]
}

async function ownGuides({ sessions, pointers }: SiteContext, request: Request): Promise<readonly OwnGuides[]> {
  const own: OwnGuides[] = []
  for (const person of await sessions.people(request)) {
    const state = await pointers.workspace(person.workspace)
    const projects = state?.published.filter(record => !state.open.includes(record) && covers(person, record)) ?? []
    if (state && projects.length > 0) own.push({ id: state.id, name: state.name, projects })
  }
  return own
}

async function homePage(
  { openProjects, assets, paths, base }: SiteContext,
  own: readonly OwnGuides[],
): Promise<Representation> {
  const { total, workspaces } = await openProjects.first(MAX_ENTRIES)
  const workspaceLists: Html[] = []
  const ownWorkspaces = own.map(({ projects, ...workspace }) => ({
    ...workspace,
    projects: projects.map(record => ({ ...record, name: record.published.name })),
  }))
  for (const { id, name, projects } of [...ownWorkspaces, ...workspaces]) {
    workspaceLists.push(html`<h2><a href="${base}/${id}">${name}</a></h2>\n${projectCards(projects, paths)}`)
  }
  const body = html`<main id="Content" class="alone">
<h1>Brand guidelines</h1>
<p class="lead">For people here, for programs and agents through <a href="${base}/docs">the API</a>, described in <a href="${base}/openapi.json">openapi.json</a>.</p>
${workspaceLists.length === 0 && html`<p>No guide is open to everyone. A private one opens with the link that you were given.</p>`}
${workspaceLists}${listEnd(wordsFor('en'), total, `${base}/sitemap.xml`)}
</main>`
  const { text } = htmlDocument(assets, { title: 'Brand guidelines' }, body)
  return {
    bytes: new TextEncoder().encode(text),
    type: pageType(assets),
    about: own.length > 0 ? PRIVATE_CACHING : PUBLIC_CACHING,
  }
}
