type Sides = { width: number; height: number }

/** In percent: the widths of pictures for their height that have a class, in ascending order. */
export const RATIOS = [33, 50, 66, 80]

/**
 * The class of a portrait, which is never higher than a window: `ratio-66` for 700 × 1000. None for a small one, or a
 * strip that would be too narrow.
 */
export function portraitClasses({ width, height }: Sides): string[] {
  const ratio = RATIOS.findLast(each => each * height <= 100 * width)
  return height > width && height >= MIN_HEIGHT && ratio !== undefined ? [`ratio-${ratio}`] : []
}

/** In pixels. */
const MIN_HEIGHT = 400

/** As `RATIOS`, for films, which are wide more often. */
export const FILM_RATIOS = [33, 50, 56, 66, 80, 100, 125, 133, 150, 177]

/** The class of a film, which sets the width at which it is not too high for a screen. */
export function filmClass({ width, height }: Sides): string {
  return `ratio-${Math.max(33, ...FILM_RATIOS.filter(each => each * height <= 100 * width))}`
}

/** The class of up to three pictures that share a height, at which they fill a row; none if one would be enlarged. */
export function rowClasses(pictures: readonly Sides[]): string[] {
  const sum = pictures.reduce((total, { width, height }) => total + (10 * width) / height, 0)
  const isLarge = pictures.every(({ height }) => height * sum >= 10 * ROW_WIDTH)
  const step = SUMS.find(each => each >= sum)
  return isLarge && pictures.length <= 3 && step !== undefined ? [`row-${step}`] : []
}

/** The sums of widths for a height that have a class, in ascending order, in tenths: two squares have 20, two 3:2 ones 30. */
export const SUMS = [15, 16, 18, 19, 21, 23, 25, 27, 29, 31, 34, 37, 40, 43, 47, 51]
/** In pixels. */
const ROW_WIDTH = 1100
