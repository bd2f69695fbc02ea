import { yieldIfDue } from '../../base/steps.ts'
import type { Color } from '../color.ts'
import type { StyleId } from '../ids.ts'

/**
 * The colour that each tint or shade stands under, by the id of the tint: of a tint of a tint, the one that both come
 * from. Tints that lead back to themselves are none. Long lists are read in steps.
 */
export async function tintBases(colors: readonly Color[]): Promise<ReadonlyMap<StyleId, Color>> {
  const bases = new Map<StyleId, Color>()
  if (colors.every(({ tintOf }) => tintOf === undefined)) return bases
  const known = new Map(colors.map(color => [color.id, color]))
  for (const color of colors) {
    const way = new Set<StyleId>()
    let base: Color | undefined = color
    while (base?.tintOf !== undefined && !bases.has(base.id) && !way.has(base.id)) {
      way.add(base.id)
      base = known.get(base.tintOf)
    }
    const end = base && (bases.get(base.id) ?? base)
    if (end && !way.has(end.id)) for (const id of way) bases.set(id, end)
    await yieldIfDue()
  }
  return bases
}
