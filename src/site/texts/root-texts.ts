import type { MaybePromise } from '../../base/promise.ts'
import { inSteps } from '../../base/steps.ts'
import { HOME_PAGE } from '../../brand/page.ts'
import { API_PATH } from '../../contract/operations.ts'
import type { Reply, Request } from '../../exchange/message.ts'
import type { Addresses } from '../../serving/addresses.ts'
import type { Pointers } from '../../serving/pointers.ts'
import { FOR_EVERYONE } from '../../serving/publications.ts'
import type { Representation, ResponseCache } from '../../serving/response-cache.ts'
import type { Guide } from '../guide/guide.ts'
import { html } from '../html.ts'
import { guideText } from './guide-text.ts'

/** What the texts at the root are made from, and kept in. */
type RootParts = { pointers: Pointers; urls: Addresses; prepared: ResponseCache; publicUrl: string; base: string }

/** `/robots.txt` and `/sitemap.xml`: where crawlers find what everyone may read. */
export function rootText(parts: RootParts, request: Request): MaybePromise<Reply | undefined> {
  const { pointers, prepared } = parts
  if (request.path === '/robots.txt') return prepared.reply('/robots.txt', request, () => robots(parts))
  if (request.path !== '/sitemap.xml') return undefined
  return prepared.reply(`/sitemap.xml@${pointers.version()}`, request, () => sitemaps(parts))
}

/** `sitemap.xml` of a project: its pages (sitemaps.org; the caps keep it below 50,000). */
export async function sitemap(guide: Guide): Promise<Representation> {
  const { publication, urls } = guide
  const { record, published } = publication
  const pages = Array.from((await publication.content.pages()).keys())
  const others = await inSteps(
    pages.filter(id => id !== HOME_PAGE),
    ADDRESSES_AT_ONCE,
    id => urls.page(record, id),
  )
  const day = published.publishedAt.toISOString()
  const entries = await inSteps(
    [urls.project(record), ...others],
    ADDRESSES_AT_ONCE,
    address => html`<url><loc>${address}</loc><lastmod>${day}</lastmod></url>\n`,
  )
  const body = html`<urlset xmlns="${SCHEMA}">
${entries}</urlset>
`
  return guideText(guide, PROLOGUE + body.text, 'application/xml')
}

const ADDRESSES_AT_ONCE = 500
const PROLOGUE = '<?xml version="1.0" encoding="UTF-8"?>\n'
const SCHEMA = 'http://www.sitemaps.org/schemas/sitemap/0.9'

function robots({ publicUrl, base }: RootParts): Representation {
  const text = `User-agent: *
Disallow: ${base}${API_PATH}/
Disallow: ${base}/revision/
Disallow: ${base}/oauth/
Sitemap: ${publicUrl}/sitemap.xml
`
  return plain('text/plain', text)
}

async function sitemaps({ pointers, urls }: RootParts): Promise<Representation> {
  const shown = [...pointers.workspaces()].flatMap(({ open }) => open)
  const entries = await inSteps(
    shown,
    ADDRESSES_AT_ONCE,
    record => html`<sitemap><loc>${urls.project(record)}/sitemap.xml</loc></sitemap>\n`,
  )
  const body = html`<sitemapindex xmlns="${SCHEMA}">
${entries}</sitemapindex>
`
  return plain('application/xml', PROLOGUE + body.text)
}

function plain(type: string, content: string): Representation {
  const bytes = new TextEncoder().encode(content)
  return { bytes, type: ['Content-Type', `${type}; charset=utf-8`], about: FOR_EVERYONE }
}
