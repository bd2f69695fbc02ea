import { HOME_PAGE } from '../brand/page.ts'
import type { Reply } from '../exchange/message.ts'
import type { Addresses } from '../serving/addresses.ts'
import type { Pointers } from '../serving/pointers.ts'
import type { Made } from '../serving/prepared.ts'
import type { Guide } from './guide.ts'
import { guideText } from './guide-text.ts'
import { html } from './html.ts'

/** What the texts at the root are made from. */
type RootParts = { pointers: Pointers; urls: Addresses; publicUrl: string; base: string }

/** `/robots.txt` and `/sitemap.xml`: where crawlers find what everyone may read. */
export function rootText(parts: RootParts, path: string): Reply | undefined {
  if (path === '/robots.txt') return plain('text/plain', robots(parts))
  return path === '/sitemap.xml' ? plain('application/xml', sitemaps(parts)) : undefined
}

/** `sitemap.xml` of a project: its pages (sitemaps.org; the caps keep it below 50,000). */
export async function sitemap(guide: Guide): Promise<Made> {
  const { publication, urls } = guide
  const { record, published } = publication
  const pages = Array.from((await publication.content.pages()).keys())
  const addresses = [urls.project(record), ...pages.filter(id => id !== HOME_PAGE).map(id => urls.page(record, id))]
  const day = published.publishedAt.toISOString()
  const body = html`<urlset xmlns="${SCHEMA}">
${addresses.map(address => html`<url><loc>${address}</loc><lastmod>${day}</lastmod></url>\n`)}</urlset>
`
  return guideText(guide, PROLOGUE + body.text, 'application/xml')
}

const PROLOGUE = '<?xml version="1.0" encoding="UTF-8"?>\n'
const SCHEMA = 'http://www.sitemaps.org/schemas/sitemap/0.9'

function robots({ publicUrl, base }: RootParts): string {
  return `User-agent: *
Disallow: ${base}/beta/
Disallow: ${base}/revision/
Disallow: ${base}/oauth/
Sitemap: ${publicUrl}/sitemap.xml
`
}

function sitemaps({ pointers, urls }: RootParts): string {
  const shown = [...pointers.workspaces()].flatMap(({ open }) => open)
  const body = html`<sitemapindex xmlns="${SCHEMA}">
${shown.map(record => html`<sitemap><loc>${urls.project(record)}/sitemap.xml</loc></sitemap>\n`)}</sitemapindex>
`
  return PROLOGUE + body.text
}

function plain(type: string, content: string): Reply {
  const headers = ['Content-Type', `${type}; charset=utf-8`, 'Cache-Control', 'public, no-cache']
  return {
    status: 200,
    headers: [...headers, 'X-Content-Type-Options', 'nosniff'],
    body: new TextEncoder().encode(content),
  }
}
