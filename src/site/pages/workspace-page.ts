import { covers, type Person } from '../../access/session/session-verifier.ts'
import { andThen, type MaybePromise } from '../../base/promise.ts'
import { contentEntryKey } from '../../caches/caches.ts'
import type { Reply, Request } from '../../exchange/message.ts'
import type { Addresses } from '../../serving/addresses.ts'
import type { WorkspaceState } from '../../serving/pointers/workspace-state.ts'
import { PRIVATE_CACHING, PUBLIC_CACHING } from '../../serving/publications/publications.ts'
import { workspaceKey } from '../../serving/replies/content-keys.ts'
import type { Representation } from '../../serving/replies/response-cache.ts'
import { type Html, html } from '../html.ts'
import { type Head, htmlDocument, pageType } from '../layout/document.ts'
import { fixedScheme, iconLink, type ThemeSource, themeLinks, themeLogo } from '../layout/theme-links.ts'
import type { FontGuide } from '../library/type/faces/style-faces.ts'
import { withFonts } from '../library/with-fonts.ts'
import type { SiteContext } from '../site-context.ts'
import { themeOf } from '../theme/guide-theme.ts'

/**
 * The page of a workspace, which lists its public projects, and for a person who is signed in also the others that they
 * may see; undefined if there are none.
 */
export function workspaceReply(site: SiteContext, request: Request, id: string): MaybePromise<Reply | undefined> {
  return andThen(site.sessions.person(request, id), person => {
    const found = person ? site.pointers.workspace(id) : site.pointers.openWorkspace(id)
    return andThen(found, state => state && listReply(site, request, listFor(state, person)))
  })
}

/** A list of projects, and the person for whom it is. */
type ProjectList = { state: WorkspaceState; projects: WorkspaceState['published']; person: Person | undefined }

function listFor(state: WorkspaceState, person: Person | undefined): ProjectList {
  const { published, open } = state
  const maySee = (record: (typeof published)[number]) => open.includes(record) || (person && covers(person, record))
  return { state, person, projects: person ? published.filter(maySee) : open }
}

function listReply(site: SiteContext, request: Request, list: ProjectList): MaybePromise<Reply | undefined> {
  const { state, projects, person } = list
  if (projects.length === 0) return undefined
  const reader = person ? `//${JSON.stringify([person.name ?? null, projects.map(({ project }) => project)])}` : ''
  const key = contentEntryKey(workspaceKey(state), reader)
  return site.responseCache.reply(key, request, () => workspacePage(list, site))
}

async function workspacePage(
  { state: { id, name }, projects, person }: ProjectList,
  site: SiteContext,
): Promise<Representation> {
  const { assets, paths, publicUrl, base } = site
  const { logo, links, guide, ...themed } = await themeParts(name, projects, site)
  const body = html`<main id="Content" class="alone">
${logo && html`<p>${logo}</p>\n`}<h1>${name}</h1>
${person && signedInText(base, person)}${projectCards(
  projects.map(record => ({ ...record, name: record.published.name })),
  paths,
)}
</main>`
  const canonical = html`<link rel="canonical" href="${publicUrl}/${id}">\n`
  const more = html`${canonical}${links}`
  const { text } = htmlDocument(assets, { title: name, more, ...themed }, body)
  const made = {
    bytes: new TextEncoder().encode(text),
    type: pageType(assets),
    about: person ? PRIVATE_CACHING : PUBLIC_CACHING,
  }
  return guide ? withFonts(guide, made) : made
}

function signedInText(base: string, { workspace, name }: Person): Html {
  const address = `${base}/-/signout?${new URLSearchParams({ workspace, return: `${base}/${workspace}` })}`
  return html`<p>Signed in${name !== undefined && html` as <bdi>${name}</bdi>`}. <a href="${address}">Sign out</a></p>\n`
}

/** The page uses the theme of the guide if the workspace has only one. */
async function themeParts(
  name: string,
  projects: ProjectList['projects'],
  { openPublication, paths, fontFacts, fontSubset }: SiteContext,
): Promise<Pick<Head, 'scheme' | 'icon'> & { logo?: Html | undefined; links?: Html; guide?: FontGuide }> {
  const publication = projects.length === 1 ? openPublication(projects[0]) : undefined
  if (!publication) return {}
  const guide: ThemeSource & FontGuide = { publication, workspace: name, paths, fontFacts, fontSubset, copy: undefined }
  const theme = await themeOf(publication)
  const links = themeLinks(guide, theme)
  return { scheme: fixedScheme(theme), icon: iconLink(guide, theme), logo: themeLogo(guide, theme), links, guide }
}

/** Links to projects. */
export function projectCards(
  projects: readonly { workspace: string; project: string; name: string }[],
  paths: Addresses,
): Html {
  const cards = projects.map(project => html`<li><a href="${paths.project(project)}">${project.name}</a></li>\n`)
  return html`<ul class="cards">
${cards}</ul>`
}
