import { editAddress, pagePath } from '../../brand/edit-link.ts'
import type { PageId } from '../../brand/ids.ts'
import type { Guide } from '../guide/guide.ts'
import { type Html, html } from '../html.ts'

/** A page, or the file that a list of styles is written in. */
type Edited = { page: PageId; path?: never } | { path: string; page?: never }

/** The link for editing a page; undefined if the guide has none. */
export async function editLink(guide: Guide, { page, path }: Edited): Promise<Html | undefined> {
  const { record } = guide.publication
  const links = record.edit === undefined ? undefined : await guide.editLinks(record)
  if (!links) return undefined
  const address = editAddress(links.template, links.folder, path ?? pagePath(links, page))
  return html`<p class="edit quiet"><a href="${address}" rel="nofollow noopener noreferrer">${guide.words.pages.edit}</a></p>\n`
}
