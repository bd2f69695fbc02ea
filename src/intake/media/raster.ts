import { isUtf8 } from 'node:buffer'
import exifr from 'exifr'
import { disableTypes, imageSize } from 'image-size'
import { field, withoutUndefined } from '../../base/object.ts'
import { failed, ok, type Result } from '../../base/result.ts'
import { embeddedDescription } from './embedded-text.ts'
import { heifSize } from './heif-size.ts'
import { type MediaDetails, NO_SIZE } from './media-task.ts'
import { xmpDescription } from './xmp.ts'

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
  const metadata = isRotated ? { width: size.height, height: size.width } : size
  return ok(withoutUndefined({ metadata, description }))
}

/** The types whose EXIF orientation browsers apply. They ignore it in WebP; AVIF and HEIC have `irot`. */
const ROTATED_BY_EXIF: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/tiff'])

/**
 * Reads the EXIF orientation of a picture (1 to 8; 1 by default), and its first description in XMP, IPTC, EXIF or PNG
 * text.
 */
async function readRasterMetadata(
  bytes: Buffer,
  contentType: string,
): Promise<{ orientation: number; description?: string }> {
  const png = contentType === 'image/png' || contentType === 'image/apng' ? readPngMetadata(bytes) : {}
  const tiff = contentType === 'image/jpeg' || contentType === 'image/tiff' ? bytes : png.exif
  // It throws for damaged metadata, although the picture may be intact.
  const tags: unknown = tiff && (await exifr.parse(tiff, EXIFR_OPTIONS).catch(() => undefined))
  const orientation = field(field(tags, 'ifd0'), 'Orientation')
  const latin1 = field(field(tags, 'iptc'), 'Caption')
  const caption = typeof latin1 === 'string' ? decode(Buffer.from(latin1, 'latin1')) : undefined
  const title = field(field(tags, 'ifd0'), 'ImageDescription')
  const description = embeddedDescription(xmpDescription(bytes), caption, title, png.text)
  const isValid = typeof orientation === 'number' && orientation >= 1 && orientation <= 8
  return withoutUndefined({ orientation: isValid ? orientation : 1, description })
}

const EXIFR_OPTIONS = {
  ifd0: { pick: ['ImageDescription', 'Orientation'] },
  ifd1: false,
  exif: false,
  gps: false,
  interop: false,
  iptc: true,
  mergeOutput: false,
  translateValues: false,
  reviveValues: false,
}

/**
 * Finds the EXIF block and the description among the chunks of a PNG (PNG §5.3: length, name, content, checksum).
 * `exifr` would find the EXIF block too, but first unpacks every colour profile, even a huge one.
 */
function readPngMetadata(bytes: Buffer): { exif?: Buffer; text?: string } {
  const metadata: { exif?: Buffer; text?: string } = {}
  for (let at = 8; at + 12 <= bytes.length; ) {
    const content = bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at))
    const name = bytes.toString('latin1', at + 4, at + 8)
    if (name === 'eXIf') metadata.exif = content
    if (name === 'tEXt' && content.toString('latin1', 0, 12) === 'Description\0') {
      metadata.text = decode(content.subarray(12))
    }
    if (name === 'iTXt' && content.toString('latin1', 0, 13) === 'Description\0\0') {
      // The compression method, a language and a translated keyword follow. A zero ends each of the last two.
      metadata.text = content.toString('utf8', content.indexOf(0, content.indexOf(0, 14) + 1) + 1)
    }
    at += 12 + content.length
  }
  return metadata
}

/** IPTC and PNG specify Latin-1, but many programs write UTF-8. */
function decode(bytes: Buffer): string {
  return bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1')
}
