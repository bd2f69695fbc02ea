import { withoutUndefined } from '../../base/object.ts'
import type { ImageMetadata } from '../../brand/file.ts'

/**
 * The size of an SVG as a picture in a browser, in CSS pixels with two decimals: `width` and `height` if they are
 * lengths. A missing one is computed from the other and the aspect ratio of `viewBox`, or taken from `viewBox` (CSS
 * Images 3 §5). Otherwise it is omitted; the browser defaults of 300 and 150 do not describe the picture.
 */
export function svgSize(attributes: Readonly<Record<string, string>>): Pick<ImageMetadata, 'width' | 'height'> {
  const box = viewBox(attributes.viewBox)
  const givenWidth = pixels(attributes.width)
  const givenHeight = pixels(attributes.height)
  const width = givenWidth ?? (box && (givenHeight === undefined ? box.width : (givenHeight * box.width) / box.height))
  const height = givenHeight ?? (box && (givenWidth === undefined ? box.height : (givenWidth * box.height) / box.width))
  return withoutUndefined({ width: round(width), height: round(height) })
}

const NUMBER = '[+-]?(?:[0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)(?:e[+-]?[0-9]+)?'
const LENGTH = new RegExp(`^\\s*(${NUMBER})([a-z]*)\\s*$`, 'i')
const VIEW_BOX = new RegExp(`^\\s*${Array(4).fill(`(${NUMBER})`).join('[\\s,]+')}\\s*$`, 'i')

/**
 * CSS Values 4 §6, in pixels. A picture has no font, so em and rem are the initial 16 px, and ex and ch half of that.
 * Percentages and viewport units have no size here.
 */
const UNITS: ReadonlyMap<string, number> = new Map([
  ['', 1],
  ['px', 1],
  ['in', 96],
  ['cm', 96 / 2.54],
  ['mm', 96 / 25.4],
  ['q', 96 / 101.6],
  ['pt', 96 / 72],
  ['pc', 16],
  ['em', 16],
  ['rem', 16],
  ['ex', 8],
  ['ch', 8],
])

function pixels(attribute: string | undefined): number | undefined {
  const match = matchOf(LENGTH, attribute)
  const unit = UNITS.get(match?.[2]?.toLowerCase() ?? '')
  const value = Number(match?.[1]) * (unit ?? Number.NaN)
  return value > 0 ? value : undefined
}

function matchOf(pattern: RegExp, attribute = ''): RegExpExecArray | null {
  return attribute.length > 200 ? null : pattern.exec(attribute)
}

function viewBox(attribute: string | undefined): { width: number; height: number } | undefined {
  const match = matchOf(VIEW_BOX, attribute)
  const width = Number(match?.[3])
  const height = Number(match?.[4])
  return width > 0 && height > 0 ? { width, height } : undefined
}

function round(length: number | undefined): number | undefined {
  const value = Math.round((length ?? 0) * 100) / 100
  return value > 0 && value < 2 ** 31 ? value : undefined
}
