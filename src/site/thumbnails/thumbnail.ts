import { type BrandFile, isHeavyPicture, isPicture, pictureMetadata } from '#brand/file.ts'
import type { Addresses } from '#serving/addresses.ts'
import type { Publication } from '#serving/publications/publications.ts'
import { attribute, type Html, html } from '../html.ts'

/** The parts of a guide that the addresses of pictures depend on. */
type PictureSource = {
  site: { paths: Addresses; copy: object | undefined }
  publication: Pick<Publication, 'record'>
}

/** The widths of thumbnails in pixels: for cards, and for pages up to the full width of a large screen. */
const WIDTHS = [320, 640, 960, 1280, 1920, 2560] as const

/** The width of a thumbnail, in pixels. */
export type ThumbnailWidth = (typeof WIDTHS)[number]

/** Parses the width in an address; undefined if no thumbnails have this width. */
export function parseThumbnailWidth(text: string): ThumbnailWidth | undefined {
  return WIDTHS.find(width => `${width}` === text)
}

/**
 * The attributes `src` and `srcset` of a picture on a card of about this width in CSS pixels: its thumbnails for two screen
 * densities, or the file itself if it is small or a vector drawing.
 * `<img ${pictureSource(guide, file)} width="…" height="…" alt="…" loading="lazy">`.
 */
export function pictureSource(guide: PictureSource, file: BrandFile, width: 320 | 640 = 320): Html {
  const { src, srcset } = pictureAddresses(guide, file, 320)
  const wide = width === 320 ? undefined : pictureAddresses(guide, file, width)
  const sources = wide?.srcset ? `${wide.src} 1x, ${wide.srcset}` : srcset
  return html`src="${src}"${attribute('srcset', sources)}`
}

/**
 * The thumbnails of a picture as `srcset` for any width on the screen, up to its own; undefined if it has none. A copy
 * has only the picture itself.
 */
export function widthsOf({ site: { paths, copy }, publication }: PictureSource, file: BrandFile): string | undefined {
  const { width: fileWidth = 0 } = pictureMetadata(file)
  if (copy || fileWidth <= WIDTHS[1] || !hasThumbnail(file)) return undefined
  // The last one is the first that is at least as wide as the picture; it is only as wide as that.
  const widths = WIDTHS.filter((_, at) => (WIDTHS[at - 1] ?? 0) < fileWidth)
  const addressOf = (width: ThumbnailWidth) => paths.thumbnail(publication.record, file, width)
  return widths.map(width => `${addressOf(width)} ${Math.min(width, fileWidth)}w`).join(', ')
}

/**
 * The address of a picture as pages show it: the file itself, or its thumbnail if it is heavy or moves. Only links point to
 * heavy files, so that readers get them only if they ask for them.
 */
export function shownAddress(record: Parameters<Addresses['file']>[0], file: BrandFile, addresses: Addresses): string {
  return isHeavyPicture(file) || hasStill(file) ? addresses.thumbnail(record, file, 1280) : addresses.file(record, file)
}

/** Whether pages can show a picture: not one that is heavy and cannot be made smaller. */
export function isShowable(file: BrandFile): boolean {
  return !isHeavyPicture(file) || hasThumbnail(file)
}

/** The values of the attributes `src`, for most screens, and `srcset`, for those with twice the density. */
export function pictureAddresses(
  { site: { paths }, publication }: PictureSource,
  file: BrandFile,
  width: 320 | 640,
): { src: string; srcset?: string } {
  const { record } = publication
  if (!hasThumbnail(file)) return { src: paths.file(record, file) }
  const twice = paths.thumbnail(record, file, width === 320 ? 640 : 1280)
  return { src: paths.thumbnail(record, file, width), srcset: `${twice} 2x` }
}

/** Whether a picture moves in browsers, and has a thumbnail, which is still. */
export function hasStill(file: BrandFile): boolean {
  return file.isAnimated === true && hasThumbnail(file)
}

/** The type of the thumbnails of a file: those of a moving GIF or AVIF are its first frame in its own format. */
export function thumbnailType({ contentType }: BrandFile): string {
  return CUT.has(contentType) ? contentType : 'image/webp'
}

/**
 * Whether a file has thumbnails: a moving or large picture that can be decoded within our limits, or the first page of a
 * PDF.
 */
export function hasThumbnail(file: BrandFile): boolean {
  if (file.contentType === PDF) return file.size <= MAX_BYTES
  if (!isPicture(file) || file.size > MAX_BYTES) return false
  if (file.isAnimated && !isHeavyPicture(file)) return true
  if (!DECODED.has(file.contentType)) return false
  const { width = 0, height = 0 } = pictureMetadata(file)
  const isLarge = width > WIDTHS[1] || file.size > SMALL_BYTES || isHeavyPicture(file)
  return width > 0 && height > 0 && width * height <= MAX_PIXELS && isLarge
}

export const PDF = 'application/pdf'
const DECODED: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/webp'])
/** Formats whose first frame is cut out of the file and not decoded. */
export const CUT: ReadonlySet<string> = new Set(['image/gif', 'image/avif'])
/** The limits of a picture that can be decoded, and the size up to which a narrow one is shown itself. */
const MAX_BYTES = 32 << 20
const MAX_PIXELS = 64 << 20
const SMALL_BYTES = 50_000
