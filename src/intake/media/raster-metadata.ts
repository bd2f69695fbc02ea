import { isUtf8 } from 'node:buffer'
import exifr from 'exifr'
import { field } from '../../base/object.ts'
import { embeddedDescription } from './embedded-text.ts'
import { xmpDescription } from './xmp.ts'

/**
 * Reads the EXIF orientation of a picture (1 to 8; 1 by default), and its first description in XMP, IPTC, EXIF or PNG
 * text.
 */
export async function readRasterMetadata(
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
  return {
    orientation: typeof orientation === 'number' && orientation >= 1 && orientation <= 8 ? orientation : 1,
    ...(description !== undefined && { description }),
  }
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
  const found: { exif?: Buffer; text?: string } = {}
  for (let at = 8; at + 12 <= bytes.length; ) {
    const content = bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at))
    const name = bytes.toString('latin1', at + 4, at + 8)
    if (name === 'eXIf') found.exif = content
    if (name === 'tEXt' && content.toString('latin1', 0, 12) === 'Description\0') {
      found.text = decode(content.subarray(12))
    }
    if (name === 'iTXt' && content.toString('latin1', 0, 13) === 'Description\0\0') {
      // The compression method, a language and a translated keyword follow. A zero ends each of the last two.
      found.text = content.toString('utf8', content.indexOf(0, content.indexOf(0, 14) + 1) + 1)
    }
    at += 12 + content.length
  }
  return found
}

/** IPTC and PNG specify Latin-1, but many programs write UTF-8. */
function decode(bytes: Buffer): string {
  return bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1')
}
