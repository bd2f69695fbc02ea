import { readStyles } from '../assets.ts'

export type BookFormat = { isLandscape: boolean }

/** The size of a sheet of A4 without the margin of its page number, in mm. */
export function sheetSize({ isLandscape }: BookFormat): { width: number; height: number } {
  const [width, height] = isLandscape ? [297, 210] : [210, 297]
  return { width, height: height - 20 }
}

/** The style sheet of a book, after those of the guide. */
export function bookStyle(format: BookFormat): string {
  return paperStyle(format) + readStyles('book/sheets book/covers book/contents book/chapters book/breaks book/scale')
}

/** What depends on whether the paper is upright. */
function paperStyle(format: BookFormat): string {
  const { height } = sheetSize(format)
  return format.isLandscape
    ? `@page{size:A4 landscape}:root{--sheet-height:${height}mm;--contents-columns:2;--picture-share:.6}`
    : `@page{size:A4}:root{--sheet-height:${height}mm;--contents-columns:auto;--picture-share:.42}`
}
