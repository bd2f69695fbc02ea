import type { Box } from '#formats/pdf/document.ts'
import type { PdfPage, Shape } from '#formats/pdf/page.ts'
import { across, areaOf, boxAround, clipped, distance, isInside, itemsIn, longSide, shortSide } from './boxes.ts'
import { MAX_DISTANCE } from './fill.ts'
import type { Line } from './lines.ts'

/** A picture, or a drawing that stands alone; `labels` are the texts inside it, `jpeg` the number of a stored picture. */
export type Figure = Box & { labels: string; jpeg: number | undefined; scale: number; isDrawing: boolean }

/** The drawings of a page, the lines outside them, and the number of drawings that are too small, or behind text, to be shown. */
type Figures = { figures: Figure[]; rest: Line[]; hidden: number }

/** Finds the pictures and drawings of a page; `body` is the size of most text. */
export function figuresOf(page: PdfPage, lines: readonly Line[], swatches: readonly Box[], body: number): Figures {
  const { width, height } = page
  const whole = { left: 0, top: 0, right: width, bottom: height }
  const shapes = page.shapes.map(shape => ({ ...shape, ...clipped(shape, whole) }))
  const grounds = shapes.filter(shape => isGround(shape, lines, width * height))
  const isRule = (shape: Shape) => shape.kind === 'path' && shortSide(shape) < 2 && longSide(shape) > 20
  const isSwatch = (shape: Shape) =>
    swatches.some(each => isInside(shape, each) || (shape.isPlain && distance(each, shape) < MAX_DISTANCE))
  const drawn = shapes.filter(shape => !grounds.includes(shape) && !isRule(shape) && !isSwatch(shape))
  const isOne = lines.length === 0 ? shapes.length > 0 : drawn.length > 0 && isCover(grounds, lines, areaOf(whole))
  if (isOne && swatches.length === 0) {
    return { figures: [figureOf({ ...whole, shapes }, [], lines, whole)], rest: [...lines], hidden: 0 }
  }
  const clusters = clustersOf(drawn, lines, width / 80).filter(cluster => !isBare(cluster, lines))
  const labels = lines.filter(({ text, size }) => size < 1.5 * body && LABEL.test(text))
  const drawings = clusters.map(cluster => {
    const own = labels.filter(line => distance(line, cluster) < line.size)
    return { ...cluster, ...boxAround([cluster, ...own]) }
  })
  const isLarge = (box: Box) => areaOf(box) > 500 && shortSide(box) > 9
  const shown = drawings.filter(each => isLarge(each) && !isBehindText(each, lines, areaOf(whole)))
  const rest = lines.filter(line => !shown.some(drawing => isInside(line, drawing)))
  const figures = shown.map(drawing => figureOf(drawing, lines, rest, whole))
  const pictures = grounds.filter(({ kind }) => kind === 'picture')
  const photographs = pictures.filter(({ jpeg }) => jpeg !== undefined)
  figures.push(...photographs.map(shape => figureOf({ ...boxAround([shape]), shapes: [shape] }, [], rest, whole)))
  const small = drawings.filter(each => !shown.includes(each) && shortSide(each) > 5)
  return { figures, rest, hidden: pictures.length - photographs.length + small.length }
}

/** A measure beside a drawing, such as `x` or `200%`. */
const LABEL = /^(?:.{1,2}|(?=.{0,7}\d).{1,8})$/

/** Whether a shape lies behind the page, or behind lines. */
function isGround(shape: Shape, lines: readonly Line[], page: number): boolean {
  const isBox = shape.kind === 'path' && shape.isPlain
  return isBehindText(shape, lines, page) || (isBox && (areaOf(shape) > 0.5 * page || holdsText(shape, lines)))
}

/** Whether a box has more than a label inside. */
function holdsText(box: Box, lines: readonly Line[]): boolean {
  const texts = itemsIn(lines, box).map(({ text }) => text)
  return texts.join('').length > (texts.length > 1 ? 16 : 30)
}

