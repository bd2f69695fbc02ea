import type { Color } from '../../brand/color.ts'
import type { BrandFile } from '../../brand/file.ts'
import type { Page } from '../../brand/page.ts'
import type { TypeStyle } from '../../brand/type-style.ts'

/** A page with the beginning of its Markdown. */
export type PageText = Pick<Page, 'id' | 'name' | 'description'> & { text: string }

/**
 * What the process that makes an index is told, one after the other: colours, styles, files and pages, in this order, and
 * that this was all. It answers with the counts of the index, and its bytes in pieces.
 */
export type IndexPart =
  | { colors: readonly Color[] }
  | { types: readonly TypeStyle[] }
  | { files: readonly BrandFile[] }
  | { pages: readonly PageText[] }
  | { isAll: true }
