import { isRightToLeft } from '#platform/base/text.ts'
import type { HeaderList } from '#platform/exchange/message.ts'
import type { Representation } from '#serving/replies/response-cache.ts'
import { type Assets, PAGE_ASSETS, type PageAssets } from '../assets.ts'
import { type Guide, pathBelow } from '../guide/guide.ts'
import { attribute, type Html, html } from '../html.ts'
import { type GuideTheme, themeOf } from '../theme/guide-theme.ts'
import { themeLogo } from './theme-logo.ts'

/** The values of a document for its head, and for its elements `html` and `body`. */
export type Head = {
  title: string
  /** The kind of page, which decides its style sheets. */
  kind: PageAssets
  /** The language of the page as a BCP 47 tag; `en` by default. */
  lang?: string | undefined
  description?: string | undefined
  /** A fixed colour scheme, regardless of the reader's preference. */
  scheme?: 'light' | 'dark' | undefined
  /** The class of the body. */
  layout?: GuideTheme['layout'] | undefined
  /** The icon of the guide; ours by default. */
  icon?: Html | undefined
  /** Further style sheets, links and metadata. */
  more?: Html | undefined
  /** When the content was published, which identifies its version. */
  publishedAt?: Date
}

/** A whole page, with only the service's own scripts and styles. */
export function htmlDocument(
  assets: Assets,
  { title, kind, lang = 'en', description, scheme, layout, icon, more, publishedAt }: Head,
  body: Html,
): Html {
  return html`<!doctype html>
<html lang="${lang}"${isRightToLeft(lang) && html` dir="rtl"`}${attribute('data-theme', scheme)}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${description && html`<meta name="description" content="${description}">\n`}${icon ?? html`<link rel="icon" href="${assets.path('icon.svg')}">`}
${assets.isLive && liveParts(assets, publishedAt)}${assets.isCopied && html`<script src="${assets.path('copied.js')}"></script>\n`}${PAGE_ASSETS[kind].map(name => assetLink(assets, name))}${more}</head>
<body${attribute('class', layout)}>
${body}
</body>
</html>
`
}

/** The title of a page in the guide or workspace with a name, which is said once. */
export function titleIn(name: string, title: string): string {
  return title === name ? name : `${title} – ${name}`
}

/**
 * The direction of authored content. In a guide whose language runs from left to right, the first letter of a page
 * decides; in other guides, the language does, since a page may begin with a Latin name.
 */
export function textDirection(lang: string | undefined): Html | undefined {
  return lang !== undefined && isRightToLeft(lang) ? undefined : html` dir="auto"`
}

/** A style sheet or script. Browsers do not run a script from a folder if its element has an integrity hash. */
function assetLink(assets: Assets, name: (typeof PAGE_ASSETS)[PageAssets][number]): Html {
  return name.endsWith('.css')
    ? html`<link rel="stylesheet" href="${assets.path(name)}">\n`
    : html`<script src="${assets.path(name)}"${!assets.isCopied && html` integrity="${assets.integrity(name)}"`}></script>\n`
}

/** The script of `dev` comes first, because it saves the page before other scripts change it. */
function liveParts(assets: Assets, publishedAt: Date | undefined): Html {
  return html`<link rel="stylesheet" href="${assets.path('dev.css')}">
<script src="${assets.path('dev.js')}" integrity="${assets.integrity('dev.js')}" data-version="${publishedAt?.toISOString()}"></script>
`
}

/** A document as a page that caches may keep as `about` says. */
export function pageRepresentation(
  assets: Assets,
  document: Html,
  about: HeaderList,
  policies?: PagePolicies,
): Representation {
  const type = ['Content-Type', 'text/html; charset=utf-8', ...pageHandling(assets, policies)]
  return { bytes: new TextEncoder().encode(document.text), type, about }
}

type PagePolicies = {
  kind?: PageAssets | undefined
  formTargets?: string
  referrer?: string
  nonce?: string | undefined
}

/**
 * The policy for browsers: load nothing from other origins, run only our own unmodified scripts (CSP 3 §8.4) and no file
 * of a project, and never show the page in a frame. `formTargets` limits the addresses to which forms may lead, also by
 * redirects. `kind` decides the scripts. `referrer` is the referrer policy; with `no-referrer`, forms do not state their
 * origin. `nonce` is for the styles of the editor, which also shows pages of ours in a frame.
 */
export function pageHandling(
  assets: Assets,
  { kind = 'plain', formTargets = "'self'", referrer = 'no-referrer', nonce }: PagePolicies = {},
): HeaderList {
  const names = [
    ...(assets.isLive ? (['dev.js'] as const) : []),
    ...PAGE_ASSETS[kind].filter(name => name.endsWith('.js')),
  ]
  const scripts = names.map(name => `'${assets.integrity(name)}'`).join(' ')
  const connections = `connect-src 'self'; base-uri 'none'; frame-ancestors 'none'`
  const styles = nonce === undefined ? "style-src 'self'" : `style-src 'self' 'nonce-${nonce}'; frame-src 'self'`
  const policy = `default-src 'none'; script-src ${scripts}; ${styles}; ${CONTENT}; ${connections}; form-action ${formTargets}`
  return ['Content-Security-Policy', policy, 'Referrer-Policy', referrer]
}

/** The form targets of a page that signs people out: the form may redirect to the issuer, and from there to others. */
export function signoutTargets(publicUrl: string): string {
  return publicUrl.startsWith('https:') ? "'self' https:" : "'self' https: http:"
}

const CONTENT = "img-src 'self'; font-src 'self'; media-src 'self'"

/** The parts of a page without the guide's layout that have the guide's theme. */
export async function themedParts(guide: Guide): Promise<ThemedParts> {
  const theme = await themeOf(guide.publication)
  return {
    scheme: fixedScheme(theme),
    icon: iconLink(guide, theme),
    links: themeLinks(guide, theme),
    logo: await themeLogo(guide, theme),
  }
}

export type ThemedParts = Pick<Head, 'scheme' | 'icon'> & { links?: Html | undefined; logo?: Html | undefined }

/** The theme in a document's head: its style sheet, after all others, and the page colour. */
export function themeLinks(guide: Guide, { hasTheme, hasSheet, scheme, light, dark }: GuideTheme): Html {
  const sheet = hasSheet && html`<link rel="stylesheet" href="${pathBelow(guide, 'theme.css')}">\n`
  const color = (hex: string, only?: 'light' | 'dark') =>
    html`<meta name="theme-color" content="${hex}"${only && html` media="(prefers-color-scheme: ${only})"`}>\n`
  const colors = scheme === 'both' ? [color(light.ground, 'light'), color(dark.ground, 'dark')] : color(light.ground)
  return html`${sheet}${hasTheme && colors}`
}

export function fixedScheme({ scheme }: GuideTheme): 'light' | 'dark' | undefined {
  return scheme === 'both' ? undefined : scheme
}

export function iconLink({ publication, site: { paths } }: Guide, { icon }: GuideTheme): Html | undefined {
  return icon && html`<link rel="icon" href="${paths.file(publication.record, icon)}" type="${icon.contentType}">`
}
