import type { Page } from '../../brand/page.ts'

/** A place in the tree of a guide's pages; without a page where only pages below it exist. */
export type Branch = { id: string; name: string; page?: Page; children: Branch[] }

/**
 * The pages as a tree: a page stands below the page whose id its own begins with. Places are in reading order; a folder
 * without a page of its own stands where the first page below it does.
 */
export function pageTree(pages: Iterable<Page>): Branch[] {
  const top: Branch[] = []
  const known = new Map<string, Branch>()
  const branchAt = (id: string): Branch => {
    const found = known.get(id)
    if (found) return found
    const slash = id.lastIndexOf('/')
    const branch = { id, name: nameOf(id.slice(slash + 1)), children: [] }
    known.set(id, branch)
    const siblings = slash === -1 ? top : branchAt(id.slice(0, slash)).children
    siblings.push(branch)
    return branch
  }
  for (const page of pages) Object.assign(branchAt(page.id), { name: page.name, page })
  return top
}

/** The pages of a tree as they are read one after the other. */
export function inTreeOrder(tree: readonly Branch[]): Page[] {
  const pages: Page[] = []
  const add = ({ page, children }: Branch): void => {
    if (page) pages.push(page)
    children.forEach(add)
  }
  tree.forEach(add)
  return pages
}

/** How many places a tree has. */
export function sizeOf(tree: readonly Branch[]): number {
  return tree.reduce((sum, { children }) => sum + 1 + sizeOf(children), 0)
}

/** Places of a tree by their number as they are read, from `start` and before `end`. */
export type BranchRange = { start: number; end: number }

/** A part of a tree, with the places that lead to it. */
export function partOf(tree: readonly Branch[], { start, end }: BranchRange): Branch[] {
  let at = 0
  const part = (branches: readonly Branch[]): Branch[] =>
    branches.flatMap(branch => {
      const own = at++
      const children = part(branch.children)
      return children.length > 0 || (own >= start && own < end) ? [{ ...branch, children }] : []
    })
  return part(tree)
}

/** The places that lead to a page of a tree, the outermost first, and the page's own place last. */
export function trailTo(tree: readonly Branch[], id: string): Branch[] {
  const next = tree.find(branch => branch.id === id || id.startsWith(`${branch.id}/`))
  if (!next) return []
  return next.id === id ? [next] : [next, ...trailTo(next.children, id)]
}

function nameOf(segment: string): string {
  const words = segment.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
