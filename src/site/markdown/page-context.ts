import type { LinkTargets } from './forms/link-cards.ts'
import type { Picture } from './page-pictures.ts'

/** What is known of a page besides its text. */
export type PageContext = {
  name: string
  /** What is known of our own pictures, by the address that the text has. */
  pictures: ReadonlyMap<string, Picture>
  /** The language of what is added to it; English by default. */
  lang?: string | undefined
  /** What its links lead to, by the address that the text has. Without it, links that stand alone stay links. */
  linkTargets?: LinkTargets
}
