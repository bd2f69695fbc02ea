import type { HeaderList } from '../../exchange/message.ts'
import type { Assets } from '../assets.ts'
import { type Html, html } from '../html.ts'

/** What the head of a document says. */
export type Head = {
  title: string
  /** The language of the page as a BCP 47 tag; `en` by default. */
  lang?: string | undefined
  description?: string | undefined
  /** Whether the page is light or dark, whatever the reader likes. */
  scheme?: 'light' | 'dark' | undefined
  /** The icon of the guide; ours by default. */
  icon?: Html | undefined
  /** Further style sheets, links and metadata. */
  more?: Html
  /** When the content was published, which tells one version from another. */
  publishedAt?: Date
}

/** A whole page: no script and no style but the service's own. */
export function htmlDocument(
  assets: Assets,
  { title, lang = 'en', description, scheme, icon, more, publishedAt }: Head,
  body: Html,
): Html {
  return html`<!doctype html>
<html lang="${lang}"${scheme && html` data-theme="${scheme}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${description && html`<meta name="description" content="${description}">\n`}${icon ?? html`<link rel="icon" href="${assets.path('icon.svg')}">`}
<link rel="stylesheet" href="${assets.path('site.css')}">
${assets.isLive && liveParts(assets, publishedAt)}${scripts(assets)}${more}</head>
<body>
${body}
</body>
</html>
`
}

/** Browsers check no hash of a file that a folder has, and would run none that has one. */
function scripts(assets: Assets): Html {
  return assets.isCopied
    ? html`<script src="${assets.path('copied.js')}"></script>\n<script src="${assets.path('site.js')}"></script>\n`
    : html`<script src="${assets.path('site.js')}" integrity="${assets.integrity('site.js')}"></script>\n`
}

/** The script of `dev` comes first: it keeps the page as it was sent, before other scripts change it. */
function liveParts(assets: Assets, publishedAt: Date | undefined): Html {
  return html`<link rel="stylesheet" href="${assets.path('dev.css')}">
<script src="${assets.path('dev.js')}" integrity="${assets.integrity('dev.js')}" data-version="${publishedAt?.toISOString()}"></script>
`
}

/** The type of a page, and what a browser may do with it. */
export function pageType(assets: Assets): HeaderList {
  return ['Content-Type', 'text/html; charset=utf-8', ...pageHandling(assets)]
}

/**
 * What a browser may do with a page: it loads nothing from elsewhere, runs only our scripts as they are (CSP 3 §8.4), no
 * file of a project among them, and shows the page in no frame.
 */
export function pageHandling(assets: Assets): HeaderList {
  const names = assets.isLive ? (['dev.js', 'site.js'] as const) : (['site.js'] as const)
  const scripts = names.map(name => `'${assets.integrity(name)}'`).join(' ')
  const policy = `default-src 'none'; script-src ${scripts}; ${REST_OF_POLICY}`
  return ['Content-Security-Policy', policy, 'Referrer-Policy', 'no-referrer']
}

const REST_OF_POLICY =
  "style-src 'self'; img-src 'self'; font-src 'self'; media-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
