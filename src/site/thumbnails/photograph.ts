import { promisify } from 'node:util'
import { constants, inflate } from 'node:zlib'
import type { BrandFile } from '#brand/file.ts'
import { type FileSource, keptFacts, partOpener } from './stored-files.ts'

/** Whether a picture is probably a photograph, which a card may crop: a drawing or a logo is shown whole. */
export async function isPhotograph(guide: FileSource, file: BrandFile): Promise<boolean> {
  return file.ground === undefined && (await readLook(guide, file)) === 'photograph'
}

/** The appearance of a picture on a card: a photograph fills it, and only a transparent picture needs a ground. */
export type PictureLook = 'photograph' | 'opaque' | 'transparent'

/** The look of a picture, kept as long as the content. */
export const pictureLook = keptFacts(readLook)

/** Reads the look of a picture from the start of its file. */
export async function readLook(guide: FileSource, file: BrandFile): Promise<PictureLook> {
  const { contentType, size } = file
  if (contentType === 'image/jpeg') return 'photograph'
  if (!/^image\/(?:apng|avif|png|webp)$/.test(contentType))
    return /^image\//.test(contentType) ? 'transparent' : 'opaque'
  try {
    const head = Buffer.concat(
      await Array.fromAsync(await partOpener(guide, file)({ start: 0, end: Math.min(size, HEAD_BYTES) - 1 })),
    )
    if (contentType === 'image/avif') return head.includes(AVIF_ALPHA) ? 'transparent' : 'photograph'
    return contentType === 'image/webp' ? webpLook(head) : await pngLook(head)
  } catch {
    // A card without a crop is correct even if its picture is damaged.
    return 'transparent'
  }
}

const HEAD_BYTES = 1 << 16
/** AVIF 1.1 §4.1: the type of a second image that has the opacity. */
const AVIF_ALPHA = 'auxiliary:alpha'

/** RFC 9649 §2.6 and §2.7: a lossless picture is a drawing. */
function webpLook(head: Buffer): PictureLook {
  const type = head.toString('latin1', 12, 16)
  const hasAlpha = type === 'VP8X' ? head.readUInt8(20) & 0x10 : type === 'VP8L' && head.readUInt8(24) & 0x10
  if (hasAlpha) return 'transparent'
  return type === 'VP8L' ? 'opaque' : 'photograph'
}

/** PNG, third edition, §11.2.1 and §11.3.1.1. A picture with an alpha channel may still be opaque. */
async function pngLook(head: Buffer): Promise<PictureLook> {
  const [depth, colorType, interlace] = [head.readUInt8(24), head.readUInt8(25), head.readUInt8(28)]
  const data: Buffer[] = []
  for (let at = 8; at + 8 <= head.length; ) {
    const [length, name] = [head.readUInt32BE(at), head.toString('latin1', at + 4, at + 8)]
    // A palette may have colours that are hardly transparent.
    if (name === 'tRNS' && (colorType !== 3 || head.subarray(at + 8, at + 8 + length).some(alpha => alpha < 128)))
      return 'transparent'
    if (name === 'IDAT') data.push(head.subarray(at + 8, at + 8 + length))
    at += 12 + length
  }
  if (colorType !== 4 && colorType !== 6) return 'opaque'
  if (interlace !== 0 || data.length === 0) return 'transparent'
  const rows = await inflateStart(Buffer.concat(data), { finishFlush: constants.Z_SYNC_FLUSH })
  const pixel = (depth / 8) * (colorType === 4 ? 2 : 4)
  return isOpaque(rows.subarray(0, MAX_ROW_BYTES), head.readUInt32BE(16), pixel, depth / 8) ? 'opaque' : 'transparent'
}

const inflateStart = promisify(inflate)
/** The bytes of rows that are compared: a logo, a shadow or a round corner is transparent near its top. */
const MAX_ROW_BYTES = 1 << 20

/**
 * Whether all pixels in the rows of an unpacked PNG are opaque (§9.2); `pixel` and `sample` are in bytes. Up to the first
 * pixel that is not, the pixels that a filter refers to are opaque too.
 */
function isOpaque(rows: Buffer, width: number, pixel: number, sample: number): boolean {
  const rowBytes = 1 + width * pixel
  for (let start = 0; start + rowBytes <= rows.length; start += rowBytes) {
    const [filter = 0, up] = [rows[start], start > 0 ? 255 : 0]
    const [first = 0, next = 0] = [[0, 0, up, up >> 1, up][filter], [0, 255, up, (255 + up) >> 1, 255][filter]]
    for (let end = start + 1 + pixel; end <= start + rowBytes; end += pixel) {
      const predicted = end === start + 1 + pixel ? first : next
      for (let at = end - sample; at < end; at++) if (rows[at] !== 255 - predicted) return false
    }
  }
  return true
}
