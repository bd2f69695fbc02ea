import { anyOf, wordsIn } from '#platform/base/text.ts'
import type { Color } from '../color.ts'
import type { StyleId } from '../ids.ts'
import { slug } from '../ids.ts'

/** A group of colours; `id` is unique in the project. The group of ungrouped colours has no name. */
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
  const isFollower = ({ id, group }: Color) => group === undefined && bases.has(id)
  const groups = groupsOf(colors.filter(color => !isFollower(color)))
  const followers = Map.groupBy(colors.filter(isFollower), ({ id }) => bases.get(id)?.id)
  return groups.map(group => {
    const more = group.colors.flatMap(({ id }) => followers.get(id) ?? [])
    return more.length === 0 ? group : { ...group, colors: [...group.colors, ...more] }
  })
}

function groupsOf(colors: readonly Color[]): ColorGroup[] {
  const runs = runsOf(colors)
  const inGroups = runs.filter(isGroup).reduce((sum, run) => sum + run.colors.length, 0)
  const isClear = runs.some(run => run.isWritten) || inGroups * 2 >= colors.length
  if (colors.length <= SHORT && !isClear) return [{ id: '', colors }]
  const groups = new Map<string, { id: string; name?: string; colors: Color[] }>()
  for (const run of runs) {
    const id = isGroup(run) ? run.slug || '-' : ''
    const group = groups.get(id)
    if (group) group.colors.push(...run.colors)
    else groups.set(id, { id, ...(isGroup(run) && { name: run.stem }), colors: [...run.colors] })
  }
  return [...groups.values()]
}

const SHORT = 20

/** Neighbouring colours with the same stem or slug. They are a group if it is written, or if there are several. */
type Run = { stem: string; slug: string; isWritten: boolean; colors: Color[] }

function runsOf(colors: readonly Color[]): Run[] {
  const runs: Run[] = []
  for (const color of colors) {
    const { stem, isWritten } = color.group === undefined ? stemOf(color.name) : { stem: color.group, isWritten: true }
    const last = runs.at(-1)
    // Names without a letter or digit have no slug, so they are compared as written.
    const id = last?.stem === stem ? last.slug : slug(stem)
    const isSame = last && (last.stem === stem || (id !== '' && id === last.slug))
    if (isSame && last.isWritten === isWritten) last.colors.push(color)
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
  const [first = '', last = ''] = [words[0], words.at(-1)]
  const stem = SHADE.test(last) ? words.slice(0, -1) : SHADE.test(first) ? words.slice(1) : [name]
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
