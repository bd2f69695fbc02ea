import { HOME_PAGE } from '../../brand/page.ts'
import { filledSections, type Guide, pathBelow, treeOf } from '../guide/guide.ts'
import { type Branch, trailTo } from '../guide/page-tree.ts'
import { type Html, html, type Word } from '../html.ts'

/** The sections of a guide as links for its header, and the pages of the current one, which stay below it. */
type Sections = { links: Html; below: Html | undefined }

/**
 * The navigation of a guide by sections: the pages at the top of its tree, and the parts of its library. The first seven
 * are in the header, the others below *More*.
 */
export async function sectionsOf(guide: Guide, current: string, id: string | undefined): Promise<Sections> {
  const { words } = guide
  const tree = (await treeOf(guide)).filter(branch => branch.id !== HOME_PAGE)
  const trail = id === undefined ? [] : trailTo(tree, id)
  const pages = tree.slice(0, MAX_LISTED).flatMap(branch => sectionLink(guide, branch, current, trail[0]) ?? [])
  const all =
    tree.length > MAX_LISTED
      ? [link(pathBelow(guide, 'pages'), words.pages.allOf({ count: tree.length }), current)]
      : []
  const library = (await filledSections(guide)).map(name => {
    const path = pathBelow(guide, name)
    return link(path, words.sections[name], current, current.startsWith(`${path}/`))
  })
  const every = [...pages, ...all, ...library]
  const rest = every.slice(MAX_SHOWN)
  const more = html`<li><details><summary>${words.frame.more}</summary><ul>
${rest}</ul></details></li>
`
  return {
    links: html`<nav class="sections" aria-label="${words.frame.sections}"><ul>
${every.slice(0, MAX_SHOWN)}${rest.length > 0 && more}</ul></nav>
`,
    below: trail[0] && pagesBelow(guide, trail[0], current, trail[1]),
  }
}

const MAX_SHOWN = 7
/** The maximum number of sections of pages, and of pages below one. Others are in the list of all pages. */
const MAX_LISTED = 40

function sectionLink(guide: Guide, branch: Branch, current: string, open: Branch | undefined): Html | undefined {
  const { paths, publication } = guide
  const first = branch.page ?? firstPage(branch)
  return first && link(paths.page(publication.record, first.id), branch.name, current, branch === open)
}

/** The pages of a section as a bar; undefined if it has only one page. */
function pagesBelow(guide: Guide, section: Branch, current: string, open: Branch | undefined): Html | undefined {
  if (section.children.length === 0) return undefined
  const own = section.page && sectionLink(guide, section, current, undefined)
  const links = section.children.slice(0, MAX_LISTED).flatMap(each => sectionLink(guide, each, current, open) ?? [])
  return html`<nav class="subnav" aria-label="${guide.words.frame.pagesBelow({ page: section.name })}"><ul>
${own}${links}</ul></nav>
`
}

function firstPage({ children }: Branch): Branch['page'] {
  for (const child of children) {
    const found = child.page ?? firstPage(child)
    if (found) return found
  }
  return undefined
}

function link(path: string, name: Word, current: string, isOpen = false): Html {
  const mark = path === current ? html` aria-current="page"` : isOpen && html` aria-current="true"`
  return html`<li><a href="${path}"${mark}>${name}</a></li>\n`
}
