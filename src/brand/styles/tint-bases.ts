import type { Color } from '../color.ts'
import type { StyleId } from '../ids.ts'

/**
 * The base colour of each tint or shade, keyed by the tint's id. A tint of a tint has the base of both. Cyclic tints
 * have no base.
 */
export function tintBases(colors: readonly Color[]): ReadonlyMap<StyleId, Color> {
  const bases = new Map<StyleId, Color>()
  if (colors.every(({ tintOf }) => tintOf === undefined)) return bases
  const byId = new Map(colors.map(color => [color.id, color]))
  for (const color of colors) {
    const path = new Set<StyleId>()
    let base: Color | undefined = color
    while (base?.tintOf !== undefined && !bases.has(base.id) && !path.has(base.id)) {
      path.add(base.id)
      base = byId.get(base.tintOf)
    }
    const end = base && (bases.get(base.id) ?? base)
    if (end && !path.has(end.id)) for (const id of path) bases.set(id, end)
  }
  return bases
}
