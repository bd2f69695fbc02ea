import type { BrandFile } from '../../brand/file.ts'

/** Whether a picture is probably a photograph, which a card may crop: a drawing or a logo is shown whole. */
export async function isPhotograph(
  { open }: { open: (file: BrandFile) => Promise<AsyncIterable<Uint8Array>> },
  file: BrandFile,
): Promise<boolean> {
  const { contentType, ground } = file
  if (ground !== undefined) return false
  if (contentType !== 'image/webp') return /^image\/(?:avif|jpeg)$/.test(contentType)
  try {
    for await (const bytes of await open(file)) return !mayBeDrawing(bytes)
  } catch {
    // A card without a crop is correct even if its picture is damaged.
  }
  return false
}

/** Whether a WebP is lossless or has transparent parts (RFC 9649 §2.6 and §2.7). */
function mayBeDrawing(bytes: Uint8Array): boolean {
  const type = String.fromCharCode(...bytes.subarray(12, 16))
  return type === 'VP8L' || (type === 'VP8X' && ((bytes[20] ?? 0) & ALPHA) !== 0)
}

const ALPHA = 0x10
