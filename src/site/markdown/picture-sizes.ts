import type { Element, Root, RootContent } from 'hast'
import { classesOf } from './hast.ts'

/** The parts next to the text of a page in a wide window: navigation and the list of headings, navigation, or nothing. */
export type Beside = 'list' | 'navigation' | 'nothing'

/** The place of a picture: in the column or over its edges, up to the wide or the reading edge, and in how many columns. */
type Place = { isFull: boolean; isWide: boolean; columns: { large: number; medium: number; small: number } }

const ALONE: Place = { isFull: false, isWide: false, columns: { large: 1, medium: 1, small: 1 } }

/**
 * Tells browsers the width of each picture that has several, in place, so that they load none that is much too large.
 * The numbers follow `frame.css`, `composition.css` and `pictures.css`.
 */
export function sizePictures(tree: Root, beside: Beside): void {
  for (const node of tree.children) sizeBelow(node, ALONE, beside)
}

function sizeBelow(node: RootContent, place: Place, beside: Beside): void {
  if (node.type !== 'element') return
  if (node.properties.srcSet !== undefined && node.properties.sizes !== undefined)
    node.properties.sizes = sizesAt({ ...place, isWide: place.isWide || classesOf(node).includes('photo') }, beside)
  const inside = placeIn(node, place)
  for (const child of node.children) sizeBelow(child, inside, beside)
}

function placeIn(element: Element, place: Place): Place {
  const classes = classesOf(element)
  if (classes.includes('full')) return { ...place, isFull: true }
  if (classes.includes('wide')) return { ...place, isWide: true }
  if (classes.includes('split')) return { ...place, isWide: true, columns: { large: 2, medium: 2, small: 1 } }
  const count = Number(classes.find(name => name.startsWith('columns-'))?.slice('columns-'.length))
  // Pictures in columns have the columns around them.
  if (!count || place.columns.large > 1) return place
  const isNarrow = classes.includes('pictures') && !classes.includes('texts') && !place.isFull && count !== 3
  return { ...place, isWide: true, columns: { large: count, medium: Math.min(count, 3), small: isNarrow ? 2 : 1 } }
}

/** The value of the attribute `sizes`. */
function sizesAt({ isFull, isWide, columns: { large, medium, small } }: Place, beside: Beside): string {
  const part = (width: number, columns: number) => `${Number((width / columns).toFixed(2))}`
  const column = ({ vw, rem, most }: Width) => {
    const limit = isWide || isFull ? most : Math.min(most, READING)
    return `min(${part(vw, large)}vw + ${part(rem, large)}rem, ${part(limit, large)}rem)`
  }
  const wide = (isFull ? FULL_WIDTHS : WIDTHS)[beside].map(width => `(min-width: ${width.from}rem) ${column(width)}, `)
  const between = medium === small ? '' : `(min-width: 48rem) ${part(100, medium)}vw, `
  return `${wide.join('')}${between}${part(100, small)}vw`
}

/** From a window of `from` rem on: `vw` of the window and `rem`, up to `most` rem. */
type Width = { from: number; vw: number; rem: number; most: number }

const NAVIGATION = { from: 60, vw: 78, rem: -10.25, most: 75.25 }
/** The column, by the parts next to it. */
const WIDTHS: Record<Beside, readonly Width[]> = {
  list: [{ from: 80, vw: 78, rem: -25.25, most: 60.25 }, NAVIGATION],
  navigation: [NAVIGATION],
  nothing: [{ from: 60, vw: 78, rem: 8, most: 93.5 }],
}
/** Blocks that extend to the edge of the window. */
const BESIDE_NAVIGATION = { from: 60, vw: 89, rem: -11.75, most: 160 }
const FULL_WIDTHS: Record<Beside, readonly Width[]> = {
  list: [BESIDE_NAVIGATION],
  navigation: [BESIDE_NAVIGATION],
  nothing: [{ from: 60, vw: 100, rem: 0, most: 160 }],
}
/** The width of text in rem. */
const READING = 43
