type Sides = { width: number; height: number }

/** In percent: the widths of pictures for their height that have a class, in ascending order. */
export const RATIOS = [33, 50, 66, 75, 100, 125, 150]

/** The class of a portrait, which is never higher than a window; none for a small one, or a strip that would be too narrow. */
export function portraitClasses({ width, height }: Sides): string[] {
  const ratio = RATIOS.findLast(each => each * height <= 100 * width)
  return height > width && height >= MIN_HEIGHT && ratio !== undefined ? [`ratio-${ratio}`] : []
}

/** In pixels. */
const MIN_HEIGHT = 400

/** The class of a row of pictures with different sides, which have one height: that of the widest one, if it is no strip. */
export function rowClasses(pictures: readonly Sides[]): string[] {
  const ratios = pictures.map(({ width, height }) => (100 * width) / height)
  const [least, most] = [Math.min(...ratios), Math.max(...ratios)]
  const ratio = RATIOS.find(each => each >= Math.min(most, MAX_SPREAD * least)) ?? RATIOS.at(-1)
  return most > MIN_SPREAD * least && ratio !== undefined ? [`ratio-${ratio}`] : []
}

const [MIN_SPREAD, MAX_SPREAD] = [1.03, 2.5]
