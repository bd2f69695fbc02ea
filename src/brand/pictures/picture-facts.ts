import { wordSet } from '#platform/base/text.ts'
import { type BrandFile, isCalledLight, pictureMetadata } from '../file.ts'
import type { Ink } from './ink.ts'

/** The appearance of a picture on a card: a photograph fills it, and only a transparent picture needs a ground. */
export type PictureLook = 'photograph' | 'opaque' | 'transparent'

/** What `measurePicture` finds. Increase `FACTS_VERSION` if the same bytes would give others. */
export type PictureFacts = {
  look: PictureLook
  /** Absent if the picture cannot be decoded. */
  pixels?: {
    /** The percentages of near-white and near-black along its outline. */
    light: number
    dark: number
    /** Its mean colour: red, green, blue and opacity, 0 to 255 each. */
    mean: readonly number[]
    /** The main colours that meet its ground, as `#` and six hex digits; none if it has its own ground. */
    paints: readonly string[]
    /** The colour along all its edges, as in `paints`; absent if they are transparent or have several. */
    edge?: string
    /** Where its drawing is, for a logo in a header; absent if it is not known. */
    ink?: Ink
  }
}

export const FACTS_VERSION = 3

/** Whether a picture can be measured within our limits. */
export function isMeasurable(file: BrandFile): boolean {
  const { contentType, path, size } = file
  const { width = 0, height = 0 } = pictureMetadata(file)
  if (contentType === 'image/svg+xml') return !/\.svgz$/i.test(path) && size <= MAX_SVG_BYTES
  return MEASURED.has(contentType) && size <= MAX_BYTES && width * height <= MAX_PIXELS
}

const MEASURED = wordSet('image/png image/apng image/avif image/gif image/jpeg image/webp')
export const MAX_SVG_BYTES = 2 << 20
const MAX_BYTES = 32 << 20
const MAX_PIXELS = 64 << 20

/** Whether a picture is light artwork without a ground of its own. Its measured pixels decide; its name only helps. */
export function isLightArtwork({ look, pixels }: PictureFacts, path: string): boolean {
  if (look !== 'transparent' || pixels === undefined) return false
  const { light, dark } = pixels
  return light >= (isCalledLight(path) ? MIN_NAMED : MIN_SHARE) && light >= 4 * dark
}

/** In percent of the outline. */
export const MIN_SHARE = 40
const MIN_NAMED = 15
