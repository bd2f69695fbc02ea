import { HOME_PAGE } from '../../brand/page.ts'
import { filledSections, type Guide, pathBelow, treeOf } from '../guide/guide.ts'
import { type Html, html } from '../html.ts'
import { contactLink } from '../layout/footer.ts'

/**
 * The greeting above the home page for readers with a share link: its name and last day, the contents of the guide, and
 * the contact. Undefined for other readers.
 */
export async function welcome(guide: Guide): Promise<Html | undefined> {
  const { link, publication, paths, words } = guide
  if (!link) return undefined
  const { name, createdAt, expiresAt } = link
  const isThisYear = createdAt.getUTCFullYear() === expiresAt.getUTCFullYear()
  const day = isThisYear ? words.dayOfYear(expiresAt) : words.day(expiresAt)
  const { contact } = await publication.content.appearance()
  const pages = (await treeOf(guide)).flatMap(({ page }) => (page && page.id !== HOME_PAGE ? [page] : []))
  const links = [
    ...pages.slice(0, MAX_LISTED).map(({ id, name }) => ({ href: paths.page(publication.record, id), name })),
    ...(pages.length > MAX_LISTED ? [{ href: pathBelow(guide, 'pages'), name: words.pages.all }] : []),
    ...(await filledSections(guide)).map(id => ({ href: pathBelow(guide, id), name: words.sections[id] })),
  ]
  return html`<section class="welcome" aria-labelledby="Welcome">
<div dir="auto"><h2 id="Welcome">${name === undefined ? words.welcome.until({ day }) : words.welcome.for({ name, day })}</h2>
${contact !== undefined && html`<p>${words.frame.contact({ contact: contactLink(contact) })}</p>\n`}</div>
${links.length > 0 && html`<nav aria-label="${words.frame.contents}"><ul>\n${links.map(each => html`<li><a href="${each.href}">${each.name}</a></li>\n`)}</ul></nav>\n`}</section>
`
}

const MAX_LISTED = 24
