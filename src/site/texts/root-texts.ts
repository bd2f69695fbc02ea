import { API_PATH } from '#brand/contract/operations.ts'
import { HOME_PAGE } from '#brand/page.ts'
import type { MaybePromise } from '#platform/base/promise.ts'
import type { Reply, Request } from '#platform/exchange/message.ts'
import { PUBLIC_CACHING } from '#serving/publications/publications.ts'
import type { Representation } from '#serving/replies/response-cache.ts'
import type { Guide } from '../guide/guide.ts'
import { html } from '../html.ts'
import { alternates } from '../layout/languages.ts'
import type { Site } from '../site.ts'
import { guideText, textFile } from './agent-texts.ts'

/** `/robots.txt`, which points crawlers to public guides. */
export function robotsReply(site: Site, request: Request): MaybePromise<Reply | undefined> {
  return site.pages.reply('/robots.txt', request, () => robots(site))
}

/** `/sitemap.xml`, which lists the public guides. */
export function sitemapsReply(site: Site, request: Request): MaybePromise<Reply | undefined> {
  return site.pages.reply(`/sitemap.xml@${site.service.pointers.version()}`, request, () => sitemaps(site))
}

/** `sitemap.xml` of a project: its pages (sitemaps.org). Project limits keep them below 50,000. */
export async function sitemap(guide: Guide): Promise<Representation> {
  const { site, publication } = guide
  const { record, published } = publication
  const otherIds = Array.from((await publication.content.pages()).keys()).filter(id => id !== HOME_PAGE)
  const day = published.publishedAt.toISOString()
  const link = ([lang, href]: readonly string[]) =>
    html`<xhtml:link rel="alternate" hreflang="${lang}" href="${href}"/>`
  const entries = [HOME_PAGE, ...otherIds].map(async id => {
    const links = Array.from(await alternates(guide, { id, below: '' }), link)
    return html`<url><loc>${site.urls.page(record, id)}</loc><lastmod>${day}</lastmod>${links}</url>\n`
  })
  const namespace = guide.languages.length > 0 && html` xmlns:xhtml="http://www.w3.org/1999/xhtml"`
  const body = html`<urlset xmlns="${SCHEMA}"${namespace}>
${await Promise.all(entries)}</urlset>
`
  return guideText(guide, PROLOGUE + body.text, 'application/xml')
}

const PROLOGUE = '<?xml version="1.0" encoding="UTF-8"?>\n'
const SCHEMA = 'http://www.sitemaps.org/schemas/sitemap/0.9'

function robots({ place, url, at }: Site): Representation {
  // The host of a workspace or guide has none of these paths.
  const disallowed = place ? [] : [API_PATH, '/revision', '/oauth'].map(path => `Disallow: ${at(path)}/\n`)
  // An empty `Disallow` allows everything (RFC 9309 §2.2.2).
  const text = `User-agent: *
${disallowed.join('') || 'Disallow:\n'}Sitemap: ${url}/sitemap.xml
`
  return textFile(text, 'text/plain', PUBLIC_CACHING)
}

async function sitemaps({ place, service: { openProjects, urls } }: Site): Promise<Representation> {
  const entries: string[] = []
  for await (const batch of openProjects.all()) {
    const listed = batch.filter(({ workspace }) => !place || workspace === place.workspace)
    const maps = listed.map(project => html`<sitemap><loc>${urls.below(project, '/sitemap.xml')}</loc></sitemap>\n`)
    entries.push(html`${maps}`.text)
  }
  const start = html`<sitemapindex xmlns="${SCHEMA}">\n`
  const text = `${PROLOGUE}${start.text}${entries.join('')}</sitemapindex>\n`
  return textFile(text, 'application/xml', PUBLIC_CACHING)
}
