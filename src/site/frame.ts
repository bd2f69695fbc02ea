import { cachingOf } from '../serving/caching.ts'
import type { Made } from '../serving/prepared.ts'
import { htmlDocument, pageType } from './document.ts'
import { type Guide, guideName, pathBelow } from './guide.ts'
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
  /** The addresses of further style sheets, as paths. */
  sheets?: readonly string[]
}

/** Puts a page of a guide into the frame that all of them have: header, navigation, footer, and the head of the document. */
export async function guidePage(guide: Guide, framed: Framed): Promise<Made> {
  const { publication, paths, assets } = guide
  const { record } = publication
  const { below } = framed
  const home = paths.project(record)
  const side = await sideNavigation(guide, home + below)
  const body = html`<a class="skip" href="#Content">Skip to the content</a>
<header class="top">
<a class="menu" href="#Menu">Menu</a>
<a class="name" href="${home}">${guideName(guide)}</a>
<form class="find" role="search" action="${pathBelow(guide, 'search')}">
<input type="search" name="q" aria-label="Search this guide" placeholder="Search" maxlength="200" autocomplete="off">
</form>
<button class="theme" type="button">Theme</button>
</header>
<div class="frame">
${side}
<main id="Content" tabindex="-1">
${framed.main}
</main>
${framed.aside}
</div>
${footer(guide, framed)}`
  const title = below === '' ? guideName(guide) : `${framed.title} – ${guideName(guide)}`
  const { description } = framed
  const { publishedAt } = publication.published
  const bytes = htmlDocument(assets, { title, description, more: head(guide, framed), publishedAt }, body)
  return { bytes, type: pageType(assets), about: cachingOf(publication) }
}

function head(guide: Guide, { title, description, below, hasTwin, sheets = [] }: Framed): Html {
  const { publication, urls } = guide
  const address = urls.project(publication.record) + below
  const isPublic = publication.published.visibility === 'public'
  return html`${!isPublic && html`<meta name="robots" content="noindex">\n`}<link rel="canonical" href="${address}">
${hasTwin && html`<link rel="alternate" type="text/markdown" href="${twinPath(guide, below)}">\n`}${sheets.map(path => html`<link rel="stylesheet" href="${path}">\n`)}<meta property="og:type" content="website">
<meta property="og:title" content="${title}">
<meta property="og:site_name" content="${guideName(guide)}">
<meta property="og:url" content="${address}">
${description && html`<meta property="og:description" content="${description}">\n`}`
}

/** That of the home page lies below the project's path, where browsers send the cookie of a share link. */
function twinPath({ publication, paths }: Guide, below: string): string {
  return `${paths.project(publication.record)}${below || '/index'}.md`
}

function footer(guide: Guide, { below, hasTwin }: Framed): Html {
  const { publication, paths } = guide
  const { record, published } = publication
  const day = published.publishedAt.toISOString().slice(0, 10)
  const twin = hasTwin && html`<a href="${twinPath(guide, below)}">This page as Markdown</a>`
  return html`<footer>
<p>Revision ${published.revision}, published <time datetime="${published.publishedAt.toISOString()}">${day}</time></p>
<p>${twin} <a href="${paths.project(record)}/llms.txt">llms.txt</a></p>
</footer>`
}
