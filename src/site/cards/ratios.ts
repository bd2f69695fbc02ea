type Sides = { width: number; height: number }

/** In percent: the widths of pictures for their height that have a class, in ascending order. */
export const RATIOS = [33, 50, 66, 75, 85]

/** The class of a portrait, which is never higher than a window; none for a small one, or a strip that would be too narrow. */
export function portraitClasses({ width, height }: Sides): string[] {
  const ratio = RATIOS.findLast(each => each * height <= 100 * width)
  return height > width && height >= MIN_HEIGHT && ratio !== undefined ? [`ratio-${ratio}`] : []
}

/** In pixels. */
const MIN_HEIGHT = 400
