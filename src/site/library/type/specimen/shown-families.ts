import { type FontFace, type WeightRange, weightsOf } from '#delivery/export/fonts/font-faces.ts'
import { type CharacterRange, hasCharacters } from '#formats/font/characters.ts'
import type { FontFacts } from '#formats/font/font-facts.ts'
import type { Guide } from '../../../guide/guide.ts'
import { type FontRequest, fontRequestOf, type GuideFonts, knownFacts } from '../faces/guide-fonts.ts'

/** A family of fonts as pages of type show it. */
export type ShownFamily = {
  name: string
  /** The number in its class: that of its first font on the page. */
  number: number
  cuts: readonly Cut[]
  /** The facts of its regular font, or of the part that has the letters of its name. */
  facts: FontFacts | undefined
  /** The characters of its regular font, in all its parts. */
  ranges: readonly CharacterRange[]
}

/** A font in all its formats and parts. */
export type Cut = {
  faces: readonly FontFace[]
  first: FontFace
  wanted: FontRequest
  weights: WeightRange
  /** Whether that request selects it within its family; otherwise it needs a separate name. */
  isMatched: boolean
}

/** The families of these fonts, and how long to cache content made from them; undefined if all fonts could be read. */
export async function shownFamilies(
  guide: Guide,
  faces: readonly FontFace[],
  { matching }: GuideFonts,
): Promise<{ families: ShownFamily[]; keptMs: number | undefined }> {
  const byName = Map.groupBy(faces, ({ family }) => family)
  const regulars = new Map(Array.from(byName.keys(), name => [name, matching(name, fontRequestOf({}))]))
  const { facts, keptMs } = await knownFacts(guide, [...[...regulars.values()].flat(), ...faces], MAX_WAIT_MS)
  const families = Array.from(byName, ([name, familyFaces]) => {
    const regular = regulars.get(name) ?? []
    const regularFacts = regular.flatMap(face => facts.get(face) ?? [])
    // The first part of a font may be for another script than its name.
    const main = regularFacts.find(({ characters }) => hasCharacters(characters.ranges, name)) ?? regularFacts[0]
    // A family may have a variable font next to its regular one.
    const allFacts = [...regularFacts, ...familyFaces.flatMap(face => facts.get(face) ?? [])]
    const axes = allFacts.find(each => each.axes.length > 0)?.axes ?? []
    return {
      name,
      number: familyFaces[0]?.number ?? 0,
      cuts: cutsOf(familyFaces, facts, matching),
      facts: main && { ...main, axes },
      ranges: mergeRanges(regularFacts.flatMap(({ characters }) => characters.ranges)),
    }
  })
  return { families, keptMs }
}

/** Facts are the content of the type page, so it waits for them even if the machine is very busy. */
const MAX_WAIT_MS = 20_000

/** Groups files that are formats or parts of one font: they have the same weights, style and subfamily name. */
function cutsOf(
  faces: readonly FontFace[],
  facts: ReadonlyMap<FontFace, FontFacts>,
  matching: GuideFonts['matching'],
): Cut[] {
  const groups = Map.groupBy(faces, face => {
    const { weight, metadata } = face
    return `${weightsOf(face, facts.get(face)).join()} ${weight} ${metadata.style} ${metadata.subFamily}`
  })
  return Array.from(groups.values()).flatMap(faces => {
    const [first] = faces
    if (!first) return []
    const { weight, metadata } = first
    const wanted: FontRequest = { weight, style: (metadata.style ?? 'normal') === 'normal' ? 'normal' : 'italic' }
    const weights = weightsOf(first, facts.get(first))
    return [{ faces, first, wanted, weights, isMatched: matching(first.family, wanted).includes(first) }]
  })
}

/** Ranges in ascending order, in which overlapping and adjacent ones are joined: `a–f`, `d–k`, `l` are `a–l`. */
function mergeRanges(ranges: readonly CharacterRange[]): CharacterRange[] {
  const merged: [first: number, last: number][] = []
  for (const [first, last] of [...ranges].sort(([a], [b]) => a - b)) {
    const before = merged.at(-1)
    if (before && first <= before[1] + 1) before[1] = Math.max(before[1], last)
    else merged.push([first, last])
  }
  return merged
}

/** The class of text in exactly one font. */
export function faceClass({ number }: FontFace): string {
  return `face-${number}`
}

/** The class of text in a family, which selects its font by weight and style. */
export function familyClass(number: number): string {
  return `family-${number}`
}

export function weightClass(weight: number): string {
  return `weight-${weight}`
}

/** The class of text at a place on an axis; a tag has four letters or digits. */
export function axisClass(tag: string, value: number): string {
  return `axis-${tag}-${String(value).replace('.', '_')}`
}

/** The class of text with a feature on or off; a tag has four letters or digits. */
export function featureClass(tag: string, isOn: boolean): string {
  return `${isOn ? 'on' : 'off'}-${tag}`
}
