import type { Guide } from '../guide/guide.ts'
import { type Html, html } from '../html.ts'

/** A feed about a guide; `path` is its own below the guide, and `page` the address that all entries link to. */
type Feed = { path: string; title: string; page: string; updated: Date; entries: readonly FeedEntry[] }

/** An entry of a feed; its path and fragment below the guide distinguish it from all others. */
export type FeedEntry = { path: string; title: string; updated: Date; content?: Html }

/**
 * A feed as XML (RFC 4287). Ids, by which readers know what they have read, stay the same if the guide moves to another
 * host.
 */
export function atomFeed({ site, publication, words, workspace }: Guide, feed: Feed): string {
  const { record } = publication
  const idOf = (path: string) => `${site.service.access.publicUrl}/${record.workspace}/${record.project}${path}`
  const page = html`<link rel="alternate" type="text/html" href="${feed.page}"/>`
  const entryXml = ({ path, title, updated, content }: FeedEntry) => html`<entry>
<id>${idOf(path)}</id>
<title>${title}</title>
<updated>${updated.toISOString()}</updated>
${page}
${content && html`<content type="html">${content.text}</content>\n`}</entry>
`
  const { text } = html`<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${words.lang}">
<id>${idOf(feed.path)}</id>
<title>${feed.title}</title>
<updated>${feed.updated.toISOString()}</updated>
<author><name>${workspace}</name></author>
<link rel="self" type="application/atom+xml" href="${site.urls.below(record, feed.path)}"/>
${page}
${feed.entries.map(entryXml)}</feed>
`
  return `<?xml version="1.0" encoding="UTF-8"?>\n${text.replaceAll(NOT_XML, '')}`
}

/**
 * Characters that XML 1.0 cannot contain (§2.2), also escaped: the last two of the first plane, and control characters
 * except tab, line ends, and those from U+007F on.
 */
const NOT_XML = /[\ufffe\uffff]|[^\P{Cc}\t\r\n\u007f-\u009f]/gu
