import type { Color } from '../../../brand/color.ts'
import type { StyleId } from '../../../brand/ids.ts'
import { colorAnchor } from '../../../serving/addresses.ts'
import { type Guide, pathBelow } from '../../guide/guide.ts'
import { pageQuery, pageWith } from '../../layout/pagination.ts'
import { type ColorGroup, groupColors } from './color-groups.ts'

/** The colours of a guide by group, and one after the other; made once for a snapshot. */
export type ColorList = {
  groups: readonly ColorGroup[]
  inRow: readonly { color: Color; group: ColorGroup }[]
  /** The index of each in `inRow`. */
  places: ReadonlyMap<StyleId, number>
}

/** How many colours stand on a page. */
export const COLORS_ON_PAGE = 500

/** The list of the colours of a guide. */
export async function colorList({ publication }: Guide): Promise<ColorList> {
  const colors = await publication.content.colors()
  const known = lists.get(colors)
  if (known) return known
  const groups = await groupColors(colors)
  const inRow = groups.flatMap(group => group.colors.map(color => ({ color, group })))
  const list = { groups, inRow, places: new Map(inRow.map(({ color }, at) => [color.id, at])) }
  lists.set(colors, list)
  return list
}

const lists = new WeakMap<object, ColorList>()

/** The address of a colour in the list, as a path. */
export function colorPath(guide: Guide, { places }: ColorList, id: StyleId): string {
  const query = pageQuery(pageWith(places.get(id) ?? 0, COLORS_ON_PAGE))
  return `${pathBelow(guide, 'colors')}${query}#${encodeURIComponent(colorAnchor(id))}`
}
