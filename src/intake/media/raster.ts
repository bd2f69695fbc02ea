import { disableTypes, imageSize } from 'image-size'
import { failed, ok, type Result } from '../../base/result.ts'
import { type OpenFile, readStart } from '../folder/open-file.ts'
import { heifSize } from './heif-size.ts'
import type { MediaDetails } from './media-task.ts'
import { rasterNotes } from './raster-notes.ts'

/**
 * Reads the size of a picture as browsers show it, whole pixels, and the description embedded in it. The first
 * 512 KiB nearly always suffice; if the size stands further on, up to 64 MiB are read.
 */
export async function readRaster(file: OpenFile, contentType: string): Promise<Result<MediaDetails, string>> {
  for (const maxBytes of [512 * 1024, 64 * 1024 * 1024]) {
    const bytes = readStart(file, maxBytes)
    const size = sizeOf(bytes, contentType)
    if (size) return describe(bytes, size, contentType)
    if (file.size <= maxBytes) break
  }
  return failed('its width and height are not to be found; export it again')
}

type Size = { width: number; height: number }

// SVG is read elsewhere, and knows no signature that a picture of another type could not have.
disableTypes(['svg'])

function sizeOf(bytes: Buffer, contentType: string): Size | undefined {
  try {
    const { width, height } = HEIF.test(contentType) ? heifSize(bytes) : imageSize(bytes)
    return isLength(width) && isLength(height) ? { width, height } : undefined
  } catch {
    return undefined // It throws at bytes that are not a picture, or not enough of one.
  }
}

const HEIF = /^image\/(avif|hei[cf])/

/** PNG has the largest there are: 2^31 - 1 (§7.1). */
function isLength(value: number): boolean {
  return Number.isInteger(value) && value > 0 && value < 2 ** 31
}

async function describe(bytes: Buffer, size: Size, contentType: string): Promise<Result<MediaDetails, string>> {
  const { orientation, description } = await rasterNotes(bytes, contentType)
  const isTurned = TURNED.has(contentType) && orientation >= 5
  return ok({
    metadata: isTurned ? { width: size.height, height: size.width } : size,
    ...(description === undefined ? {} : { description }),
  })
}

/** The types that EXIF turns as they are shown. Browsers ignore it in WebP; AVIF and HEIC have `irot` for it. */
const TURNED: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/tiff'])
