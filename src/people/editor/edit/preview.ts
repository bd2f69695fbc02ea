import { pagePath, type SourcePaths } from '#brand/edit-link.ts'
import type { StyleId } from '#brand/ids.ts'
import { HOME_PAGE, type Link } from '#brand/page.ts'
import { linkTarget, type SiteMap, type StyleMap, siteMap } from '#intake/pages/link-target.ts'
import { percentDecode } from '#platform/base/text.ts'
import type { Reply } from '#platform/exchange/message.ts'
import { html as htmlReply } from '#platform/exchange/reply.ts'
import type { Publication } from '#serving/publications/publications.ts'
import { openGuide } from '#site/guide-reply.ts'
import { pageView } from '#site/pages/page-view.ts'
import type { Site } from '#site/site.ts'
import type { Target } from './target.ts'
import type { GuideVisit } from './visit.ts'

/** Shows a page with another text, which is stored nowhere. */
export async function previewReply(
  { context, guide, files: { paths } }: GuideVisit,
  { path, shown }: Target,
  typed: string,
): Promise<Reply | undefined> {
  const { site } = context.manage
  const { publication, workspace } = guide
  const text = typed.replaceAll('\r\n', '\n')
  const links = linksIn(text, path, await mapOf(paths, publication))
  // Texts that take long to render wait for each other, not in front of pages. No workspace has this id.
  const apart: Site = { ...site, render: (...page) => site.render(page[0], page[1], 'a preview') }
  const plain = await openGuide(apart, publication, workspace)
  // A new page that is not imported yet is shown in the place of the first page.
  const draft = { text, links }
  const view = (await pageView(plain, shown.slice(1) || HOME_PAGE, draft)) ?? (await pageView(plain, HOME_PAGE, draft))
  return view && htmlReply(view.bytes, { handling: ['Content-Security-Policy', POLICY] })
}

/** No scripts. With the origin of the service, as fonts and pictures of private guides need it. */
const POLICY =
  "sandbox allow-same-origin; default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; media-src 'self'"

/** The places to which the links of a page may lead. */
export async function mapOf(paths: SourcePaths, { content }: Publication): Promise<SiteMap> {
  const pages = Array.from((await content.pages()).values(), ({ id }) => ({ source: pagePath(paths, id), id }))
  const idsOf = (styles: readonly { id: StyleId }[]) => new Map(styles.map(({ id }) => [id, id]))
  const styles = new Map<string, StyleMap>([
    ['styles/colors.yaml', { list: 'colors', ids: idsOf(await content.colors()), groups: new Set<string>() }],
    ['styles/types.yaml', { list: 'types', ids: idsOf(await content.types()), groups: new Set<string>() }],
  ])
  const hasWords = (await content.appearance()).words !== undefined
  return siteMap(pages, [...(await content.files()).keys()], styles, new Map(), hasWords)
}

/**
 * The relative links with a target. A text may take long to parse, so links are found by their
 * usual forms, also in code.
 */
export function linksIn(text: string, source: string, map: SiteMap): Link[] {
  return Array.from(text.matchAll(LINK), ({ index, groups: { mark = '', path = '', fragment = '' } = {} }) => {
    const start = index + mark.length
    const to = linkTarget(percentDecode(path) ?? path, source, map, fragment.slice(1))
    const end = start + path.length + (to?.list === undefined && !to?.words ? 0 : fragment.length)
    return to ? [{ start, end, to }] : []
  }).flat()
}

const LINK =
  /(?<mark>\]\(<?|^\[[^\]\n]{1,100}\]: <?|\b(?:src|href)=["'])(?<path>[^\s"'()<>#?:]{1,1000})(?<fragment>#[^\s"'()<>]{1,200})?/gm
