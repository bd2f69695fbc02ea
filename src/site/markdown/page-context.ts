import type { StyleId } from '../../brand/ids.ts'
import type { LinkTargets } from './forms/link-cards.ts'
import type { Picture } from './page-pictures.ts'

/** The context of a page, in addition to its Markdown. */
export type PageContext = {
  name: string
  /** The project's pictures, keyed by the address in the Markdown. */
  pictures: ReadonlyMap<string, Picture>
  /** The colours that bands of the page may have. */
  grounds?: ReadonlySet<StyleId>
  /** The language of added words; English by default. */
  lang?: string | undefined
  /** The targets of its links, keyed by the address in the Markdown. Without it, links do not become cards. */
  linkTargets?: LinkTargets
}
