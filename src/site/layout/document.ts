import type { HeaderList } from '../../exchange/message.ts'
import type { Assets } from '../assets.ts'
import { type Html, html } from '../html.ts'

/** What stands in the head of a page. */
export type Head = {
  title: string
  /** The language of the page, as a BCP 47 tag; `en` without it. */
  lang?: string | undefined
  description?: string | undefined
  /** What else stands there: style sheets, links, metadata. */
  more?: Html
  /** When what it shows was published; it tells one version from another. */
  publishedAt?: Date
}

/** A whole page as bytes: no script and no style but the service's own. */
export function htmlDocument(
  assets: Assets,
  { title, lang = 'en', description, more, publishedAt }: Head,
  body: Html,
): Uint8Array {
  const page = html`<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${description && html`<meta name="description" content="${description}">\n`}<link rel="icon" href="${assets.path('icon.svg')}">
<link rel="stylesheet" href="${assets.path('site.css')}">
${assets.isLive && liveParts(assets, publishedAt)}<script src="${assets.path('site.js')}" integrity="${assets.integrity('site.js')}"></script>
${more}</head>
<body>
${body}
</body>
</html>
`
  return new TextEncoder().encode(page.text)
}

/** The script runs first: it keeps what was sent before other scripts add to it. */
function liveParts(assets: Assets, publishedAt: Date | undefined): Html {
  return html`<link rel="stylesheet" href="${assets.path('dev.css')}">
<script src="${assets.path('dev.js')}" integrity="${assets.integrity('dev.js')}" data-version="${publishedAt?.toISOString()}"></script>
`
}

/**
 * The type of a page, and what a browser may do with it: load nothing from elsewhere, run nothing but our scripts as they
 * are (CSP 3 §8.4) and no file of a project, stand in no one's frame.
 */
export function pageType(assets: Assets): HeaderList {
  const names = assets.isLive ? (['dev.js', 'site.js'] as const) : (['site.js'] as const)
  const scripts = names.map(name => `'${assets.integrity(name)}'`).join(' ')
  const policy = `default-src 'none'; script-src ${scripts}; ${REST_OF_POLICY}`
  return ['Content-Type', 'text/html; charset=utf-8', 'Content-Security-Policy', policy, ...NO_REFERRER]
}

const REST_OF_POLICY =
  "style-src 'self'; img-src 'self'; font-src 'self'; media-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
const NO_REFERRER = ['Referrer-Policy', 'no-referrer'] as const
