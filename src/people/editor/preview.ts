import type { Ids } from '#brand/contract/route.ts'
import type { StyleId } from '#brand/ids.ts'
import type { Link } from '#brand/page.ts'
import { linkTarget, type SiteMap, type StyleMap, siteMap } from '#intake/pages/link-target.ts'
import { percentDecode } from '#platform/base/text.ts'
import type { Reply, Request } from '#platform/exchange/message.ts'
import { readOwnForm } from '#platform/exchange/own-form.ts'
import { html } from '#platform/exchange/reply.ts'
import type { Publication } from '#serving/publications/publications.ts'
import { openGuide } from '#site/guide-reply.ts'
import { pageView } from '#site/pages/page-view.ts'
import type { Site } from '#site/site.ts'
import type { Editor } from './context.ts'
import { type EditorProject, entryPath } from './editor-config.ts'

/** Shows a published page with another text, which is stored nowhere; undefined for everyone who cannot open its editor. */
export async function previewReply(
  { site, sourceFor }: Editor,
  request: Request,
  ids: Ids,
  maxBytes: number,
): Promise<Reply | undefined> {
  const source = await sourceFor(request, ids)
  const form = readOwnForm(site.service.access.publicUrl, request, { maxBytes })
  const project = source?.projects.find(({ id }) => id === form?.get('project'))
  const page = project?.order?.find(({ id }) => entryPath(project, id) === form?.get('page'))
  if (!source || !form || !project || !page) return undefined
  const { published = [] } = (await site.service.pointers.workspace(source.workspace)) ?? {}
  const publication = site.service.openPublication(published.find(record => record.project === project.id))
  if (!publication) return undefined
  const text = (form.get('text') ?? '').replaceAll('\r\n', '\n')
  const links = linksIn(text, sourceOf(project, page.id), await mapOf(project, publication))
  // Texts that take long to render wait for each other, not in front of pages. No workspace has this id.
  const apart: Site = { ...site, render: (...page) => site.render(page[0], page[1], 'a preview') }
  const guide = await openGuide(apart, publication, source.name)
  const view = await pageView(guide, page.id, { text, links })
  return view && html(view.bytes, { handling: ['Content-Security-Policy', 'sandbox'] })
}

const sourceOf = (project: EditorProject, id: string) => `pages/${entryPath(project, id)}.md`

async function mapOf(project: EditorProject, { content }: Publication): Promise<SiteMap> {
  const pages = Array.from((await content.pages()).values(), ({ id }) => ({ source: sourceOf(project, id), id }))
  const idsOf = (styles: readonly { id: StyleId }[]) => new Map(styles.map(({ id }) => [id, id]))
  const styles = new Map<string, StyleMap>([
    ['styles/colors.yaml', { list: 'colors', ids: idsOf(await content.colors()), groups: new Set<string>() }],
    ['styles/types.yaml', { list: 'types', ids: idsOf(await content.types()), groups: new Set<string>() }],
  ])
  const hasWords = (await content.appearance()).words !== undefined
  return siteMap(pages, [...(await content.files()).keys()], styles, new Map(), hasWords)
}

/**
 * The relative links of a text with a target. Anybody may send a text that takes long to parse, so links are found by their
 * usual forms, also in code.
 */
function linksIn(text: string, source: string, map: SiteMap): Link[] {
  return Array.from(text.matchAll(LINK), ({ index, groups: { mark = '', path = '', fragment = '' } = {} }) => {
    const start = index + mark.length
    const to = linkTarget(percentDecode(path) ?? path, source, map, fragment.slice(1))
    const end = start + path.length + (to?.list === undefined && !to?.words ? 0 : fragment.length)
    return to ? [{ start, end, to }] : []
  }).flat()
}

const LINK =
  /(?<mark>\]\(<?|^\[[^\]\n]{1,100}\]: <?|\b(?:src|href)=["'])(?<path>[^\s"'()<>#?:]{1,1000})(?<fragment>#[^\s"'()<>]{1,200})?/gm
