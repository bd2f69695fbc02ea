import type { Color } from './color.ts'
import type { BrandFile } from './file.ts'
import type { ProjectId } from './ids.ts'
import type { Page } from './page.ts'
import type { TypeStyle } from './type-style.ts'

/** What a brand folder says of one project: what a snapshot freezes, and what is about the project itself. */
export type Draft = Freezable & {
  project: ProjectId
  visibility: Visibility
  /** Whether earlier revisions are served as well. */
  revisions: 'private' | 'served'
}

/** Everything of a project that is frozen together. */
export type Content = {
  name: string
  /** The language that it is written in, as a BCP 47 tag. */
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

/** Content whose pages may come one after the other. */
export type Freezable = Omit<Content, 'pages'> & { pages: Iterable<Page> }

/** Who may see the website of a project: whoever is let in, or everyone. */
export type Visibility = 'private' | 'public'
