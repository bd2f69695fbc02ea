import { create as contentDisposition } from 'content-disposition'
import { type BrandFile, filename, pictureMetadata } from '#brand/file.ts'
import { MAX_SVG_BYTES } from '#brand/pictures/picture-facts.ts'
import { matchedTag } from '#platform/exchange/etag.ts'
import type { Reply, Request } from '#platform/exchange/message.ts'
import { content, NO_SNIFF, notModified } from '#platform/exchange/reply.ts'
import type { Publication } from '#serving/publications/publications.ts'
import { openKeptPictures, type PictureMaker } from './kept-pictures.ts'

/** The lengths of the longer side of a PNG, in pixels. */
export const PNG_SIZES = [512, 1024, 2048] as const

type ConvertedFormat = 'png' | 'jpg'

/** The name of a converted file: `logo-512.png`. */
function convertedName({ path }: BrandFile, size: number, format: ConvertedFormat): string {
  return `${filename(path).replace(/\.(?:svg|png|webp)$/i, '')}-${size}.${format}`
}

/** Whether a file is an SVG that is not too large to be drawn. */
export function hasPng({ contentType, path, size }: BrandFile): boolean {
  return contentType === 'image/svg+xml' && !/\.svgz$/i.test(path) && size <= MAX_SVG_BYTES
}

/** The lengths of the longer side of the JPEGs of a picture: those of PNGs for an SVG, else its own; empty if it has none. */
export function jpgSizes(file: BrandFile): readonly number[] {
  if (hasPng(file)) return PNG_SIZES
  const { width = 0, height = 0 } = pictureMetadata(file)
  const isSmall = file.size <= MAX_BITMAP_BYTES && width * height <= MAX_PIXELS
  const hasJpg = isSmall && width * height > 0 && /^image\/(?:png|webp)$/.test(file.contentType)
  return hasJpg ? [Math.min(Math.max(width, height), MAX_JPG)] : []
}

/** The limits of a picture that can be converted, and the longer side of a JPEG in pixels. */
const MAX_BITMAP_BYTES = 32 << 20
const MAX_PIXELS = 40 << 20
const MAX_JPG = 4096

/** The reply with a published SVG as PNG, or a picture as JPEG; undefined if there is none of this size on this colour. */
export type Pngs = (
  publication: Publication,
  file: BrandFile,
  request: Request,
  format: ConvertedFormat,
) => Promise<Reply | undefined>

/** The colours of a guide that a PNG may have behind it. */
type PreviewColors = (guide: { publication: Publication }) => Promise<readonly { hex: string }[]>

/**
 * Serves SVGs as PNGs, and pictures as JPEGs, for `?width=512&ground=14212b`, each made once while it is cached. An address
 * always has the same content. Only a few sizes and colours exist, so that clients cannot fill the cache.
 */
export function openPngs({ colors, ...maker }: PictureMaker & { colors: PreviewColors }): Pngs {
  const madeOnce = openKeptPictures('pngs', maker)
  return async (publication, file, { query, headers }, format) => {
    const { record, published } = publication
    const params = new URLSearchParams(query)
    const sizes = format === 'jpg' ? jpgSizes(file) : hasPng(file) ? PNG_SIZES : []
    const size = sizes.find(each => `${each}` === params.get('width'))
    const hex = params.get('ground') || undefined
    const ground = hex === undefined ? undefined : `#${hex}`
    const isGroundOffered = ground === undefined || (await colors({ publication })).some(color => color.hex === ground)
    if (size === undefined || !isGroundOffered) return undefined
    const etag = `"${file.hash}-${format}${FORM}-${size}${hex === undefined ? '' : `-${hex}`}"`
    const cacheControl = published.visibility === 'public' ? 'public, max-age=3600, immutable' : 'private, no-cache'
    const caching = ['Cache-Control', cacheControl, 'ETag', etag]
    if (matchedTag(headers['if-none-match'], etag)) return notModified([...caching, ...NO_SNIFF])
    const form = { ...(ground !== undefined && { ground }), ...(format === 'jpg' && { format: 'jpeg' as const }) }
    const picture = await madeOnce(record.workspace, file, size, form)
    const handling = ['Content-Disposition', contentDisposition(convertedName(file, size, format))]
    return (
      picture?.bytes && content(format === 'jpg' ? 'image/jpeg' : 'image/png', picture.bytes, { caching, handling })
    )
  }
}

/** Increase this if the same file would give different bytes. */
const FORM = 1
