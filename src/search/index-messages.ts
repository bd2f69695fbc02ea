import type { Color } from '../brand/color.ts'
import type { BrandFile } from '../brand/file.ts'
import type { Page } from '../brand/page.ts'
import type { TypeStyle } from '../brand/type-style.ts'

/** A page with the beginning of its Markdown. */
export type PageText = Pick<Page, 'id' | 'name' | 'description'> & { text: string }

/** Some of what a guide has. */
export type GuidePart =
  | { kind: 'colors'; colors: readonly Color[] }
  | { kind: 'types'; types: readonly TypeStyle[] }
  | { kind: 'files'; files: readonly BrandFile[] }
  | { kind: 'pages'; pages: readonly PageText[] }

/**
 * What the process that makes an index is sent: how many bytes the index may take; then colours, type styles, files and
 * pages, in this order; and the end.
 */
export type IndexTask = { kind: 'begin'; maxBytes: number } | GuidePart | { kind: 'end' }

/** The columns of numbers that an index has; `search-index.ts` says what stands in them. */
export type NumberColumn = 'pageOf' | 'textEnds' | 'termEnds' | 'postingEnds' | 'postings'

/** A piece of an index. Pieces of one column follow each other. */
export type IndexBlock =
  | { kind: 'numbers'; column: NumberColumn; block: Uint32Array }
  | { kind: 'texts'; block: Uint8Array }
  | { kind: 'letters'; letters: string }

/** What that process answers: the blocks of the index, and at the end how many entries are no parts of pages. */
export type IndexAnswer = IndexBlock | { kind: 'end'; things: number }
