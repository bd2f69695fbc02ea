/**
 * The EXIF blocks of a picture (TIFF 6.0 §2), each to the end of the file. They are found by scanning the bytes for their
 * header. In front of it are `Exif` and zeros in JPEG and WebP, `eXIf` in PNG, and a number below 2^24 in WebP and HEIF.
 */
export function* exifBlocks(file: Buffer): Generator<Buffer> {
  for (const { index } of file.toString('latin1').matchAll(HEADER)) yield file.subarray(index)
}

const HEADER = /(?<![^\0f])(?:II\*\0|MM\0\*)/g

/** An entry of a directory, whose value, or the place of this, is 8 bytes behind `at`. */
export type ExifEntry = { at: number; tag: number; type: number; count: number }

/** The entries of the directory at a place of an EXIF block. */
export function exifEntries(block: Buffer, directory: number): ExifEntry[] {
  return Array.from({ length: exifNumber(block, directory, 2) }, (_, index) => {
    const at = directory + 2 + 12 * index
    return {
      at,
      tag: exifNumber(block, at, 2),
      type: exifNumber(block, at + 2, 2),
      count: exifNumber(block, at + 4, 4),
    }
  })
}

/** The place of the first directory of an EXIF block. */
export function firstDirectory(block: Buffer): number {
  return exifNumber(block, 4, 4)
}

/** A number in the byte order of an EXIF block; zero beyond its end, which a damaged block may name. */
export function exifNumber(block: Buffer, at: number, length: 2 | 4): number {
  if (at + length > block.length) return 0
  return isLittleEndian(block) ? block.readUIntLE(at, length) : block.readUIntBE(at, length)
}

/** Whether the lowest byte of a number is its first. */
export function isLittleEndian(block: Buffer): boolean {
  return block[0] === 0x49
}
