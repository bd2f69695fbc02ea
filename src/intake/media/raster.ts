import type { Problem } from '#brand/finding.ts'
import { readRaster as read } from '#formats/picture/raster.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { failed, ok, type Result } from '#platform/base/result.ts'
import { pictureDescription } from './embedded-text.ts'
import { type MediaDetails, NO_SIZE } from './media-task.ts'

/** Reads the size of a bitmap as browsers show it, and its description, from the first bytes of its file. */
export async function readRaster(bytes: Buffer, contentType: string): Promise<Result<MediaDetails, string>> {
  const raster = await read(bytes, contentType)
  if (!raster) return failed(NO_SIZE)
  const { width, height, texts, hasLocation, isAnimated } = raster
  const flaws = hasLocation ? [LOCATION] : undefined
  const description = pictureDescription(...texts)
  return ok(withoutUndefined({ metadata: { width, height }, description, flaws, isAnimated: isAnimated || undefined }))
}

const LOCATION: Problem = {
  rule: 'picture-location',
  line: null,
  message:
    'says where it was taken (GPS in EXIF or XMP), and readers can download it: remove the place, for example with exiftool "-gps*=", or keep it if everyone may know it',
}
