import { pagePath } from '#brand/edit-link.ts'
import type { StyleId } from '#brand/ids.ts'
import { HOME_PAGE, type Link } from '#brand/page.ts'
import { linkTarget, type StyleMap, siteMap } from '#intake/pages/link-target.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { percentDecode } from '#platform/base/text.ts'
import type { Reply } from '#platform/exchange/message.ts'
import { html as htmlReply } from '#platform/exchange/reply.ts'
import { ProcessFailed, QueueFull } from '#platform/processes/failure.ts'
import { openGuide } from '#site/guide-reply.ts'
import { type Html, html } from '#site/html.ts'
import { introductionOf } from '#site/introduction.ts'
import { pageView } from '#site/pages/page-view.ts'
import { standalonePage } from '#site/pages/standalone-page.ts'
import type { Site } from '#site/site.ts'
import { isShowable, shownAddress } from '#site/thumbnails/thumbnail.ts'
import { unshared } from '../../manage/form.ts'
import type { Visit } from './context.ts'
import { BODY, type Sent } from './form-parts.ts'
import type { Target } from './target.ts'

/** Shows a page with another text, title and description, which are stored nowhere; a new one as it will be. */
export async function previewReply(visit: Visit, { path, id }: Target, sent: Sent): Promise<Reply | undefined> {
  const { site } = visit.context.manage
  const { publication, workspace } = visit.guide
  const typedText = (name: string) => sent.get(name)?.[0]?.trim() ?? ''
  const text = typedText(BODY)
  const title = typedText('/title').slice(0, MAX_LINE)
  const description = typedText('/description').slice(0, MAX_LINE)
  // Renderings have an author, whose work waits for each other: as their own author, the previews of a person do not delay
  // the pages of the workspace. No workspace has this id.
  const author = `a preview of ${visit.person?.subject}`
  const previewSite: Site = { ...site, render: (...page) => site.render(page[0], page[1], author) }
  const plainGuide = await openGuide(previewSite, publication, workspace)
  const pages = await publication.content.pages()
  const storedPage = id && pages.get(id)
  const content = pages.get(HOME_PAGE)?.content
  if (id === undefined || content === undefined) return undefined
  // A page that does not exist yet begins with the content of the home page, which the text replaces.
  const pageBefore = storedPage || { id, name: id, content }
  const links = await linksIn(visit, path, text)
  const page = {
    ...pageBefore,
    ...withoutUndefined({ name: title || pageBefore.name, description: description || undefined }),
    links,
  }
  const view = await pageView(plainGuide, id, { page, text }).catch(asEnded)
  if (view === 'ended') return endedPreview(visit)
  return view && htmlReply(view.bytes, { handling: ['Content-Security-Policy', POLICY] })
}

/** Stands for a preview that took too long, or too many of which wait; throws any other error again. */
function asEnded(error: unknown): 'ended' {
  if (!(error instanceof ProcessFailed || error instanceof QueueFull)) throw error
  return 'ended'
}

/** The page that says that there is no preview now. */
async function endedPreview({ context, guide, words }: Visit): Promise<Reply> {
  const { site } = context.manage
  const introduction = await introductionOf(site, guide.publication.record.workspace)
  const text = html`<p>${words.edit.noPreview}</p>\n`
  return unshared(standalonePage(site.assets, 503, { title: words.edit.preview, text, lang: words.lang, introduction }))
}

/** No scripts. With the origin of the service, as fonts and pictures of private guides need it. */
const POLICY =
  "sandbox allow-same-origin; default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; media-src 'self'"

/** The attributes of the text area that the script reads: the nonce of styles, and the addresses of its pictures. */
export async function sourceData(visit: Visit, path: string, text: string, nonce: string): Promise<Html> {
  const { publication, site } = visit.guide
  const files = await publication.content.files()
  const pictures: Record<string, string> = {}
  for (const { start, end, to } of await linksIn(visit, path, text)) {
    const file = to.file === undefined ? undefined : files.get(to.file)
    if (file?.contentType.startsWith('image/') && isShowable(file))
      pictures[text.slice(start, end)] = shownAddress(publication.record, file, site.paths)
  }
  return html` data-nonce="${nonce}" data-pictures="${JSON.stringify(pictures)}"`
}

/**
 * The relative links of a page's text with a target. A text may take long to parse, so links are found by their usual
 * forms, also in code.
 */
async function linksIn({ files: { paths }, guide }: Visit, source: string, text: string): Promise<Link[]> {
  const { content } = guide.publication
  const pages = Array.from((await content.pages()).values(), ({ id }) => ({ source: pagePath(paths, id), id }))
  const idsOf = (styles: readonly { id: StyleId }[]) => new Map(styles.map(({ id }) => [id, id]))
  const styles = new Map<string, StyleMap>([
    ['styles/colors.yaml', { list: 'colors', ids: idsOf(await content.colors()), groups: new Set<string>() }],
    ['styles/types.yaml', { list: 'types', ids: idsOf(await content.types()), groups: new Set<string>() }],
  ])
  const hasWords = (await content.appearance()).words !== undefined
  const map = siteMap(pages, [...(await content.files()).keys()], styles, new Map(), hasWords)
  return Array.from(
    text.matchAll(LINK).take(MAX_LINKS),
    ({ index, groups: { mark = '', path = '', fragment = '' } = {} }) => {
      const start = index + mark.length
      const to = linkTarget(percentDecode(path) ?? path, source, map, fragment.slice(1))
      // The fragment is a part of the link only if it names a style or a word: `styles/colors.yaml#ink`.
      const end = start + path.length + (to?.list === undefined && !to?.words ? 0 : fragment.length)
      return to ? [{ start, end, to }] : []
    },
  ).flat()
}

/** Further links have no target in a preview, so that no text delays other requests. */
const MAX_LINKS = 5000

/** The characters of a title or description that a preview shows. */
const MAX_LINE = 2000

/** `](path#fragment`, `[label]: path` at the start of a line, and `src="path` or `href="path`. */
const LINK =
  /(?<mark>\]\(<?|^\[[^\]\n]{1,100}\]: <?|\b(?:src|href)=["'])(?<path>[^\s"'()<>#?:]{1,1000})(?<fragment>#[^\s"'()<>]{1,200})?/gm
