import type { Made } from '../serving/prepared.ts'
import { htmlDocument, PAGE_TYPE } from './document.ts'
import { type Guide, pathBelow } from './guide.ts'
import { type Html, html } from './html.ts'
import { sideNavigation } from './side.ts'

/** A page of a guide, as the frame around it needs to know it. */
export type Framed = {
  title: string
  description?: string | undefined
  /** Its own address, as a path below the project's: `/logo`, `/-/colors`, or empty for the home page. */
  below: string
  main: Html
  /** What stands beside the content: the list of its headings. */
  aside?: Html | undefined
  /** Whether its Markdown stands at the same address with `.md`. */
  hasTwin?: boolean
  /** Whether it shows the project's fonts and type styles. */
  hasType?: boolean
}

/** Puts a page of a guide into the frame that all of them have: header, navigation, footer, and the head of the document. */
export async function guidePage(guide: Guide, framed: Framed): Promise<Made> {
  const { publication, paths, assets } = guide
  const { record, published } = publication
  const home = paths.project(record)
  const side = await sideNavigation(guide, home + framed.below)
  const body = html`<a class="skip" href="#content">Skip to the content</a>
<header class="top">
<a class="menu" href="#menu">Menu</a>
<a class="name" href="${home}">${published.name}</a>
<form class="find" role="search" action="${pathBelow(guide, 'search')}">
<input type="search" name="q" aria-label="Search this guide" placeholder="Search" maxlength="200" autocomplete="off">
</form>
<button class="theme" type="button">Theme</button>
</header>
<div class="frame">
${side}
<main id="content" tabindex="-1">
${framed.main}
</main>
${framed.aside}
</div>
${footer(guide, framed)}`
  const title = framed.title === published.name ? framed.title : `${framed.title} – ${published.name}`
  const { description } = framed
  const about = { title, description, more: head(guide, framed), published: published.publishedAt }
  const bytes = htmlDocument(assets, about, body)
  return { bytes, type: PAGE_TYPE, about: cachingOf(guide) }
}

/** How replies about a guide may be kept: those about a private one by whoever asked for them alone. */
export function cachingOf({ publication }: Pick<Guide, 'publication'>): readonly string[] {
  return publication.published.visibility === 'public'
    ? ['Cache-Control', 'public, no-cache', 'Vary', 'Accept-Encoding']
    : PRIVATE
}

const PRIVATE = [
  ...['Cache-Control', 'private, no-cache', 'Vary', 'Authorization, Cookie, Accept-Encoding'],
  ...['X-Robots-Tag', 'noindex'],
] as const

function head(guide: Guide, { title, description, below, hasTwin, hasType }: Framed): Html {
  const { publication, urls } = guide
  const address = urls.project(publication.record) + below
  const isPublic = publication.published.visibility === 'public'
  return html`${isPublic ? undefined : html`<meta name="robots" content="noindex">\n`}<link rel="canonical" href="${address}">
${hasTwin && html`<link rel="alternate" type="text/markdown" href="${guide.paths.project(publication.record)}${below}.md">\n`}${
  hasType && html`<link rel="stylesheet" href="${pathBelow(guide, 'type.css')}">\n`
}<meta property="og:type" content="website">
<meta property="og:title" content="${title}">
<meta property="og:site_name" content="${publication.published.name}">
<meta property="og:url" content="${address}">
${description && html`<meta property="og:description" content="${description}">\n`}`
}

function footer({ publication, paths }: Guide, { below, hasTwin }: Framed): Html {
  const { record, published } = publication
  const day = published.publishedAt.toISOString().slice(0, 10)
  const twin = hasTwin && html`<a href="${paths.project(record)}${below}.md">This page as Markdown</a>`
  return html`<footer>
<p>Revision ${published.revision}, published <time datetime="${published.publishedAt.toISOString()}">${day}</time></p>
<p>${twin} <a href="${paths.project(record)}/llms.txt">llms.txt</a></p>
</footer>`
}
