import type { Edit } from '#platform/base/text.ts'
import type { Notes } from '../report/report.ts'

/** The facts of a site that its pages need. */
export type PageFacts = {
  baseUrl: string
  variables: ReadonlyMap<string, string>
  /** The names of data with colours. */
  palettes?: readonly string[]
  /** The front matter keys with addresses of a page, if they are others than usual. */
  addressKeys?: readonly string[] | undefined
  /** Whether `.md` is MDX. */
  isMdx?: boolean | undefined
  /** Whether only search engines see the description of a page. */
  hidesDescription?: boolean | undefined
  /** Whether a wiki link has its text first. */
  isTextFirst?: boolean | undefined
  /** The day on which dates decide whether a page is published; absent if they do not. */
  today?: string | undefined
  /** Whether pages arrive that the site hides. */
  withHidden?: boolean
}

/** A page to convert. It crosses to a confined process, as its result does. */
export type PageTask = {
  /** In the source. */
  path: string
  /** The path in the report. */
  shownPath: string
  kind: PageKind
  facts: PageFacts
  /** The texts of files that pages include, by path in the source. */
  includes: ReadonlyMap<string, string>
}

export type PageKind = 'md' | 'mdx' | 'html' | 'docx'

/** A page as Markdown of ours, apart from its links, which still lead where they led in the source. */
export type ConvertedPage = {
  /** Without front matter. */
  text: string
  /** The line in the source of each line of `text`, from 1. */
  lines: readonly number[]
  meta: PageMeta
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
  /** Pictures in the header of the site, and its icons. */
  logos: readonly string[]
  icons: readonly string[]
  /** A picture for links to the page. */
  image?: string | undefined
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

/** A table as text; `line` is that of its header in the source. */
export type ValueTable = { line: number; header: readonly string[]; rows: readonly (readonly string[])[] }

/** A change or a loss at an offset of a text. */
export type Note = { at: number; what: string } & (
  | { became: string }
  | { text: string; isHidden?: boolean; isOffPage?: boolean }
)

/**
 * A step of a conversion: changes of a text, which stays as it is between them, and notes on it. A link that only the
 * whole site can resolve becomes one with a marker: `/@wiki/Logo` for a page or file known by its name,
 * `/@site/static/a.svg` for a path from the root of the source.
 */
export type Pass = (text: string, task: PageTask) => { edits: Edit[]; notes: Note[] }
