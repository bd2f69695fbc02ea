import type { Page } from '#brand/page.ts'

/** A branch of the tree of a guide's pages. It has no `page` if there are only pages below it. */
export type Branch = { id: string; name: string; page?: Page; children: Branch[] }

/**
 * Makes a tree of pages. The page `logo/misuse` is below `logo`; deeper pages than eight levels are below
 * the eighth. Branches are in reading order; a folder without a page takes the place of the first page below it.
 */
export function pageTree(pages: Iterable<Page>): Branch[] {
  const top: Branch[] = []
  const byId = new Map<string, Branch>()
  for (const page of pages) addPage(top, byId, page)
  return top
}

function addPage(top: Branch[], byId: Map<string, Branch>, page: Page): void {
  const trail: Branch[] = []
  for (const id of trailIds(page.id)) {
    const existing = byId.get(id)
    const branch = existing ?? { id, name: id === page.id ? page.name : folderTitle(id), children: [] }
    if (!existing) {
      byId.set(id, branch)
      const siblings = trail.at(-1)?.children ?? top
      siblings.push(branch)
    }
    trail.push(branch)
  }
  Object.assign(trail.at(-1) ?? {}, { name: page.nav || page.name, page })
}

/** The ids of a page's ancestors, outermost first, and of the page itself. */
function* trailIds(id: string): Generator<string> {
  let slash = id.indexOf('/')
  for (let level = 0; slash !== -1 && level < MAX_LEVELS; level++) {
    yield id.slice(0, slash)
    slash = id.indexOf('/', slash + 1)
  }
  yield id
}

/** Low, since each level of each page may add a branch. */
const MAX_LEVELS = 8

/** The pages of a tree, each before the pages below it. */
export function inTreeOrder(tree: readonly Branch[]): Page[] {
  const pages: Page[] = []
  const add = ({ page, children }: Branch): void => {
    if (page) pages.push(page)
    children.forEach(add)
  }
  tree.forEach(add)
  return pages
}

/** The page of a branch, or the first one below it. */
export function firstPage({ page, children }: Branch): Page | undefined {
  return page ?? children.values().map(firstPage).find(Boolean)
}

/** The ancestors of a page, outermost first, and the page's own branch last. */
export function trailTo(tree: readonly Branch[], id: string): Branch[] {
  const trail: Branch[] = []
  for (const branchId of trailIds(id)) {
    const branch = (trail.at(-1)?.children ?? tree).find(child => child.id === branchId)
    if (!branch) break
    trail.push(branch)
  }
  return trail
}

/** The name of a folder as a title: `Dot use examples` for `graphic-device/dot-use-examples`. */
export function folderTitle(id: string): string {
  const words = id.slice(id.lastIndexOf('/') + 1).replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
