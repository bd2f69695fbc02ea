import { disableTypes, imageSize } from 'image-size'
import { failed, ok, type Result } from '../../base/result.ts'
import { heifSize } from './heif-size.ts'
import { type MediaDetails, NO_SIZE } from './media-task.ts'
import { readRasterMetadata } from './raster-metadata.ts'

/**
 * Reads the size of a picture as browsers show it, in whole pixels, and the description embedded in it, from the first
 * bytes of its file.
 */
export async function readRaster(bytes: Buffer, contentType: string): Promise<Result<MediaDetails, string>> {
  const size = sizeOf(bytes, contentType)
  return size ? describe(bytes, size, contentType) : failed(NO_SIZE)
}

type Size = { width: number; height: number }

// SVG is read elsewhere, and its signature may occur in any other picture.
disableTypes(['svg'])

function sizeOf(bytes: Buffer, contentType: string): Size | undefined {
  try {
    const { width, height } = HEIF.test(contentType) ? heifSize(bytes) : imageSize(bytes)
    return isLength(width) && isLength(height) ? { width, height } : undefined
  } catch {
    return undefined // It throws if the bytes are not a picture or are incomplete.
  }
}

const HEIF = /^image\/(avif|hei[cf])/

/** No format allows more than PNG: 2^31 - 1 (§7.1). */
function isLength(value: number): boolean {
  return Number.isInteger(value) && value > 0 && value < 2 ** 31
}

async function describe(bytes: Buffer, size: Size, contentType: string): Promise<Result<MediaDetails, string>> {
  const { orientation, description } = await readRasterMetadata(bytes, contentType)
  const isRotated = ROTATED_BY_EXIF.has(contentType) && orientation >= 5
  return ok({
    metadata: isRotated ? { width: size.height, height: size.width } : size,
    ...(description !== undefined && { description }),
  })
}

/** The types whose EXIF orientation browsers apply. They ignore it in WebP; AVIF and HEIC have `irot`. */
const ROTATED_BY_EXIF: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/tiff'])
