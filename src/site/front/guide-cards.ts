import type { ProjectRef } from '../../brand/ids.ts'
import { HOME_PAGE } from '../../brand/page.ts'
import type { Publication } from '../../serving/publications/publications.ts'
import { openGuide } from '../guide-reply.ts'
import { type Html, html } from '../html.ts'
import { textDirection } from '../layout/document.ts'
import { coverThumbOutside } from '../pages/cover.ts'
import type { SiteContext } from '../site-context.ts'

/** A listed guide. Without a record, its card has only its name. */
export type ListedGuide = ProjectRef & { name: string; record?: Publication['record'] | undefined }

/** Links to guides, each with the cover and the description of its home page. */
export async function guideCards(site: SiteContext, workspace: string, guides: readonly ListedGuide[]): Promise<Html> {
  const cards: Html[] = []
  for (const { name, record, ...place } of guides) {
    const { cover, text } = record ? await homePreview(site, workspace, record) : {}
    cards.push(html`<li>${cover}<a href="${site.paths.project(place)}">${name}</a>${text}</li>\n`)
  }
  return html`<ul class="cards">
${cards}</ul>`
}

async function homePreview(
  site: SiteContext,
  workspace: string,
  record: Publication['record'],
): Promise<{ cover?: Html | undefined; text?: Html | undefined }> {
  const publication = site.openPublication(record)
  const home = (await publication?.content.pages())?.get(HOME_PAGE)
  if (!publication || !home) return {}
  const guide = await openGuide(site, publication, workspace)
  const lang = await publication.content.lang()
  const language = lang !== undefined && html` lang="${lang}"`
  const { description } = home
  return {
    cover: await coverThumbOutside(guide, home),
    text: description === undefined ? undefined : html`<p${language}${textDirection(lang)}>${description}</p>`,
  }
}
