import { openPathAllocator } from '#brand/portable-paths.ts'
import type { ConvertedPage } from '../pages/page.ts'
import { type Notes, noNotes } from '../report/report.ts'
import type { SiteFacts } from '../sources/facts.ts'
import type { Entry } from '../sources/source.ts'

/** A page with its place in the new folder, such as `pages/logo/index.md`. */
export type PagePlan = { entry: Entry; page: ConvertedPage; to: string }

/** Gives each page its place in the tree that it had; pages that are drafts are not among them. */
export function planPages(
  pages: readonly { entry: Entry; page: ConvertedPage }[],
  facts: SiteFacts,
): { plans: PagePlan[]; notes: Notes } {
  const paths = openPathAllocator()
  const below = (path: string) => (path.startsWith(`${facts.root}/`) ? path.slice(facts.root.length + 1) : path)
  const plans = pages.map(({ entry, page }) => {
    const to = paths.take(`pages/${below(entry.path).replace(/\.(?:mdx?|html?|docx)$/i, '')}.md`)
    return { entry, page, to }
  })
  return { plans, notes: noNotes() }
}
