import { covers, type Sessions } from '../../access/session/session-verifier.ts'
import type { MaybePromise } from '../../base/promise.ts'
import { encodeInSteps, nextTurn } from '../../base/steps.ts'
import type { Reply, Request } from '../../exchange/message.ts'
import type { Addresses } from '../../serving/addresses.ts'
import type { OpenProjects } from '../../serving/pointers/open-projects.ts'
import type { Pointers } from '../../serving/pointers/pointers.ts'
import type { WorkspaceState } from '../../serving/pointers/workspace-state.ts'
import { PRIVATE_CACHING, PUBLIC_CACHING } from '../../serving/publications/publications.ts'
import type { Representation, ResponseCache } from '../../serving/replies/response-cache.ts'
import type { Assets } from '../assets.ts'
import { type Html, html } from '../html.ts'
import { htmlDocument, pageType } from '../layout/document.ts'
import { listPlace, pageLinks, pageTitle, requestedPage } from '../layout/pagination.ts'
import { wordsFor } from '../words/words.ts'
import { PROJECTS_ON_PAGE, projectCards } from './workspace-page.ts'

/** The parts that make and cache the page at `/`. `base` is the path of the public URL. */
type HomeParts = {
  pointers: Pointers
  openProjects: OpenProjects
  assets: Assets
  paths: Addresses
  responseCache: ResponseCache
  sessions: Pick<Sessions, 'people'>
  base: string
}

/** A workspace with the private guides that a person who is signed in may see. */
type OwnGuides = { id: string; name: string; projects: WorkspaceState['published'] }

/**
 * The page at `/`: the public guides by workspace, after the private ones that people who are signed in may see. Each
 * change of the store renews it.
 */
export function homeReply(parts: HomeParts, request: Request): MaybePromise<Reply | undefined> {
  const number = requestedPage(request.query)
  if (number === undefined) return undefined
  const key = `/@${parts.pointers.version()}:${number}`
  const replyWith = (own: readonly OwnGuides[]) => {
    const reader = own.length === 0 ? '' : `//${JSON.stringify(own.map(guidesKey))}`
    return parts.responseCache.reply(key + reader, request, () => homePage(parts, number, own))
  }
  return request.headers.cookie === undefined ? replyWith([]) : ownGuides(parts, request).then(replyWith)
}

function guidesKey({ id, projects }: OwnGuides): readonly string[] {
  return [id, ...projects.map(({ project }) => project)]
}

async function ownGuides({ sessions, pointers }: HomeParts, request: Request): Promise<readonly OwnGuides[]> {
  const own: OwnGuides[] = []
  for (const person of await sessions.people(request)) {
    const state = await pointers.workspace(person.workspace)
    const projects = state?.published.filter(record => !state.open.includes(record) && covers(person, record)) ?? []
    if (state && projects.length > 0) own.push({ id: state.id, name: state.name, projects })
  }
  return own
}

async function homePage(
  { openProjects, assets, paths, base }: HomeParts,
  number: number,
  own: readonly OwnGuides[],
): Promise<Representation | undefined> {
  const { total, workspaces } = await openProjects.slice((number - 1) * PROJECTS_ON_PAGE, number * PROJECTS_ON_PAGE)
  const page = listPlace(total, number, PROJECTS_ON_PAGE)
  if (!page) return undefined
  const workspaceLists: Html[] = []
  const ownWorkspaces = own.map(({ projects, ...workspace }) => ({
    ...workspace,
    projects: projects.map(record => ({ ...record, name: record.published.name })),
  }))
  for (const { id, name, projects } of [...ownWorkspaces, ...workspaces]) {
    workspaceLists.push(html`<h2><a href="${base}/${id}">${name}</a></h2>\n${await projectCards(projects, paths)}`)
    await nextTurn()
  }
  const body = html`<main id="Content" class="alone">
<h1>Brand guidelines</h1>
<p class="lead">For people here, for programs and agents through <a href="${base}/docs">the API</a>, described in <a href="${base}/openapi.json">openapi.json</a>.</p>
${workspaceLists.length === 0 && html`<p>No guide is open to everyone. A private one opens with the link that you were given.</p>`}
${workspaceLists}${pageLinks(wordsFor('en'), `${base}/`, page)}
</main>`
  const title = pageTitle(wordsFor('en'), 'Brand guidelines', page)
  const { text } = htmlDocument(assets, { title }, body)
  return {
    bytes: await encodeInSteps([text]),
    type: pageType(assets),
    about: own.length > 0 ? PRIVATE_CACHING : PUBLIC_CACHING,
  }
}
