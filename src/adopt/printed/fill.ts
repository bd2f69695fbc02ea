import type { Box } from '#formats/pdf/document.ts'
import type { Shape } from '#formats/pdf/page.ts'
import { areaOf, distance, itemsIn, shortSide } from './boxes.ts'

type Place = {
  /** The box around the lines of a colour. */
  box: Box
  /** The lines with its values. */
  own: readonly Box[]
  /** The other lines of the page. */
  others: readonly Box[]
  shapes: readonly Shape[]
}

/** The fill of the swatch around or nearest to a colour: one without text if it can be. */
export function fillAt({ box, own, others, shapes }: Place): string | undefined {
  const holds = (shape: Shape, texts: readonly Box[]) => itemsIn(texts, shape).length > 0
  const isSwatch = (shape: Shape) =>
    shape.fill && shortSide(shape) > 10 && distance(shape, box) < MAX_DISTANCE && !holds(shape, others)
  const rank = (shape: Shape) => Number(holds(shape, own))
  const near = (one: Shape, other: Shape) =>
    distance(one, box) - distance(other, box) || rank(one) - rank(other) || areaOf(one) - areaOf(other)
  return shapes.filter(isSwatch).sort(near)[0]?.fill
}

/** The largest distance between a colour and its swatch, in points. */
export const MAX_DISTANCE = 40
