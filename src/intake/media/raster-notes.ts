import { isUtf8 } from 'node:buffer'
import exifr from 'exifr'
import { field } from '../../base/object.ts'
import { embeddedDescription } from './embedded-text.ts'
import { xmpDescription } from './xmp.ts'

/**
 * What a picture says of itself beside its size: its EXIF orientation (1 to 8; 1 if it has none) and a description:
 * of XMP, IPTC, EXIF or a PNG's text, the first of them that there is.
 */
export async function rasterNotes(
  bytes: Buffer,
  contentType: string,
): Promise<{ orientation: number; description?: string }> {
  const png = contentType === 'image/png' || contentType === 'image/apng' ? pngNotes(bytes) : {}
  const tiff = contentType === 'image/jpeg' || contentType === 'image/tiff' ? bytes : png.exif
  // It throws at damaged metadata; the picture itself may be whole.
  const notes: unknown = tiff && (await exifr.parse(tiff, EXIFR_OPTIONS).catch(() => undefined))
  const orientation = field(field(notes, 'ifd0'), 'Orientation')
  const latin1 = field(field(notes, 'iptc'), 'Caption')
  const caption = typeof latin1 === 'string' ? decoded(Buffer.from(latin1, 'latin1')) : undefined
  const title = field(field(notes, 'ifd0'), 'ImageDescription')
  const description = embeddedDescription(xmpDescription(bytes), caption, title, png.text)
  return {
    orientation: typeof orientation === 'number' && orientation >= 1 && orientation <= 8 ? orientation : 1,
    ...(description === undefined ? {} : { description }),
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
 * The EXIF block and the description among a PNG's chunks (PNG §5.3: length, name, content, checksum). `exifr` would
 * find the first too, but unpacks every colour profile on the way, to whatever size.
 */
function pngNotes(bytes: Buffer): { exif?: Buffer; text?: string } {
  const notes: { exif?: Buffer; text?: string } = {}
  for (let at = 8; at + 12 <= bytes.length; ) {
    const content = bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at))
    const name = bytes.toString('latin1', at + 4, at + 8)
    if (name === 'eXIf') notes.exif = content
    if (name === 'tEXt' && content.toString('latin1', 0, 12) === 'Description\0') {
      notes.text = decoded(content.subarray(12))
    }
    if (name === 'iTXt' && content.toString('latin1', 0, 13) === 'Description\0\0') {
      // Then the compression method, a language and a translated keyword, the last two ended by 0.
      notes.text = content.toString('utf8', content.indexOf(0, content.indexOf(0, 14) + 1) + 1)
    }
    at += 12 + content.length
  }
  return notes
}

/** The specifications of IPTC and PNG say Latin-1, but many programs write UTF-8. */
function decoded(bytes: Buffer): string {
  return bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1')
}
