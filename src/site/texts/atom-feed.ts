import type { Guide } from '../guide/guide.ts'
import { type Html, html } from '../html.ts'

type Feed = { id: string; address: string; title: string; page: string; updated: Date; entries: readonly FeedEntry[] }

/** An entry of a feed, and the page that it is about. */
export type FeedEntry = { id: string; title: string; updated: Date; page: string; content?: Html }

/** An id of a feed or an entry, by which readers know it: it stays the same if the guide moves to another host. */
export function feedId({ site, publication: { record } }: Guide, path: string): string {
  return `${site.service.access.publicUrl}/${record.workspace}/${record.project}${path}`
}

/** A feed about a guide (RFC 4287). */
export function atomFeed({ words, workspace }: Guide, { id, address, title, page, updated, entries }: Feed): string {
  const feed = html`<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${words.lang}">
<id>${id}</id>
<title>${title}</title>
<updated>${updated.toISOString()}</updated>
<author><name>${workspace}</name></author>
<link rel="self" type="application/atom+xml" href="${address}"/>
<link rel="alternate" type="text/html" href="${page}"/>
${entries.map(entryXml)}</feed>
`
  return `<?xml version="1.0" encoding="UTF-8"?>\n${feed.text.replaceAll(NOT_XML, '')}`
}

function entryXml({ id, title, updated, page, content }: FeedEntry): Html {
  return html`<entry>
<id>${id}</id>
<title>${title}</title>
<updated>${updated.toISOString()}</updated>
<link rel="alternate" type="text/html" href="${page}"/>
${content && html`<content type="html">${content.text}</content>\n`}</entry>
`
}

/** Characters that XML 1.0 cannot contain (§2.2), also escaped. */
const NOT_XML = /[\ufffe\uffff]|[^\P{Cc}\t\r\n\u007f-\u009f]/gu
