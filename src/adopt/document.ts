import type { Notes } from './report/report.ts'
import type { SiteFacts } from './sources/facts.ts'
import type { Entry } from './sources/source.ts'

/**
 * An entry of a source that can be a page, as the first step reads it, whatever its format: Markdown, MDX, HTML, Word, a
 * chapter of a PDF, a page of a website, or a part of data or of a program. Later steps give a changed copy.
 */
export type Document = DocumentContent & {
  entry: Entry
  /** The facts of its source. */
  facts: SiteFacts
  /** Its path below the folder of the pages. */
  place: string
  /** Its language by its path. */
  lang?: string | undefined
  /** Whether it is the home page, although no page or another one has that place on the site. */
  isHome?: boolean
  /** Whether no page of its website links to it. */
  isUnlinked?: boolean
  /** Why it is unread. */
  off?: string | undefined
}

/** What a page says, as Markdown of ours, apart from its links, which still lead where they led in the source. */
export type DocumentContent = {
  /** Without front matter. */
  text: string
  /** The line in the source of each line of `text`, from 1. */
  lines: readonly number[]
  /** Its title, order and other front matter. */
  meta: PageMeta
  /** Its rows of the report. */
  notes: Notes
  /** Pictures inside a document: `text` names them `/@media/name`, and they are files `…/page.docx/@media/name`. */
  pictures: readonly { name: string; bytes: Uint8Array }[]
  /** Tables that may have values of colours. */
  tables: readonly ValueTable[]
  /** The style sheets inside a page in HTML, each on its lines in the source; absent for other pages. */
  sheet?: string
  /** Only of a page in HTML. */
  head?: PageHead
}

/** The facts of a site on a page in HTML; addresses as they are written. */
export type PageHead = {
  /** That of the text, such as `ja`. */
  lang?: string | undefined
  /** Whether it names another page that readers of the site get. */
  isRedirect?: boolean
  siteName?: string | undefined
  /** The title in browsers, often with the name of the site. */
  title?: string | undefined
  /** The text for search engines. */
  description?: string | undefined
  /** Pictures in the header of the site. */
  logos: readonly string[]
  /** The logo in the header of the site as the source of an SVG, if it is one in the page itself. */
  drawing?: string | undefined
  /** The icons of the site. */
  icons: readonly string[]
  /** The navigation of the site, in its order. */
  nav: readonly MenuItem[]
}

/** A link of a navigation, or a name in it; `items` are below it. */
export type MenuItem = { label: string; link?: string; items?: readonly MenuItem[] }

/** Pages that front matter keeps off a site: this one, or those below it, of which `glob` covers the path. */
export type Cascade = { glob?: string | undefined; why: string }

export type PageMeta = {
  title?: string | undefined
  description?: string | undefined
  order?: number | undefined
  /** A short name for the navigation; false if the page is not in it. */
  nav?: string | false | undefined
  /** The picture at the head of the page: its address, and then its path from the place of the page. */
  cover?: string | undefined
  /** Earlier paths of the page on the site, such as `/old/logo/`. */
  aliases: readonly string[]
  lang?: string | undefined
  /** Whether it names another page that readers of the site get. */
  isRedirect?: boolean
  /** Its words about pages below it. */
  cascades?: readonly Cascade[] | undefined
  /** Why the page is not published there, such as `draft: true`; undefined if it is. */
  draft?: string | undefined
}

/** A table as text; `line` is that of its header in the source, and `heading` the one above it. */
export type ValueTable = {
  line: number
  header: readonly string[]
  rows: readonly (readonly string[])[]
  heading?: string | undefined
}
