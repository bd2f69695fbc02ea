import { groupColors } from '../../brand/styles/color-groups.ts'
import type { WrittenStyles } from '../styles/styles.ts'
import type { StyleMap } from './link-target.ts'

/** The possible targets of links to styles, keyed by style list path. Omits empty lists. */
export async function styleMaps({ colors, types }: WrittenStyles): Promise<Map<string, StyleMap>> {
  const maps = new Map<string, StyleMap>()
  if (colors.length > 0) {
    const groups = (await groupColors(colors)).flatMap(({ id, name }) => (name === undefined ? [] : id))
    const ids = new Map(colors.map(({ id }) => [id, id]))
    maps.set('styles/colors.yaml', { list: 'colors', ids, groups: new Set(groups) })
  }
  if (types.length > 0) {
    const ids = new Map(types.map(({ style: { id } }) => [id, id]))
    maps.set('styles/types.yaml', { list: 'types', ids, groups: new Set() })
  }
  return maps
}
