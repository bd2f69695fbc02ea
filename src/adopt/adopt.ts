import type { AdoptOptions } from './options.ts'
import { planGuide } from './plan-guide.ts'
import { readSource } from './read-source.ts'
import { selectPages } from './select-pages.ts'
import type { Listing } from './sources/source.ts'
import { type Adopted, writeGuide } from './write-guide.ts'

/** Makes one project of the files of sources, and one for each further language of its pages, with a report. */
export async function adopt(listings: readonly Listing[], options: AdoptOptions): Promise<Adopted> {
  const source = await readSource(listings, options)
  const selection = selectPages(source, options)
  const plan = await planGuide(selection, options)
  return writeGuide(plan, options)
}
