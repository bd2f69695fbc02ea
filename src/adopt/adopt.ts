import { planGuide } from './plan-guide.ts'
import { readSource } from './read-source.ts'
import { selectPages } from './select-pages.ts'
import type { Listing } from './sources/source.ts'
import { type Adopted, writeGuide } from './write-guide.ts'

export type AdoptOptions = {
  /** The folder of the project. */
  project: string
  /** The title of the new guide if the source has none. */
  title: string
  /** The groups of tokens to take; all if empty. */
  groups: readonly string[]
  /** Globs of files to leave out. */
  exclude: readonly string[]
  /** Whether what the sources do not publish is taken, too. */
  withHidden: boolean
  /** Today in UTC. */
  today: string
  signal: AbortSignal
  /** Called with each step that may take long. */
  progress: (step: string, done: number, total: number) => void
}

/** Makes one project of the files of sources, and one for each further language of its pages, with a report. */
export async function adopt(listings: readonly Listing[], options: AdoptOptions): Promise<Adopted> {
  const source = await readSource(listings, options)
  const selection = selectPages(source, options)
  const plan = await planGuide(selection, options)
  return writeGuide(plan, options)
}
