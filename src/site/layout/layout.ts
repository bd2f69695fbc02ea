import { cachingOf } from '../../serving/publications.ts'
import type { Representation } from '../../serving/response-cache.ts'
import { type Guide, guideName, pathBelow } from '../guide/guide.ts'
import { type Html, html } from '../html.ts'
import { htmlDocument, pageType } from './document.ts'
import { sidebar } from './sidebar.ts'

/** A page of a guide, as the frame around it needs to know it. */
export type Framed = {
  title: string
  description?: string | undefined
  /** Its own address, as a path below the project's: `/logo`, `/-/colors`, or empty for the home page; a 404 has none. */
  below: string | undefined
  /** What follows its address, where it is a further page of a list: `?page=2`. */
  query?: string
  /** The id of the page that it is, if authors wrote it. */
  id?: string
  main: Html
  /** What stands beside the content: the list of its headings. */
  aside?: Html | undefined
  /** Whether its Markdown stands at the same address with `.md`. */
  hasTwin?: boolean
  /** The whole address of a picture that stands for the page where it is linked to. */
  image?: string | undefined
  /** The addresses of further style sheets, as paths. */
  sheets?: readonly string[]
}

/** Puts a page of a guide into the frame that all of them have: header, navigation, footer, and the head of the document. */
export async function guidePage(guide: Guide, framed: Framed): Promise<Representation> {
  const { publication, paths, assets } = guide
  const { record } = publication
  const { below } = framed
  const home = paths.project(record)
  const side = await sidebar(guide, below === undefined ? '' : home + below, framed.id)
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
  const lang = await publication.content.lang()
  const bytes = htmlDocument(assets, { title, lang, description, more: head(guide, framed), publishedAt }, body)
  return { bytes, type: pageType(assets), about: cachingOf(publication) }
}

function head(guide: Guide, { title, description, below, query = '', hasTwin, image, sheets = [] }: Framed): Html {
  const { publication, urls } = guide
  const isPublic = publication.published.visibility === 'public'
  const robots = isPublic ? html`` : html`<meta name="robots" content="noindex">\n`
  if (below === undefined) return robots
  const address = urls.project(publication.record) + below + query
  return html`${robots}<link rel="canonical" href="${address}">
${hasTwin && html`<link rel="alternate" type="text/markdown" href="${guide.paths.project(publication.record)}${below}.md">\n`}${sheets.map(path => html`<link rel="stylesheet" href="${path}">\n`)}<meta property="og:type" content="website">
<meta property="og:title" content="${title}">
<meta property="og:site_name" content="${guideName(guide)}">
<meta property="og:url" content="${address}">
${description && html`<meta property="og:description" content="${description}">\n`}${image && html`<meta property="og:image" content="${image}">\n`}`
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
