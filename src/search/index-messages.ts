import type { Color } from '../brand/color.ts'
import type { BrandFile } from '../brand/file.ts'
import type { Page } from '../brand/page.ts'
import type { TypeStyle } from '../brand/type-style.ts'

/** A page with the beginning of its Markdown. */
export type PageText = Pick<Page, 'id' | 'name' | 'description'> & { text: string }

/** A part of a guide. */
export type GuidePart =
  | { kind: 'colors'; colors: readonly Color[] }
  | { kind: 'types'; types: readonly TypeStyle[] }
  | { kind: 'files'; files: readonly BrandFile[] }
  | { kind: 'pages'; pages: readonly PageText[] }

/**
 * The messages to the process that makes an index: the maximum size of the index; then colours, type styles, files and
 * pages, in this order; and the end.
 */
export type IndexTask = { kind: 'begin'; maxBytes: number } | GuidePart | { kind: 'end' }

/** The number columns of an index, which `search-index.ts` describes. */
export type NumberColumn = 'pageOf' | 'textEnds' | 'termEnds' | 'postingEnds' | 'postings'

/** A piece of an index. Pieces of one column follow each other. */
export type IndexBlock =
  | { kind: 'numbers'; column: NumberColumn; block: Uint32Array }
  | { kind: 'texts'; block: Uint8Array }
  | { kind: 'letters'; letters: string }

/** The replies of that process: the blocks of the index, and then the number of entries that are no page parts. */
export type IndexAnswer = IndexBlock | { kind: 'end'; items: number }
