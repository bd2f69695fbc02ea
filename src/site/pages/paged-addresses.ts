import type { StyleTarget } from '../../brand/page.ts'
import type { Addresses } from '../../serving/addresses.ts'
import type { Guide } from '../guide/guide.ts'
import { pageQuery, pageWith } from '../layout/pagination.ts'
import { COLORS_ON_PAGE, colorList } from '../library/colors/color-list.ts'
import { TYPES_ON_PAGE } from '../library/type/type-list.ts'

/**
 * The addresses for links on a page of a guide. Unlike addresses for programs, they name the page of a list that has the
 * style: `/-/colors?page=2#color-blue-599`.
 */
export async function pagedAddresses(guide: Guide): Promise<Addresses> {
  const [colors, types] = [await colorList(guide), await guide.publication.content.types()]
  if (colors.inRow.length <= COLORS_ON_PAGE && types.length <= TYPES_ON_PAGE) return guide.paths
  const groups = new Map<string, number>()
  for (const [at, { row }] of colors.inRow.entries()) if (!groups.has(row.group.id)) groups.set(row.group.id, at)
  const places = new Map(types.map(({ id }, at) => [id, at]))
  const pageOf = ({ list, id, group }: StyleTarget): number => {
    if (list === 'types') return pageWith((id && places.get(id)) ?? 0, TYPES_ON_PAGE)
    const place = id === undefined ? groups.get(group ?? '') : colors.places.get(id)
    return pageWith(place ?? 0, COLORS_ON_PAGE)
  }
  const style: Addresses['style'] = (ref, to) => guide.paths.style(ref, to).replace(/(?=#|$)/, pageQuery(pageOf(to)))
  return { ...guide.paths, style }
}
