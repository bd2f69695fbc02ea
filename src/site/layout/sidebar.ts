import { HOME_PAGE } from '../../brand/page.ts'
import { type Guide, isInSection, pathBelow, treeOf } from '../guide/guide.ts'
import { listedSections } from '../guide/listed-sections.ts'
import { type Branch, trailTo } from '../guide/page-tree.ts'
import { type Html, html, type Word } from '../html.ts'
import type { Words } from '../words/words.ts'

/**
 * The navigation next to every page of a guide; if the sections are in the header, only the menu of narrow windows. `current` is
 * the path of the shown page; `id` is its id if authors wrote it.
 */
export async function sidebar(guide: Guide, current: string, id: string | undefined): Promise<Html> {
  const { publication, paths, words } = guide
  const pages = await publication.content.pages()
  const { nav } = await publication.content.appearance()
  const tree = await treeOf(guide)
  const open = new Set(id === undefined ? [] : trailTo(tree, id).map(branch => branch.id))
  const navigation: Shown = {
    current,
    address: id => paths.page(publication.record, id),
    isMade: id => pages.size <= MAX_WHOLE || open.has(id),
    isOpen: id => pages.size <= MAX_OPEN || open.has(id),
    all: pathBelow(guide, 'pages'),
    words,
  }
  const sections = (await listedSections(guide)).map(name => {
    const path = pathBelow(guide, name)
    return item(path, words.sections[name], isInSection(guide, name, current) ? path : current)
  })
  return html`<nav class="${nav === 'sections' ? 'sheet' : 'side'}" id="Menu" aria-label="${words.frame.guide}">
${pages.has(HOME_PAGE) ? undefined : html`<ul>${item(paths.project(publication.record), words.frame.overview, current)}</ul>`}
${branches(tree, navigation)}
${sections.length > 0 ? html`<p class="quiet" id="Library">${words.frame.library}</p><ul aria-labelledby="Library">${sections}</ul>` : undefined}
</nav>`
}

/** If a guide has at most this many pages, its whole tree is open. */
const MAX_OPEN = 24
/** If it has at most this many, other branches unfold. In larger guides, only the branches above the page are included. */
const MAX_WHOLE = 100
const MAX_BESIDE = 200

type Shown = {
  current: string
  address: (id: string) => string
  /** Whether a branch includes the pages below it, and whether it is unfolded. */
  isMade: (id: string) => boolean
  isOpen: (id: string) => boolean
  all: string
  words: Words
}

function branches(tree: readonly Branch[], navigation: Shown): Html | undefined {
  if (tree.length === 0) return undefined
  const at = tree.findIndex(({ id }) => navigation.isMade(id))
  const start = Math.max(0, Math.min(at - MAX_BESIDE / 2, tree.length - MAX_BESIDE))
  const rest =
    tree.length > MAX_BESIDE
      ? item(navigation.all, navigation.words.pages.allOf({ count: tree.length }), navigation.current)
      : undefined
  const places = tree.slice(start, start + MAX_BESIDE).map(branch => place(branch, navigation))
  return html`<ul>
${places}${rest}</ul>`
}

function place({ id, name, page, children }: Branch, navigation: Shown): Html {
  const list = navigation.isMade(id) ? branches(children, navigation) : undefined
  const below = list && (page ? fold(navigation, id, name, list) : undefined)
  if (page) return item(navigation.address(id), name, navigation.current, below)
  if (list) return html`<li><details${isOpen(navigation, id)}><summary>${name}</summary>${list}</details></li>\n`
  const first = children.find(child => child.page)
  return first ? item(navigation.address(first.id), name, navigation.current) : html`<li><span>${name}</span></li>\n`
}

/** The foldable list below a page, with its marker next to the link to the page. */
function fold(navigation: Shown, id: string, name: string, list: Html): Html {
  return html`<details${isOpen(navigation, id)}><summary aria-label="${navigation.words.frame.pagesBelow({ page: name })}"></summary>${list}</details>`
}

function isOpen(navigation: Shown, id: string): Html | undefined {
  return navigation.isOpen(id) ? html` open` : undefined
}

function item(path: string, name: Word, current: string, below?: Html): Html {
  const mark = path === current ? html` aria-current="page"` : undefined
  return html`<li><a href="${path}"${mark}>${name}</a>${below}</li>\n`
}
