import { storedSize } from '#formats/picture/raster.ts'
import { type Pixels, sample } from '#formats/picture/shrink.ts'
import { groupsOf, wordSet } from '#platform/base/text.ts'
import { smallPixels } from './measure.ts'

/**
 * The ink of a picture, without the ground that it is on, in a form without its place, size and proportions. Lint compares
 * the silhouettes of pictures with those of the brand's logos.
 */
export type Silhouette = {
  /** The spread of the ink, its standard deviation, as a share of the width of the picture. */
  across: number
  /** The spread across divided by the spread down, and the share by which whole pixels may have changed it. */
  ratio: number
  rounding: number
  /** The width of the picture divided by its height. Browsers keep the proportions of most SVGs. */
  aspect: number
  keepsAspect: boolean
  /** Whether its colours are known: an SVG may have those of a page that it is part of, and a small JPEG has rough ones. */
  isColored: boolean
  /** The colour and the share of ink in `CELLS` × `CELLS` cells around its middle, four bytes each as in `Pixels`. */
  cells: Uint8Array
}

/**
 * Measures the ink of a PNG, JPEG, WebP, GIF or SVG; none if it has no ground, as a photograph, or is plain, such as a
 * disc. Throws if the picture is damaged, of another format, or too large.
 */
export async function measureSilhouette(bytes: Uint8Array): Promise<Silhouette | 'none'> {
  const beginning = new TextDecoder().decode(bytes.subarray(0, 100))
  const svg = /^\s*</.test(beginning) ? new TextDecoder().decode(bytes) : undefined
  const type = svg === undefined ? rasterType(bytes) : 'image/svg+xml'
  const spread = withoutGround(await pixelsOf(bytes, type))
  const { ink, across, down, fill } = spread
  // Without ink, they are not numbers.
  const hasShape = Math.min(across, down) > MIN_SPREAD && fill < MAX_FILL
  if (!hasShape) return 'none'
  const { width, height } = ink
  const pixelAspect = width / height
  const aspect = aspectOf(svg, pixelAspect)
  return {
    across: across / width,
    ratio: ((across / down) * aspect) / pixelAspect,
    // Programs draw a logo with whole pixels: half of one is a part of its shorter side.
    rounding: svg === undefined ? 0.5 / (BAR_LENGTH * Math.min(across, down)) : 0,
    aspect,
    keepsAspect: svg !== undefined && !/preserveAspectRatio\s*=\s*["']\s*none/.test(svg),
    isColored: !svg?.includes('currentColor') && (type !== 'image/jpeg' || width >= MIN_JPEG),
    cells: cellsOf(spread),
  }
}

/** The height of the pixels is rounded: the aspect of the viewBox is better if it is nearly the same. */
function aspectOf(svg: string | undefined, pixelAspect: number): number {
  const [, boxWidth, boxHeight] = groupsOf(VIEW_BOX, svg ?? '')
  const writtenAspect = Number(boxWidth) / Number(boxHeight)
  return Math.abs(writtenAspect / pixelAspect - 1) < MAX_ASPECT_ERROR ? writtenAspect : pixelAspect
}

function cellsOf({ ink, x, y, across, down }: ReturnType<typeof spreadOf>): Uint8Array {
  const area = {
    left: x - SPREADS * across,
    right: x + SPREADS * across,
    top: y - SPREADS * down,
    bottom: y + SPREADS * down,
  }
  return new Uint8Array(sample(ink, area, CELLS, CELLS).data)
}

/** The width and the height in `viewBox="0 0 160 40"`. */
const VIEW_BOX = /\sviewBox\s*=\s*["'](?:\s*[^\s,"']+[\s,]){2}\s*([\d.]+)[\s,]+([\d.]+)/
const MAX_ASPECT_ERROR = 0.02
/** In pixels. */
const MIN_SPREAD = 2
/** The width in pixels from which the colours of a JPEG are not rough. */
const MIN_JPEG = 150

const MEASURED = wordSet('png jpg webp gif')

function rasterType(bytes: Uint8Array): string {
  const { width, height, format } = storedSize(bytes)
  if (!MEASURED.has(format) || width * height > MAX_PIXELS) throw new Error('is not measured')
  return format === 'jpg' ? 'image/jpeg' : `image/${format}`
}

/** Decoded, they take 96 MiB. */
const MAX_PIXELS = 24 << 20

/** The pixels of a picture: more for a wide one, because of its proportions. */
async function pixelsOf(bytes: Uint8Array, type: string): Promise<Pixels> {
  const pixels = await smallPixels(bytes, type, SIZE)
  const shorter = Math.min(pixels.width, pixels.height)
  if (Math.max(pixels.width, pixels.height) < SIZE || shorter >= SIZE / 2) return pixels
  return smallPixels(bytes, type, Math.min(4 * SIZE, Math.round(SIZE ** 2 / 2 / shorter)))
}

/** In pixels. */
const SIZE = 256
const CELLS = 48
/** The ink of most drawings is within 2.6 spreads of its middle. A bar is 3.5 spreads long. */
const SPREADS = 2.6
const BAR_LENGTH = 3.5

/** The picture without its most frequent colours, such as paper and a tile, as long as it is plain: a photograph remains so. */
function withoutGround(pixels: Pixels) {
  let spread = spreadOf(pixels)
  for (let grounds = 0; grounds < MAX_GROUNDS && spread.fill >= MAX_FILL; grounds++)
    spread = spreadOf(without(spread.ink, mainColor(spread.ink)))
  return spread
}

const MAX_GROUNDS = 3

/** The `fill` of a picture that is plain, or not only ink: a triangle has 0.87, a rectangle 1, and a disc 1.05. */
const MAX_FILL = 0.8

/** Makes a ground transparent. Pixels along edges are partly ink, in comparison with the pixels around them. */
function without({ data, width, height }: Pixels, ground: number): Pixels {
  const channels = [ground >> 16, (ground >> 8) & 255, ground & 255]
  const differences = new Uint8Array(width * height).map((_, at) => {
    const byChannel = channels.map((under, channel) => Math.abs((data[4 * at + channel] ?? 0) - under))
    return (Math.max(...byChannel) * (data[4 * at + 3] ?? 0)) / 255
  })
  // The largest difference of a pixel and those next to it, above and below.
  const around = largestOf(largestOf(differences, 1), width)
  const result = new Uint8ClampedArray(data.length)
  for (let at = 0; at < differences.length; at++) {
    const largest = around[at] ?? 0
    // The share of ink in a pixel: its colour is computed as it is without the ground.
    const share = largest < MIN_DIFFERENCE ? 0 : (differences[at] ?? 0) / largest
    if (share === 0) continue
    for (const [channel, under] of channels.entries())
      result[4 * at + channel] = under + ((data[4 * at + channel] ?? 0) - under) / share
    result[4 * at + 3] = 255 * share
  }
  return { data: result, width, height }
}

/** More than the noise that JPEG adds around edges. */
const MIN_DIFFERENCE = 32

/** The largest of each value and its neighbours at a distance. */
function largestOf(values: Uint8Array, step: number): Uint8Array {
  return values.map((value, at) => Math.max(value, values[at - step] ?? 0, values[at + step] ?? 0))
}

/**
 * The most frequent colour of opaque pixels, as a number. Colours with the same higher halves of their bytes count as
 * one.
 */
function mainColor({ data }: Pixels): number {
  const counts = new Map<number, number>()
  let mostFrequent = 0
  let highestCount = 0
  for (let at = 0; at < data.length; at += 4) {
    const color = ((data[at] ?? 0) << 16) | ((data[at + 1] ?? 0) << 8) | (data[at + 2] ?? 0)
    const rough = color & 0xf0f0f0
    const count = (counts.get(rough) ?? 0) + ((data[at + 3] ?? 0) < MIN_OPACITY ? 0 : 1)
    counts.set(rough, count)
    if (count <= highestCount) continue
    mostFrequent = color
    highestCount = count
  }
  return mostFrequent
}

const MIN_OPACITY = 240

/**
 * The middle of the ink, its standard deviations in pixels, and the part that it fills of a rectangle with the same
 * deviations: these are a side divided by √12.
 */
function spreadOf(ink: Pixels) {
  const { data, width, height } = ink
  let [all, sumX, sumY, squaresX, squaresY] = [0, 0, 0, 0, 0]
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const share = (data[4 * (y * width + x) + 3] ?? 0) / 255
      all += share
      sumX += share * x
      sumY += share * y
      squaresX += share * x * x
      squaresY += share * y * y
    }
  const [x, y] = [sumX / all, sumY / all]
  const [across, down] = [Math.sqrt(squaresX / all - x * x), Math.sqrt(squaresY / all - y * y)]
  return { ink, x: x + 0.5, y: y + 0.5, across, down, fill: all / (12 * across * down) }
}
