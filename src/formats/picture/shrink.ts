/** A picture as pixels, row by row: red, green, blue and opacity, a byte each. */
export type Pixels = { data: Uint8ClampedArray; width: number; height: number }

/**
 * Scales a picture down to a width, and to the height of the same shape unless another is given. Each pixel is the mean
 * of the pixels that it covers, weighted by covered area and opacity, so that transparent pixels add no colour.
 */
export function shrink(
  picture: Pixels,
  width: number,
  height = Math.max(1, Math.round((picture.height * width) / picture.width)),
): Pixels {
  const whole = { left: 0, right: picture.width, top: 0, bottom: picture.height }
  return picture.width <= width && picture.height <= height ? picture : sample(picture, whole, width, height)
}

/** An area of a picture on a grid of pixels, with the same means. Around the picture, all is transparent. */
export function sample(picture: Pixels, { left, right, top, bottom }: Area, width: number, height: number): Pixels {
  const data = new Uint8ClampedArray(width * height * 4)
  const [acrossStep, downStep] = [(right - left) / width, (bottom - top) / height]
  for (let row = 0; row < height; row++) {
    const [upper, lower] = [top + row * downStep, Math.min(bottom, top + (row + 1) * downStep)]
    for (let column = 0; column < width; column++) {
      const start = left + column * acrossStep
      const end = Math.min(right, left + (column + 1) * acrossStep)
      mean(picture, { left: start, right: end, top: upper, bottom: lower }, data, (row * width + column) * 4)
    }
  }
  return { data, width, height }
}

/** The mean colour of a picture: red, green, blue and opacity, a byte each. */
export function meanColor(picture: Pixels): Uint8ClampedArray {
  const color = new Uint8ClampedArray(4)
  mean(picture, { left: 0, right: picture.width, top: 0, bottom: picture.height }, color, 0)
  return color
}

type Area = { left: number; right: number; top: number; bottom: number }

/** Writes the mean colour of an area as four bytes at an offset; nothing if it is transparent. */
function mean({ data, width }: Pixels, { left, right, top, bottom }: Area, to: Uint8ClampedArray, at: number): void {
  // Sums, weighted by covered area and opacity, and the whole area.
  let [red, green, blue, opaque, area] = [0, 0, 0, 0, 0]
  for (let y = Math.floor(top); y < bottom; y++) {
    const tall = Math.min(y + 1, bottom) - Math.max(y, top)
    for (let x = Math.floor(left); x < right; x++) {
      const covered = tall * (Math.min(x + 1, right) - Math.max(x, left))
      const from = (y * width + x) * 4
      const weight = x < 0 || x >= width ? 0 : covered * (data[from + 3] ?? 0)
      red += weight * (data[from] ?? 0)
      green += weight * (data[from + 1] ?? 0)
      blue += weight * (data[from + 2] ?? 0)
      opaque += weight
      area += covered
    }
  }
  if (opaque === 0) return
  to[at] = red / opaque
  to[at + 1] = green / opaque
  to[at + 2] = blue / opaque
  to[at + 3] = opaque / area
}
