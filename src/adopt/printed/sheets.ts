import type { Box } from '#formats/pdf/document.ts'
import type { PdfPage, Shape } from '#formats/pdf/page.ts'
import { areaOf, byPlace, clipped, distance, moved } from './boxes.ts'

/** A page, or a part of one that readers see as a page; `left` and `top` are its corner on the page. */
export type Sheet = PdfPage & { left: number; top: number }

/**
 * The sheets of a page: those on a long frame of a drawing program are large boxes in the proportions of a page, and what
 * is above, between and below them.
 */
export function sheetsOf(page: PdfPage): Sheet[] {
  const boards = boardsOf(page)
  const covered = boards.reduce((sum, board) => sum + areaOf(board), 0)
  if (covered < 0.5 * page.width * page.height) return [{ ...page, left: 0, top: 0 }]
  const boxes = withSpaces(boards, page)
  const nearest = (letter: Box) =>
    boxes.reduce((best, box) => (distance(box, letter) < distance(best, letter) ? box : best))
  const letters = Map.groupBy(page.letters, nearest)
  return boxes.map(box => {
    const { left, top, right, bottom } = box
    const isOn = (shape: Shape) => areaOf(clipped(shape, box)) > 0.5 * Math.min(areaOf(shape), areaOf(box))
    return {
      number: page.number,
      left,
      top,
      width: right - left,
      height: bottom - top,
      letters: (letters.get(box) ?? []).map(letter => ({ ...moved(letter, -left, -top), base: letter.base - top })),
      shapes: page.shapes.filter(isOn).map(shape => moved(shape, -left, -top)),
    }
  })
}

/** The largest boxes on a page that is much higher than wide, which do not cover each other. */
function boardsOf({ width, height, shapes }: PdfPage): Box[] {
  if (height < 2 * width) return []
  const isBoard = ({ isPlain, left, right, top, bottom }: Shape) => {
    const across = right - left
    const down = bottom - top
    const hasRatioOfSheet = Math.abs(Math.log(across / down)) < Math.log(MAX_RATIO)
    return isPlain && across > 0.45 * width && hasRatioOfSheet
  }
  const boards: Box[] = []
  for (const { left, top, right, bottom } of shapes.filter(isBoard).sort((a, b) => areaOf(b) - areaOf(a))) {
    const board = clipped({ left, top, right, bottom }, { left: 0, top: 0, right: width, bottom: height })
    if (boards.every(other => areaOf(clipped(other, board)) < 0.1 * areaOf(board))) boards.push(board)
  }
  return boards.sort(byPlace)
}

/** The longer side of a sheet to the shorter one. */
const MAX_RATIO = 2.2

/** Boxes from top to bottom, and the spaces of a page between them that are as high as a sheet can be. */
function withSpaces(boards: readonly Box[], { width, height }: PdfPage): Box[] {
  let end = 0
  return [...boards, { left: 0, top: height, right: width, bottom: height }].flatMap(board => {
    const space = { left: 0, top: end, right: width, bottom: board.top }
    end = Math.max(end, board.bottom)
    const isSheet = space.bottom - space.top > width / MAX_RATIO
    return [...(isSheet ? [space] : []), ...(board.top < height ? [board] : [])]
  })
}
