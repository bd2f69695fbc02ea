import { withFrontMatter } from '../pages/front-matter.ts'
import { type Notes, noNotes } from '../report/report.ts'
import type { Entry } from '../sources/source.ts'
import type { PagePlan } from './page-paths.ts'

/** A file with its place in the new folder, such as `files/logos/a.svg`. */
export type FilePlan = { entry: Entry; to: string }

/** The text of each page, with links that lead from its new place to where they led; those that lead nowhere are lost. */
export function linkPages(plans: readonly PagePlan[], _files: readonly FilePlan[]): { texts: string[]; notes: Notes } {
  return { texts: plans.map(({ page }) => withFrontMatter(page.meta, undefined, page.text)), notes: noNotes() }
}
