import { type Guide, hasChanges, isDraft, pathBelow } from '../guide/guide.ts'
import { type Html, html } from '../html.ts'

/** The footer of every page of a guide: contact, the guide's own links, and the revision. */
export async function footer(guide: Guide, markdownPath: string | undefined): Promise<Html> {
  const { publication, paths, words } = guide
  const { publishedAt, revision } = publication.published
  const { contact, footer: links = [] } = await publication.content.appearance()
  const day = html`<time datetime="${publishedAt.toISOString()}">${words.day(publishedAt)}</time>`
  const own = links.map(({ name, url }) => html`<li><a href="${url}" rel="noopener noreferrer">${name}</a></li>\n`)
  return html`<footer>
${contact !== undefined && html`<p>${words.frame.contact({ contact: contactLink(contact) })}</p>\n`}${own.length > 0 && html`<ul>\n${own}</ul>\n`}<p>${isDraft(guide) ? words.frame.draft : words.frame.revision({ revision, day })}${hasChanges(guide) && html` · <a href="${pathBelow(guide, 'changes')}">${words.changes.title}</a>`}</p>
<p>${markdownPath !== undefined && html`<a href="${markdownPath}">${words.frame.markdown}</a>`} <a href="${paths.project(publication.record)}/llms.txt">llms.txt</a></p>
</footer>`
}

/** The contact as a link if it is a web or mail address, else as text. */
export function contactLink(contact: string): Html {
  const address = contact.replace(/^mailto:/i, '')
  if (/^https?:\/\//i.test(contact)) {
    return html`<a href="${contact}" rel="noopener noreferrer">${contact.replace(/^https?:\/\/|\/$/gi, '')}</a>`
  }
  return MAIL.test(address)
    ? html`<a href="mailto:${address}">${address.replace(/\?.*$/s, '')}</a>`
    : html`<bdi>${contact}</bdi>`
}

const MAIL = /^[^\s@/<>"]+@[^\s@/<>"]+\.[^\s@/<>"]+$/
