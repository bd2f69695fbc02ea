import type { Box } from '#brand/pdf/document.ts'
import type { PdfPage, Shape } from '#brand/pdf/page.ts'
import { boxAround, isInside, type Line } from './lines.ts'
import { areaOf, type Swatch } from './swatches.ts'

/** A picture or a drawing that stands alone; `labels` are the texts inside it. */
export type Figure = Box & { labels: string; jpeg: Uint8Array | undefined; scale: number }

/** Finds the pictures and drawings of a page, and the lines outside them. */
export function figuresOf(
  { width, height, shapes }: PdfPage,
  lines: readonly Line[],
  swatches: readonly Swatch[],
): { figures: Figure[]; rest: Line[] } {
  const isGround = (shape: Shape) => {
    const holds = lines.filter(line => isInside(line, shape)).length
    return shape.kind === 'path' && shape.isPlain && (areaOf(shape) > 0.5 * width * height || holds > 2)
  }
  const isRule = ({ kind, left, top, right, bottom }: Shape) =>
    kind === 'path' && Math.min(right - left, bottom - top) < 2 && Math.max(right - left, bottom - top) > 20
  const isSwatch = (shape: Shape) => shape.isPlain && swatches.some(swatch => distance(swatch, shape) < 40)
  const drawn = shapes.filter(shape => !isGround(shape) && !isRule(shape) && !isSwatch(shape))
  const clusters = clustersOf(
    drawn.map(shape => within(shape, width, height)),
    width / 80,
  )
  const figures = clusters.flatMap(cluster => figureOf(cluster, lines, width * height) ?? [])
  const rest = lines.filter(line => !figures.some(figure => isInside(line, figure)))
  return { figures, rest }
}

function within(shape: Shape, width: number, height: number): Shape {
  const [left, top] = [Math.max(0, shape.left), Math.max(0, shape.top)]
  return { ...shape, left, top, right: Math.min(width, shape.right), bottom: Math.min(height, shape.bottom) }
}

function distance(one: Box, other: Box): number {
  const across = Math.max(0, one.left - other.right, other.left - one.right)
  const along = Math.max(0, one.top - other.bottom, other.top - one.bottom)
  return Math.max(across, along)
}

/** Shapes that touch or nearly do; pictures only join what lies on them. */
function clustersOf(shapes: readonly Shape[], gap: number): Shape[][] {
  let clusters: { box: Box; shapes: Shape[] }[] = shapes.map(shape => ({ box: shape, shapes: [shape] }))
  for (let count = 0; count !== clusters.length; ) {
    count = clusters.length
    const next: typeof clusters = []
    for (const cluster of clusters) {
      const reach = isPicture(cluster) ? 0 : gap
      const near = next.find(each => distance(each.box, cluster.box) <= (isPicture(each) ? 0 : reach))
      if (near)
        Object.assign(near, { box: boxAround([near.box, cluster.box]), shapes: near.shapes.concat(cluster.shapes) })
      else next.push({ ...cluster })
    }
    clusters = next
  }
  return clusters.map(each => each.shapes)
}

function isPicture({ shapes: [first] }: { shapes: readonly Shape[] }): boolean {
  return first?.kind === 'picture'
}

function figureOf(cluster: readonly Shape[], lines: readonly Line[], page: number): Figure | undefined {
  const box = boxAround(cluster)
  const [width, height] = [box.right - box.left, box.bottom - box.top]
  const [first] = cluster
  const isBare = cluster.length === 1 && first?.kind === 'path' && first.isPlain
  if (isBare || Math.min(width, height) < 14 || width * height < 500) return undefined
  const inside = lines.filter(line => isInside(line, box))
  // A ground with text is no figure.
  const length = inside.reduce((sum, { text }) => sum + text.length, 0)
  const covered = inside.reduce((sum, line) => sum + areaOf(line), 0)
  // So is the outline of a text.
  if (length > MAX_LABELS || (length > 0 && areaOf(box) > 0.4 * page) || covered > 0.5 * areaOf(box)) return undefined
  const pixels = Math.max(0, ...cluster.map(each => each.pixels / Math.max(1, each.right - each.left)))
  const scale = Math.min(Math.max(2, pixels), MAX_SIDE / Math.max(width, height))
  const jpeg = cluster.length === 1 ? first?.jpeg : undefined
  return { ...box, labels: inside.map(({ text }) => text).join(' · '), jpeg, scale }
}

const MAX_LABELS = 300
/** In pixels. */
const MAX_SIDE = 4096
