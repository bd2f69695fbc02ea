import type { Appearance } from './appearance.ts'
import type { Color } from './color.ts'
import type { BrandFile } from './file.ts'
import type { ProjectId } from './ids.ts'
import type { Page } from './page.ts'
import type { TypeStyle } from './type-style.ts'

/** A project as a brand folder has it: the content that a snapshot freezes, and the settings of the project. */
export type Draft = Freezable & {
  project: ProjectId
  visibility: Visibility
  /** Whether earlier revisions are served as well. */
  revisions: 'private' | 'served'
}

/** The content of a project. */
export type Content = Appearance & {
  name: string
  /** The language of its texts, as a BCP 47 tag. */
  lang?: string
  /** In reading order. */
  pages: readonly Page[]
  /** As written. */
  colors: readonly Color[]
  /** As written. */
  types: readonly TypeStyle[]
  /** By path. */
  files: readonly BrandFile[]
}

/** Content whose pages may be read one by one. */
export type Freezable = Omit<Content, 'pages'> & { pages: Iterable<Page> }

/** Who may see the website of a project: those with a share link or a token, or everyone. */
export type Visibility = 'private' | 'public'
