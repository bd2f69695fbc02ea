import { andThen, type MaybePromise } from '../../base/promise.ts'
import { encodeInSteps, inSteps } from '../../base/steps.ts'
import { contentEntryKey } from '../../caches/caches.ts'
import type { Reply, Request } from '../../exchange/message.ts'
import type { Addresses } from '../../serving/addresses.ts'
import type { Pointers } from '../../serving/pointers/pointers.ts'
import type { WorkspaceState } from '../../serving/pointers/workspace-state.ts'
import { type OpenPublication, PUBLIC_CACHING } from '../../serving/publications/publications.ts'
import { workspaceKey } from '../../serving/replies/content-keys.ts'
import type { Representation, ResponseCache } from '../../serving/replies/response-cache.ts'
import type { Assets } from '../assets.ts'
import { type Html, html } from '../html.ts'
import { type Head, htmlDocument, pageType } from '../layout/document.ts'
import { listPage, pageLinks, pageQuery, pageTitle, requestedPage } from '../layout/pagination.ts'
import { fixedScheme, iconLink, type ThemeSource, themeLinks, themeLogo } from '../layout/theme-links.ts'
import type { FontGuide } from '../library/type/faces/style-faces.ts'
import { withFonts } from '../library/with-fonts.ts'
import { themeOf } from '../theme/guide-theme.ts'
import { wordsFor } from '../words/words.ts'

/** The parts that make and cache the page of a workspace. `base` is the path of the public URL. */
type WorkspaceParts = {
  pointers: Pointers
  openPublication: OpenPublication
  assets: Assets
  paths: Addresses
  fontFacts: FontGuide['fontFacts']
  fontSubset: FontGuide['fontSubset']
  responseCache: ResponseCache
  publicUrl: string
  base: string
}

/** The page of a workspace, which lists its public projects; undefined if it has none. */
export function workspaceReply(parts: WorkspaceParts, request: Request, id: string): MaybePromise<Reply | undefined> {
  const number = requestedPage(request.query)
  if (number === undefined) return undefined
  return andThen(parts.pointers.openWorkspace(id), state => {
    if (!state || state.open.length === 0) return undefined
    const key = contentEntryKey(workspaceKey(state), String(number))
    return parts.responseCache.reply(key, request, () => workspacePage(state, number, parts))
  })
}

async function workspacePage(
  state: WorkspaceState,
  number: number,
  parts: WorkspaceParts,
): Promise<Representation | undefined> {
  const { id, name, open } = state
  const { assets, paths, publicUrl, base } = parts
  const page = listPage(open, number, PROJECTS_ON_PAGE)
  if (!page) return undefined
  const { logo, links, guide, ...themed } = await themeParts(state, parts)
  const body = html`<main id="Content" class="alone">
${logo && html`<p>${logo}</p>\n`}<h1>${name}</h1>
${await projectCards(
  page.entries.map(record => ({ ...record, name: record.published.name })),
  paths,
)}${pageLinks(wordsFor('en'), `${base}/${id}`, page)}
</main>`
  const canonical = html`<link rel="canonical" href="${publicUrl}/${id}${pageQuery(number)}">\n`
  const more = html`${canonical}${links}`
  const { text } = htmlDocument(assets, { title: pageTitle(wordsFor('en'), name, page), more, ...themed }, body)
  const made = { bytes: await encodeInSteps([text]), type: pageType(assets), about: PUBLIC_CACHING }
  return guide ? withFonts(guide, made) : made
}

export const PROJECTS_ON_PAGE = 500

/** The page uses the theme of the guide if the workspace has only one. */
async function themeParts(
  { name, open }: WorkspaceState,
  { openPublication, paths, fontFacts, fontSubset }: WorkspaceParts,
): Promise<Pick<Head, 'scheme' | 'icon'> & { logo?: Html | undefined; links?: Html; guide?: FontGuide }> {
  const publication = open.length === 1 ? openPublication(open[0]) : undefined
  if (!publication) return {}
  const guide: ThemeSource & FontGuide = { publication, workspace: name, paths, fontFacts, fontSubset, copy: undefined }
  const theme = await themeOf(publication)
  const links = themeLinks(guide, theme)
  return { scheme: fixedScheme(theme), icon: iconLink(guide, theme), logo: themeLogo(guide, theme), links, guide }
}

/** Links to projects that everyone may see. */
export async function projectCards(
  projects: readonly { workspace: string; project: string; name: string }[],
  paths: Addresses,
): Promise<Html> {
  const cards = await inSteps(
    projects,
    project => html`<li><a href="${paths.project(project)}">${project.name}</a></li>\n`,
  )
  return html`<ul class="cards">
${cards}</ul>`
}
