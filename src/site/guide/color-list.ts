import type { Color } from '#brand/color.ts'
import type { StyleId } from '#brand/ids.ts'
import { type ColorGroup, groupColors, tintBases } from '#brand/styles/color-groups.ts'
import { perObject } from '#platform/base/object.ts'
import type { Publication } from '#serving/publications/publications.ts'
import { type ColorPair, colorPair, darkPair } from '../cards/color-pairs.ts'
import type { Word } from '../html.ts'
import type { Words } from '../words/words.ts'
import { type Guide, pathBelow } from './guide.ts'

/** Colours in one row: a group, or the tints of a colour in a group. */
export type ColorRow = { group: ColorGroup; base?: Color }

/** The colours of a guide by group and row, and as one list; made once per snapshot. */
export type ColorList = {
  groups: readonly ColorGroup[]
  inRow: readonly { color: Color; row: ColorRow }[]
  /** The index of each colour in `inRow`. */
  places: ReadonlyMap<string, number>
}

/** The list of a guide's colours, made only once even for concurrent requests. */
export async function colorList({ publication }: Guide): Promise<ColorList> {
  return makeList(await publication.content.colors(), publication.content)
}

/** The estimated memory of a colour in its group, its row and the index. */
const PLACE_BYTES = 200

const makeList = perObject(async (colors: readonly Color[], { grow }: Publication['content']): Promise<ColorList> => {
  grow(colors.length * PLACE_BYTES)
  const groups = groupColors(colors)
  const rows = rowsOf(groups, tintBases(colors))
  const inRow = rows.flatMap(({ row, colors }) => colors.map(color => ({ color, row })))
  const places = new Map<string, number>(inRow.map(({ color }, at) => [color.id, at]))
  return { groups, inRow, places }
})

/** The colours on which the website shows pictures: the first ones of the guide, white and black. */
export async function previewColors({ publication }: Pick<Guide, 'publication'>) {
  const colors = (await publication.content.colors()).slice(0, MAX_PREVIEW_COLORS)
  const whiteAndBlack = ['#ffffff', '#000000'].map(hex => ({ hex, name: hex.toUpperCase() }))
  // A map keeps the last of several colours with the same value, so a white or black of the guide keeps its name.
  return [...new Map([...whiteAndBlack, ...colors].map(color => [color.hex, color])).values()]
}

const MAX_PREVIEW_COLORS = 16

export async function colorOf(guide: Guide, id: StyleId | undefined): Promise<Color | undefined> {
  return id && colorIn(await colorList(guide), id)
}

export function colorIn(list: ColorList, id: string | undefined): Color | undefined {
  return entryIn(list, id)?.color
}

/** A colour by its id, with its row. */
export function entryIn({ places, inRow }: ColorList, id = ''): ColorList['inRow'][number] | undefined {
  return inRow[places.get(id) ?? -1]
}

/** The rows of each group: first its colours, then the tints of each colour. */
function rowsOf(
  groups: readonly ColorGroup[],
  bases: ReadonlyMap<StyleId, Color>,
): { row: ColorRow; colors: readonly Color[] }[] {
  if (bases.size === 0) return groups.map(group => ({ row: { group }, colors: group.colors }))
  return groups.flatMap(group => {
    const byBase = Map.groupBy(group.colors, ({ id }) => bases.get(id))
    const withoutBase = byBase.get(undefined) ?? []
    const tintRows = [...byBase].flatMap(([base, colors]) => (base ? [{ row: { group, base }, colors }] : []))
    return withoutBase.length === 0 ? tintRows : [{ row: { group }, colors: withoutBase }, ...tintRows]
  })
}

/** The path of the page of a colour. */
export function colorPath(guide: Guide, id: StyleId): string {
  return pathBelow(guide, `contrast/${encodeURIComponent(id)}`)
}

/** The pairs of text and background that the project recommends, each also on dark pages if it differs there. */
export function recommendedPairs(list: ColorList): ColorPair[] {
  return list.inRow.flatMap(({ color }) =>
    (color.on ?? []).flatMap(id => {
      const ground = colorIn(list, id)
      const pair = ground && ground !== color ? colorPair(color, ground) : undefined
      return pair ? [pair, ...[darkPair(pair)].filter(dark => dark !== undefined)] : []
    }),
  )
}

/** The path of the stage of a group. That of colours without a group is `all`, or `_` if a group has that id. */
export function groupPath(guide: Guide, list: ColorList, group: ColorGroup): string {
  return pathBelow(guide, `colors/${encodeURIComponent(stageName(list, group))}`)
}

/** The group whose stage has this name in its address. */
export function groupNamed(list: ColorList, name: string): ColorGroup | undefined {
  return list.groups.find(group => stageName(list, group) === name)
}

/** The group of the colour with this id. */
export function groupWith({ groups }: ColorList, color: string): ColorGroup | undefined {
  return groups.find(({ colors }) => colors.some(({ id }) => id === color))
}

function stageName({ groups }: ColorList, { id }: ColorGroup): string {
  return id || (groups.some(group => group.id === 'all') ? '_' : 'all')
}

/** The name of a group; colours without one are all colours of the guide, or the others. */
export function groupName({ sections, colors }: Words, { groups }: ColorList, { name }: ColorGroup): Word {
  return name ?? (groups.length === 1 ? sections.colors : colors.others)
}

/** The share of the brand's surface for a colour, as its tile shows it. */
export function shareOf({ share }: Words, { proportion }: Color): Word | undefined {
  return proportion === undefined ? undefined : share(proportion)
}
