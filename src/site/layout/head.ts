import { type Guide, pathBelow, type Section } from '../guide/guide.ts'
import { type Html, html, type Word } from '../html.ts'
import { type Headed, LIBRARY } from '../theme/guide-theme.ts'
import { coverHead, type PageCover } from './cover.ts'
import { textDirection } from './document.ts'

/** What a page says about its head. */
export type PageHead = {
  title: string
  /** The way to the page, its title and what opens it; absent if its content has a title. */
  head?: Html | undefined
  /** What authors decided for the head; a page that nobody wrote has none of it. */
  headed?: Headed | undefined
}

/** The head of a page: across the window as a cover, or above the content. */
export type Opening = { cover: PageCover; head?: never } | { head: Html; cover?: never }

export async function openingOf(guide: Guide, { title, head, headed }: PageHead): Promise<Opening | undefined> {
  if (!head) return undefined
  const page = { id: LIBRARY, name: title, ...headed }
  const direction = textDirection(await guide.publication.content.lang())
  const cover = await coverHead(guide, page, { head, direction })
  return cover ? { cover } : { head: html`<header class="head"${direction}>${head}</header>\n` }
}

/** The way to a page: the places above it, from the outermost. */
export function trailOf({ words }: Guide, places: readonly (Html | Word)[], direction?: Html): Html {
  const items = places.map(place => html`<li>${place}</li>`)
  return html`<nav class="trail"${direction} aria-label="${words.frame.breadcrumb}"><ol>${items}</ol></nav>\n`
}

/** The link to the home page of a guide, with its name. */
export function homeLink({ site, publication }: Guide): Html {
  return html`<a href="${site.paths.project(publication.record)}">${publication.published.name}</a>`
}

/** The title of a page that nobody wrote, which is in no section, below the name of the guide. */
export function libraryHead(guide: Guide, title: Html | Word): Html {
  return html`${trailOf(guide, [homeLink(guide)])}<h1>${title}</h1>\n`
}

/** The way from a section of the library, which is at `href`, to a page below it, with the places between them. */
export function sectionTrail(
  guide: Guide,
  section: Section,
  between: readonly (Html | Word)[] = [],
  href = pathBelow(guide, section),
): Html {
  return trailOf(guide, [html`<a href="${href}">${guide.words.sections[section]}</a>`, ...between])
}