/** Whether a page has a dark ground and few words. */
function isCover(grounds: readonly Shape[], lines: readonly Line[], page: number): boolean {
  const [fill = ''] = grounds
    .filter(shape => areaOf(shape) > 0.9 * page)
    .map(shape => shape.fill)
    .reverse()
  const channels = [1, 3, 5].map(at => Number.parseInt(fill.slice(at, at + 2), 16))
  return Math.min(...channels) < DARK && lines.reduce((sum, { text }) => sum + text.length, 0) < 120
}

/** A dark colour has a channel below it. */
const DARK = 0xc0

type Cluster = Box & { shapes: readonly Shape[] }

/** Shapes that touch or are close to each other. */
function clustersOf(shapes: readonly Shape[], lines: readonly Line[], gap: number): Cluster[] {
  let clusters: Cluster[] = shapes.map(shape => ({ ...boxAround([shape]), shapes: [shape] }))
  for (let count = 0; count !== clusters.length; ) {
    count = clusters.length
    const next: Cluster[] = []
    for (const cluster of clusters) {
      const near = next.find(each => belongs(each, cluster, lines, gap))
      if (near) Object.assign(near, boxAround([near, cluster]), { shapes: near.shapes.concat(cluster.shapes) })
      else next.push({ ...cluster })
    }
    clusters = next
  }
  return clusters
}

/**
 * Whether two parts are one drawing: parts below each other may be further apart, pictures and boxes only join what
 * lies on them, and no text comes in between.
 */
function belongs(one: Cluster, other: Cluster, lines: readonly Line[], gap: number): boolean {
  const space = distance(one, other)
  const reach = across(one, other) === 0 ? Math.max(gap, 0.3 * Math.min(longSide(one), longSide(other))) : gap
  if (space > reach || (space > 1 && (isClosed(one) || isClosed(other)))) return false
  const linesIn = (box: Box) => itemsIn(lines, box).length
  return space === 0 || linesIn(boxAround([one, other])) === linesIn(one) + linesIn(other)
}

function isClosed(cluster: Cluster): boolean {
  const isFrame = (shape: Shape) => shape.isPlain && shortSide(shape) > 20 && areaOf(shape) > 0.8 * areaOf(cluster)
  return cluster.shapes.some(shape => shape.kind === 'picture' || isFrame(shape))
}

/** Whether shapes are only boxes: a single one, or the ground of a text, such as a table, a button or a running head. */
function isBare(cluster: Cluster, lines: readonly Line[]): boolean {
  const isOne = cluster.shapes.every(shape => areaOf(shape) > 0.8 * areaOf(cluster))
  const areBoxes = cluster.shapes.every(({ kind, isPlain }) => kind === 'path' && isPlain)
  return areBoxes && (isOne || itemsIn(lines, cluster).length > 0)
}

/** Whether a drawing is the ground or the outline of a text. */
function isBehindText(box: Box, lines: readonly Line[], page: number): boolean {
  const inside = itemsIn(lines, box)
  const length = inside.reduce((sum, { text }) => sum + text.length, 0)
  const covered = inside.reduce((sum, line) => sum + areaOf(line), 0)
  return length > MAX_LABELS || (length > 0 && areaOf(box) > 0.4 * page) || covered > 0.4 * areaOf(box)
}

const MAX_LABELS = 100

/** A figure in its box, with a margin if that touches no text. */
function figureOf(drawing: Cluster, lines: readonly Line[], rest: readonly Line[], page: Box): Figure {
  const { left, top, right, bottom, shapes } = drawing
  // A picture may have a ground or a frame.
  const [picture, ...others] = shapes.filter(shape => !shape.isPlain)
  const isPicture = picture?.kind === 'picture' && areaOf(picture) > 0.9 * areaOf(drawing) && others.length === 0
  const jpeg = isPicture ? picture.jpeg : undefined
  const wide = { left: left - 4, top: top - 4, right: right + 4, bottom: bottom + 4 }
  const isFree = !isPicture && !rest.some(line => distance(line, wide) === 0)
  const box = clipped(isFree ? wide : drawing, page)
  const scale = Math.max(2, ...shapes.map(shape => shape.pixels / Math.max(1, shape.right - shape.left)))
  const labels = itemsIn(lines, drawing).map(({ text }) => text)
  return { ...box, labels: labels.join(' · '), jpeg, scale, isDrawing: !isPicture }
}
