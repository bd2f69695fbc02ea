import type { HeaderList } from '../exchange/message.ts'
import type { Assets } from './assets.ts'
import { type Html, html } from './html.ts'

/** What stands in the head of a page. */
export type Head = {
  title: string
  description?: string | undefined
  /** What else stands there: style sheets, links, metadata. */
  more?: Html
  /** When what it shows was published; it tells one version from another. */
  publishedAt?: Date
}

/** A whole page as bytes: no script and no style but the service's own. */
export function htmlDocument(assets: Assets, { title, description, more, publishedAt }: Head, body: Html): Uint8Array {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${description && html`<meta name="description" content="${description}">\n`}<link rel="icon" href="${assets.path('icon.svg')}">
<link rel="stylesheet" href="${assets.path('site.css')}">
${assets.isLive && liveParts(assets, publishedAt)}<script src="${assets.path('site.js')}"></script>
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
<script src="${assets.path('dev.js')}" data-version="${publishedAt?.toISOString()}"></script>
`
}

/** What a browser may do with a page: load nothing from elsewhere, run nothing but our script, stand in no one's frame. */
export const PAGE_TYPE: HeaderList = [
  ...['Content-Type', 'text/html; charset=utf-8'],
  ...[
    'Content-Security-Policy',
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; media-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  ],
  ...['Referrer-Policy', 'no-referrer'],
]
