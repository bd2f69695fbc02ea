import { hash } from 'node:crypto'
import { fileStem } from '#brand/file.ts'
import type { Slope } from '#brand/fonts/font-cuts.ts'
import type { TypeStyle } from '#brand/type-style.ts'
import type { FontFace, WeightRange } from '#delivery/export/fonts/font-faces.ts'
import type { FontFacts } from '#formats/font/font-facts.ts'
import { type Script, scriptsOf } from '#formats/font/scripts.ts'
import type { Subset } from '#formats/font/subset-font.ts'
import { encodeSegment } from '#serving/addresses.ts'
import { type Guide, pathBelow } from '../../../guide/guide.ts'

/** A part of a font for one script, which browsers load first. */
export type FontSubset = {
  face: FontFace
  isItalic: boolean
  script: Script
  subset: Subset
  /** Its path below the guide, and its address; both change with its bytes. */
  below: string
  address: string
}

/** The text that a font of the frame is for: its weights and slope, and the axes and OpenType features of its styles. */
export type FaceUse = { weights: WeightRange; slope: Slope; axes: TypeStyle['axes']; features: readonly string[] }

/** The subsets of a font, one for each of its scripts; none if its rights forbid them. */
export function fontSubsets(
  guide: Guide,
  face: FontFace,
  facts: FontFacts | undefined,
  { weights, slope, axes, features }: FaceUse,
): FontSubset[] {
  const { contentType, path, hash: fileHash } = face.file
  if (!facts || facts.embedding?.maySubset === false || contentType === 'font/collection') return []
  const isUpright = (face.metadata.style ?? 'normal') === 'normal'
  // Tags of files and of CSS have four characters; shorter ones end with spaces (OpenType).
  const styleValue = (tag: string) => ({ ...slope.axes, ...axes })[tag.padEnd(4)]
  const limits = facts.axes.flatMap(axis => {
    const { tag, min, max } = axis
    const values = keptValues(axis, styleValue(tag), weights, isUpright)
    if (!values) return []
    const [first, last] = values
    return [[tag, [clamp(min, first, max), clamp(min, last, max)] as const] as const]
  })
  return scriptsOf(facts.characters).map(script => {
    const subset = { characters: script.ranges, axes: Object.fromEntries(limits), features: [...features, 'tnum'] }
    const key = hash('sha256', JSON.stringify([FORM, fileHash, subset])).slice(0, 16)
    const name = `${fileStem(path)}-${script.name}.woff2`
    const address = pathBelow(guide, `fonts/${key}/${encodeSegment(name)}`)
    return { face, isItalic: slope.axes !== undefined, script, subset, below: `-/fonts/${key}/${name}`, address }
  })
}

/** The first and last value of an axis that a subset keeps, not yet within its limits; undefined to keep all values. */
function keptValues(
  { tag, default: usual }: FontFacts['axes'][number],
  styleValue: number | undefined,
  weights: WeightRange,
  isUpright: boolean,
): readonly [number, number] | undefined {
  if (styleValue !== undefined) return [styleValue, styleValue]
  if (tag === 'wght') return weights
  if (tag === 'wdth') return [100, 100]
  // Browsers set the optical size from the size of text, and the slant from its style.
  if (tag === 'opsz') return undefined
  if (!SLANTS.has(tag)) return [usual, usual]
  return isUpright ? [0, 0] : undefined
}

/** The bytes of a subset; undefined if it cannot be made. */
export async function makeSubset(
  { site: { fontSubset }, publication }: Guide,
  { face, subset }: FontSubset,
): Promise<Uint8Array | undefined> {
  try {
    return await fontSubset(publication.record.workspace, face.file, subset)
  } catch {
    return undefined // The processes failed or are overloaded; the next request tries again.
  }
}

/** Increase this if the same subset would give different bytes. */
const FORM = 1
const SLANTS: ReadonlySet<string> = new Set(['ital', 'slnt'])

/** The value nearest to `value` from `min` to `max`. */
export function clamp(min: number, value: number, max: number): number {
  return Math.min(max, Math.max(min, value))
}
