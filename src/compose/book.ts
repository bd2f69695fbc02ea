import { HOME_PAGE } from '../brand/page.ts'
import { filledSections, type Guide, isDraft, pathBelow, treeOf } from '../site/guide/guide.ts'
import { inTreeOrder } from '../site/guide/page-tree.ts'
import { themeOf } from '../site/theme/guide-theme.ts'
import { isDark } from '../site/theme/palette.ts'
import { normalPath } from '../static/address-finder.ts'

/** The sources of a guide's book, apart from its copy. */
export type BookSource = {
  front: {
    title: string
    lines: readonly string[]
    contents: string
    lang: string
    grounds: ReadonlyMap<string, boolean>
  }
  /** `address` is a key of the places in a copy. */
  chapters: readonly { address: string; title: string; depth: number }[]
}

/** The front of a book, and its chapters: the home page, the other pages in the website's order, colours and type. */
export async function bookOf(guide: Guide): Promise<BookSource> {
  const { publication, words } = guide
  const { record, published, content } = publication
  const chapter = (path: string, title: string, depth: number) => ({
    address: normalPath(path) ?? '',
    title,
    depth,
  })
  const pages = inTreeOrder(await treeOf(guide)).filter(({ id }) => id !== HOME_PAGE)
  const home = (await content.pages()).get(HOME_PAGE)
  const sections = (await filledSections(guide)).filter(name => name !== 'files')
  const day = words.day(published.publishedAt)
  const { grounds } = await themeOf(publication)
  return {
    front: {
      title: published.name,
      lines: [
        guide.workspace,
        isDraft(guide) ? `${words.frame.draft}` : `${words.number(published.revision)} · ${day}`,
      ],
      contents: `${words.frame.contents}`,
      lang: (await content.lang()) ?? 'en',
      grounds: new Map(Array.from(grounds, ([id, { text }]) => [id, !isDark(text)])),
    },
    chapters: [
      chapter(guide.site.paths.project(record), home?.name ?? `${words.frame.overview}`, 0),
      ...pages.map(({ id, name }) => chapter(guide.site.paths.page(record, id), name, id.split('/').length - 1)),
      ...sections.map(name => chapter(pathBelow(guide, name), `${words.sections[name]}`, 0)),
    ],
  }
}
