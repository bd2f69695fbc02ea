import type { Appearance } from './appearance.ts'
import type { Color } from './color.ts'
import type { SourcePaths } from './edit-link.ts'
import type { BrandFile } from './file.ts'
import type { ProjectId } from './ids.ts'
import type { Page } from './page.ts'
import type { TypeStyle } from './type-style.ts'

/** A project in a brand folder: the content for a snapshot, and the settings of the project. */
export type Draft = Freezable & {
  project: ProjectId
  visibility: Visibility
  /** Whether earlier revisions are served too. */
  revisions: 'private' | 'served'
  /** Not part of its content. */
  source: SourcePaths
  /** Who must review a draft before it is published; absent if no one must. */
  reviewers?: Reviewers
  /** The numbers of pages of its original that a translation lacks, and that changed since they were translated. */
  untranslated?: { missing: number; stale: number }
}

/** The people who must approve a draft or ask for changes to it: that many, or those with these addresses. */
export type Reviewers = number | readonly string[]

/** The content of a project. */
export type Content = Appearance & {
  name: string
  /** The language of the content, as a BCP 47 tag. */
  lang?: string
  translation?: Translation
  /** In reading order. */
  pages: readonly Page[]
  /** In the written order. */
  colors: readonly Color[]
  /** In the written order. */
  types: readonly TypeStyle[]
  /** By path. */
  files: readonly BrandFile[]
}

/** What a translation says about its original: the id, and the lists that it leaves out. Files are marked one by one. */
export type Translation = { of: string; inherits: readonly ('colors' | 'types')[] }

/** Content whose pages can be read one by one. */
export type Freezable = Omit<Content, 'pages'> & { pages: Iterable<Page> }

/** The audience of a project's website: readers with a share link or a token, or everyone. */
export type Visibility = 'private' | 'public'
