import type { ProjectRef } from '../../brand/ids.ts'
import { HOME_PAGE } from '../../brand/page.ts'
import type { Publication } from '../../serving/publications/publications.ts'
import { openGuide } from '../guide-reply.ts'
import { type Html, html } from '../html.ts'
import { textDirection } from '../layout/document.ts'
import { guideFace } from '../pages/cover.ts'
import type { SiteContext } from '../site-context.ts'

/** A listed guide with the name of its workspace. Without a record, its card has no preview. */
export type ListedGuide = ProjectRef & {
  name: string
  workspaceName: string
  record?: Publication['record'] | undefined
}

/** Links to guides, each with a face and the description of its home page, and below `/` with its workspace. */
export async function guideCards(site: SiteContext, guides: readonly ListedGuide[], isRoot = false): Promise<Html> {
  const cards: Html[] = []
  for (const { name, workspaceName, record, ...place } of guides) {
    const { face, text } = record ? await homePreview(site, workspaceName, record) : {}
    const workspace = isRoot && html`<a class="quiet" href="${site.base}/${place.workspace}">${workspaceName}</a>`
    cards.push(html`<li>${face}<a href="${site.paths.project(place)}">${name}</a>${text}${workspace}</li>\n`)
  }
  return html`<ul class="cards guides">
${cards}</ul>`
}

async function homePreview(
  site: SiteContext,
  workspace: string,
  record: Publication['record'],
): Promise<{ face?: Html | undefined; text?: Html | undefined }> {
  const publication = site.openPublication(record)
  if (!publication) return {}
  const home = (await publication.content.pages()).get(HOME_PAGE)
  const guide = await openGuide(site, publication, workspace)
  const lang = await publication.content.lang()
  const language = lang !== undefined && html` lang="${lang}"`
  const { description } = home ?? {}
  return {
    face: await guideFace(guide, home),
    text: description === undefined ? undefined : html`<p${language}${textDirection(lang)}>${description}</p>`,
  }
}
