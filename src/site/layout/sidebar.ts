import { HOME_PAGE } from '../../brand/page.ts'
import { filledSections, type Guide, pathBelow, treeOf } from '../guide/guide.ts'
import { type Branch, trailTo } from '../guide/page-tree.ts'
import { type Html, html, htmlPacing } from '../html.ts'
import type { Words } from '../words/words.ts'

/**
 * The navigation beside every page of a guide. `current` is the path of the page that is shown, and `id` its id if
 * authors wrote it.
 */
export async function sidebar(guide: Guide, current: string, id: string | undefined): Promise<Html> {
  const { publication, paths, words } = guide
  const pages = await publication.content.pages()
  const tree = await treeOf(guide)
  const open = new Set(id === undefined ? [] : trailTo(tree, id).map(branch => branch.id))
  const shown: Shown = {
    current,
    address: id => paths.page(publication.record, id),
    isOpen: id => pages.size <= MAX_ALWAYS_OPEN || open.has(id),
    all: pathBelow(guide, 'pages'),
    words,
    pace: htmlPacing(),
  }
  const sections = (await filledSections(guide)).map(name => {
    const path = pathBelow(guide, name)
    return item(path, words.sections[name], current.startsWith(`${path}/`) ? path : current)
  })
  return html`<nav class="side" id="Menu" aria-label="${words.frame.guide}">
<a class="close" href="#Content">${words.frame.closeMenu}</a>
${pages.has(HOME_PAGE) ? undefined : html`<ul>${item(paths.project(publication.record), words.frame.overview, current)}</ul>`}
${await branches(tree, shown)}
${sections.length > 0 ? html`<p class="quiet" id="Library">${words.frame.library}</p><ul aria-labelledby="Library">${sections}</ul>` : undefined}
</nav>`
}

/** If a guide has at most this many pages, its whole tree is open. */
const MAX_ALWAYS_OPEN = 60
/** Of more siblings than this, only those around the current one are shown. */
const MAX_BESIDE = 200

type Shown = {
  current: string
  address: (id: string) => string
  isOpen: (id: string) => boolean
  all: string
  words: Words
  pace: ReturnType<typeof htmlPacing>
}

async function branches(tree: readonly Branch[], shown: Shown): Promise<Html | undefined> {
  if (tree.length === 0) return undefined
  const at = tree.findIndex(({ id }) => shown.isOpen(id))
  const start = Math.max(0, Math.min(at - MAX_BESIDE / 2, tree.length - MAX_BESIDE))
  const rest =
    tree.length > MAX_BESIDE ? item(shown.all, shown.words.pages.allOf(tree.length), shown.current) : undefined
  const places: Html[] = []
  for (const branch of tree.slice(start, start + MAX_BESIDE)) {
    const piece = await place(branch, shown)
    places.push(piece)
    await shown.pace(piece)
  }
  return html`<ul>
${places}${rest}</ul>`
}

async function place({ id, name, page, children }: Branch, shown: Shown): Promise<Html> {
  const below = shown.isOpen(id) ? await branches(children, shown) : undefined
  if (page) return item(shown.address(id), name, shown.current, below)
  const first = below ? undefined : children.find(child => child.page)
  return first ? item(shown.address(first.id), name, shown.current) : html`<li><span>${name}</span>${below}</li>\n`
}

function item(path: string, name: string, current: string, below?: Html): Html {
  const mark = path === current ? html` aria-current="page"` : undefined
  return html`<li><a href="${path}"${mark}>${name}</a>${below}</li>\n`
}
