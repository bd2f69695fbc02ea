import type { Pixels } from '#formats/picture/shrink.ts'

/** The place of the drawing in a picture, so that pages can show it without the empty space around it. */
export type Ink = {
  /** The box around the drawing as shares of the width and height, from the edges of the picture to those of the box. */
  margins: { top: number; right: number; bottom: number; left: number }
  /** The height of its letters as a share of the height of the picture; absent if it seems to have none. */
  letters?: number
}

/**
 * Measures the drawing of a picture: all that is not transparent, or not the colour `edge` of an opaque one. Undefined if
 * there is none.
 */
export function inkOf({ data, width, height }: Pixels, edge: string | undefined): Ink | undefined {
  const ground = edge === undefined ? undefined : Number.parseInt(edge.slice(1), 16)
  const strengths = new Uint8Array(width * height).map((_, at) => {
    const [red = 0, green = 0, blue = 0, opacity = 0] = data.subarray(4 * at, 4 * at + 4)
    if (ground === undefined) return opacity
    const [groundRed, groundGreen, groundBlue] = [ground >> 16, (ground >> 8) & 255, ground & 255]
    const distance = Math.max(Math.abs(red - groundRed), Math.abs(green - groundGreen), Math.abs(blue - groundBlue))
    return (distance * opacity) / 255
  })
  const strongest = strengths.reduce((one, other) => Math.max(one, other), 0)
  const visible = shapesIn(strengths, width, MIN_VISIBLE)
  if (visible.length === 0) return undefined
  const reach = (key: keyof Shape, pick: (...values: number[]) => number) =>
    visible.map(shape => shape[key]).reduce((one, other) => pick(one, other))
  const margins = {
    top: rounded(reach('top', Math.min) / height),
    right: rounded(1 - reach('right', Math.max) / width),
    bottom: rounded(1 - reach('bottom', Math.max) / height),
    left: rounded(reach('left', Math.min) / width),
  }
  const letters = letterHeight(shapesIn(strengths, width, strongest / 2))
  return { margins, ...(letters !== undefined && { letters: rounded(letters / height) }) }
}

/** Less is the noise of compression and the blur of an edge, out of 255. */
const MIN_VISIBLE = 24

function rounded(share: number): number {
  return Math.round(share * 1000) / 1000
}

/** The edges of a connected shape in pixels; right and bottom are the first ones outside. */
type Shape = { top: number; right: number; bottom: number; left: number }

/** The connected shapes of pixels that are stronger than a limit. */
function shapesIn(strengths: Uint8Array, width: number, limit: number): Shape[] {
  const seen = new Uint8Array(strengths.length)
  const isNew = (at: number) => seen[at] === 0 && (strengths[at] ?? 0) > limit
  const shapes: Shape[] = []
  for (let start = 0; start < strengths.length; start++) {
    if (!isNew(start)) continue
    const shape: Shape = { top: strengths.length, right: 0, bottom: 0, left: width }
    const open = [start]
    seen[start] = 1
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      const [x, y] = [at % width, Math.floor(at / width)]
      shape.left = Math.min(shape.left, x)
      shape.right = Math.max(shape.right, x + 1)
      shape.top = Math.min(shape.top, y)
      shape.bottom = Math.max(shape.bottom, y + 1)
      const neighbours = [at - width, at + width, ...(x > 0 ? [at - 1] : []), ...(x < width - 1 ? [at + 1] : [])]
      for (const next of neighbours.filter(isNew)) {
        seen[next] = 1
        open.push(next)
      }
    }
    shapes.push(shape)
  }
  return shapes
}

/**
 * The height of the letters among shapes: of the largest group that are equally high and stand on one line, or of the
 * capitals on that line. Undefined if fewer than three do, as in a mark, or if there are too many shapes for a logo.
 */
function letterHeight(shapes: readonly Shape[]): number | undefined {
  if (shapes.length > MAX_SHAPES) return undefined
  const groups = shapes.map(({ top, bottom }) => {
    const height = bottom - top
    const onLine = shapes.filter(other => Math.abs(other.bottom - bottom) <= MAX_DIFFERENCE * height)
    const count = onLine.filter(other => Math.abs(other.top - top) <= MAX_DIFFERENCE * height).length
    const heights = onLine.map(other => bottom - other.top).filter(other => other <= CAPITALS * height)
    return { count, height: Math.max(...heights) }
  })
  const largest = groups.toSorted((one, other) => other.count - one.count)[0]
  return largest && largest.count >= MIN_LETTERS && largest.height >= MIN_HEIGHT ? largest.height : undefined
}

const MAX_SHAPES = 300
/** The part of its height by which a letter may be higher or lower than the others: round ones are. */
const MAX_DIFFERENCE = 0.15
/** Capitals are at most this many times as high as small letters. */
const CAPITALS = 1.6
const MIN_LETTERS = 3
/** In pixels: smaller shapes are dots. */
const MIN_HEIGHT = 3
