import { anyOf, wordsIn } from '#platform/base/text.ts'
import type { Color } from '../color.ts'
import type { StyleId } from '../ids.ts'
import { slug } from '../ids.ts'

/** A group of colours; `id` is unique in the project. The group of ungrouped colours has no name and an empty id. */
export type ColorGroup = { id: string; name?: string; colors: readonly Color[] }

/**
 * Groups colours by their written group, or else by name: `Brand / Ink` belongs to `Brand`, and neighbours that differ
 * only in a number or a word for the shade (`Blue 50`, `Blue 60`; `Grey`, `Light grey`) form a group. Groups, and the
 * ungrouped colours, come in the order of their first colours. A short list is grouped only if its groups are written
 * or contain at least half of it. A tint or shade without its own group comes at the end of its base colour's group.
 */
export function groupColors(colors: readonly Color[]): ColorGroup[] {
  const bases = tintBases(colors)
  if (bases.size === 0) return groupsOf(colors)
  const isUngroupedTint = ({ id, group }: Color) => group === undefined && bases.has(id)
  const groups = groupsOf(colors.filter(color => !isUngroupedTint(color)))
  const tintsByBase = Map.groupBy(colors.filter(isUngroupedTint), ({ id }) => bases.get(id)?.id)
  return groups.map(group => {
    const tints = group.colors.flatMap(({ id }) => tintsByBase.get(id) ?? [])
    return tints.length === 0 ? group : { ...group, colors: [...group.colors, ...tints] }
  })
}

function groupsOf(colors: readonly Color[]): ColorGroup[] {
  const runs = runsOf(colors)
  const groupedCount = runs.filter(isGroup).reduce((sum, run) => sum + run.colors.length, 0)
  const isWorthGrouping = runs.some(run => run.isWritten) || groupedCount * 2 >= colors.length
  if (colors.length <= MAX_SHORT_LIST && !isWorthGrouping) return [{ id: '', colors }]
  const groups = new Map<string, { id: string; name?: string; colors: Color[] }>()
  for (const run of runs) {
    // A name without a letter or digit has no slug.
    const id = isGroup(run) ? run.slug || '-' : ''
    const group = groups.get(id)
    if (group) group.colors.push(...run.colors)
    else groups.set(id, { id, ...(isGroup(run) && { name: run.stem }), colors: [...run.colors] })
  }
  return [...groups.values()]
}

const MAX_SHORT_LIST = 20

/** Neighbouring colours with the same stem or slug. They are a group if it is written, or if there are several. */
type Run = { stem: string; slug: string; isWritten: boolean; colors: Color[] }

function runsOf(colors: readonly Color[]): Run[] {
  const runs: Run[] = []
  for (const color of colors) {
    const { stem, isWritten } = color.group === undefined ? stemOf(color.name) : { stem: color.group, isWritten: true }
    const lastRun = runs.at(-1)
    // Names without a letter or digit have no slug, so they are compared as written.
    const id = lastRun?.stem === stem ? lastRun.slug : slug(stem)
    const isSame = lastRun && (lastRun.stem === stem || (id !== '' && id === lastRun.slug))
    if (isSame && lastRun.isWritten === isWritten) lastRun.colors.push(color)
    else runs.push({ stem, slug: id, isWritten, colors: [color] })
  }
  return runs
}

function isGroup({ isWritten, colors }: Run): boolean {
  return isWritten || colors.length > 1
}

/** The common part of names in a group: the part before the last `/`, or the name without its number or shade word. */
function stemOf(name: string): { stem: string; isWritten: boolean } {
  const path = name
    .split('/')
    .map(part => part.trim())
    .filter(part => part !== '')
  if (path.length > 1) return { stem: path.slice(0, -1).join(' / '), isWritten: true }
  const words = name.split(/[\s_-]+/).filter(word => word !== '')
  if (words.length < 2) return { stem: name, isWritten: false }
  const [firstWord = '', lastWord = ''] = [words[0], words.at(-1)]
  const stem = SHADE.test(lastWord) ? words.slice(0, -1) : SHADE.test(firstWord) ? words.slice(1) : [name]
  return { stem: stem.join(' '), isWritten: false }
}

/** `50`, `A100`, `80%`, or a word for lightness or saturation. */
const SHADE = (() => {
  const compared = anyOf(wordsIn('light, dark, pale, deep, bright, soft, strong'))
  const others = anyOf(wordsIn('mid, medium, base, tint, shade, muted, vivid'))
  return new RegExp(`^(?:[a-z]?\\d+%?|(?:extra|very|ultra)?${compared}(?:er|est)?|${others})$`, 'i')
})()

/** The base colour of each tint or shade, by the tint's id, also through other tints. Cyclic tints have no base. */
export function tintBases(colors: readonly Color[]): ReadonlyMap<StyleId, Color> {
  const bases = new Map<StyleId, Color>()
  if (colors.every(({ tintOf }) => tintOf === undefined)) return bases
  const byId = new Map(colors.map(color => [color.id, color]))
  for (const color of colors) {
    /** The tints from this colour to its base: `sky 20`, `sky 60` of `sky`. */
    const tints = new Set<StyleId>()
    let next: Color | undefined = color
    while (next?.tintOf !== undefined && !bases.has(next.id) && !tints.has(next.id)) {
      tints.add(next.id)
      next = byId.get(next.tintOf)
    }
    // The walk ended at a base, at a tint whose base is known, in a cycle, or at an id that does not exist.
    const base = next && (bases.get(next.id) ?? next)
    if (base && !tints.has(base.id)) for (const id of tints) bases.set(id, base)
  }
  return bases
}
