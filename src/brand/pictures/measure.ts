import { aroundGif, decode, drawSvg } from '#formats/picture/decode.ts'
import { meanColor, type Pixels, shrink } from '#formats/picture/shrink.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { inkOf } from './ink.ts'
import { edgeOf, outlineOf, outlinePixels, paintsOf, simplified } from './outline.ts'
import type { PictureFacts, PictureLook } from './picture-facts.ts'

/** Measures a picture; undefined if nothing of it is visible. Throws if it is damaged. */
export async function measurePicture(bytes: Uint8Array, contentType: string): Promise<PictureFacts | undefined> {
  const file = Buffer.from(bytes)
  if (contentType === 'image/avif') return { look: file.includes(AVIF_ALPHA) ? 'transparent' : 'photograph' }
  const pixels = await smallPixels(bytes, contentType, WIDTH)
  const mean = [...meanColor(pixels)]
  if (mean[3] === 0) return undefined
  const outline = outlinePixels(pixels)
  const edge = edgeOf(pixels)
  const ink = isDrawnWhole(file, contentType) ? inkOf(await finePixels(bytes, contentType, pixels), edge) : undefined
  return {
    look: lookOf(file, contentType, pixels),
    pixels: withoutUndefined({ ...outlineOf(outline), mean, paints: paintsOf(pixels, outline), edge, ink }),
  }
}

/** AVIF 1.1 §4.1: the type of a second image that has the opacity. */
const AVIF_ALPHA = 'auxiliary:alpha'

/** More pixels of a wide picture, whose letters are low. */
function finePixels(bytes: Uint8Array, contentType: string, pixels: Pixels): Pixels | Promise<Pixels> {
  const factor = Math.min(4, MIN_ROWS / pixels.height)
  return factor <= 1 || pixels.width < WIDTH ? pixels : smallPixels(bytes, contentType, Math.ceil(factor * WIDTH))
}

const MIN_ROWS = 48

/** Whether our renderer draws a picture where browsers do: text is as wide as its font, and other documents are missing. */
function isDrawnWhole(file: Buffer, contentType: string): boolean {
  return contentType !== 'image/svg+xml' || !PLACED_BY_BROWSERS.test(file.toString())
}

const PLACED_BY_BROWSERS = /<(?:text|foreignObject|image)[\s>]/

/** The pixels of a picture, scaled down to a width. Throws if it is damaged. */
export async function smallPixels(bytes: Uint8Array, contentType: string, width: number): Promise<Pixels> {
  const isSvg = contentType === 'image/svg+xml'
  if (!isSvg && contentType !== 'image/gif') return shrink(await decode(bytes, contentType), width)
  const { svg, size } = isSvg ? { svg: new TextDecoder().decode(bytes), size: width } : aroundGif(bytes, width)
  return decode(await drawSvg(simplified(svg), size), 'image/png')
}

/** In pixels: enough for the letters of a wordmark. */
const WIDTH = 160

/** RFC 9649 §2.6: a lossless WebP is as rarely a photograph as a PNG. */
function lookOf(bytes: Buffer, contentType: string, { data }: Pixels): PictureLook {
  if (contentType === 'image/jpeg') return 'photograph'
  if (/svg|gif/.test(contentType) || data.some((value, at) => at % 4 === 3 && value < MIN_OPACITY)) return 'transparent'
  return contentType === 'image/webp' && bytes.toString('latin1', 12, 16) !== 'VP8L' ? 'photograph' : 'opaque'
}

/** A palette may have colours that are hardly transparent. */
const MIN_OPACITY = 128
