import type { Edit } from '#platform/base/text.ts'

/** The facts of a site that its pages need. */
export type PageFacts = {
  baseUrl: string
  variables: ReadonlyMap<string, string>
  /** The names of data with colours. */
  palettes?: readonly string[]
  /** The ids of the groups in these data. */
  groups?: readonly string[]
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
  /** The variables of the site for its templates, if they are in Liquid. */
  site?: object | undefined
  /** The front matter, which is not in the text. */
  frontMatter?: string | undefined
}

export type PageKind = 'md' | 'mdx' | 'html' | 'docx'

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
