import { guideName } from '../../serving/guide-name.ts'
import { type Guide, pathBelow } from '../guide/guide.ts'
import { type Html, html } from '../html.ts'
import type { GuideTheme } from '../theme/guide-theme.ts'
import { sectionsOf } from './sections.ts'
import { themeLogo } from './theme-links.ts'

/**
 * The header of every page of a guide: the menu of narrow windows, the logo, search, the light or dark switch, and the
 * guide's sections if it has them there. `current` is the path of the page; `id` is its id if authors wrote it.
 */
export async function pageHeader(
  guide: Guide,
  theme: GuideTheme,
  current: string,
  id: string | undefined,
): Promise<Html> {
  const { publication, paths, words } = guide
  const { frame, search } = words
  const { nav } = await publication.content.appearance()
  const { links, below } = nav === 'sections' ? await sectionsOf(guide, current, id) : {}
  return html`<header class="top${links && ' sectioned'}">
<a class="menu" href="#Menu">${frame.menu}</a>
<a class="close" href="#Content">${frame.closeMenu}</a>
<a class="name" href="${paths.project(publication.record)}">${themeLogo(guide, theme) ?? guideName(guide)}</a>
${links}${await logoDownload(guide, theme)}<form class="find" role="search" action="${pathBelow(guide, 'search')}" data-results="${search.results}" data-none="${search.none}">
<svg viewBox="0 0 20 20" aria-hidden="true"><path d="m13 13 4 4M3 8.5a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0-11 0"/></svg>
<input type="search" name="q" aria-label="${search.searchGuide}" placeholder="${search.search}" maxlength="200" autocomplete="off">
</form>
${theme.scheme === 'both' && html`<button class="theme" type="button" data-label="${frame.theme}" data-auto="${frame.auto}" data-light="${frame.light}" data-dark="${frame.dark}">${frame.theme}</button>`}
${signedInPart(guide, current)}</header>
${below}`
}

/** The name of a reader who is signed in, and the link to sign out. */
function signedInPart({ signedIn, words }: Guide, current: string): Html | undefined {
  if (!signedIn) return undefined
  const { name, signOut } = signedIn
  const address = `${signOut}${current && `&${new URLSearchParams({ return: current })}`}`
  return html`<p class="person">${name !== undefined && html`<bdi>${name}</bdi> `}<a href="${address}">${SIGN_OUT_ICON}${words.frame.signOut}</a></p>\n`
}

/** Narrow windows show it instead of the words. */
const SIGN_OUT_ICON = html`<svg viewBox="0 0 20 20" aria-hidden="true"><path d="M8 3.5H4.5v13H8M8 10h8.5m-3.5-3.5 3.5 3.5-3.5 3.5"/></svg>`

/** The link to the logo that the theme offers: a file, or the archive of a folder. */
async function logoDownload({ publication, paths, words }: Guide, { download }: GuideTheme): Promise<Html | undefined> {
  if (download === undefined) return undefined
  const { record, content } = publication
  const file = (await content.files()).get(download)
  const path = file ? paths.file(record, file) : paths.folder(record, download)
  return html`<a class="get" href="${path}" download>${words.frame.getLogo}</a>\n`
}
