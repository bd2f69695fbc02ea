import { crc32 } from 'node:zlib'

/**
 * An EXIF block with an orientation (6), the place 52.5 N 13.4 E, and another number; `isRemoved`: as it is without its
 * place.
 */
export function locatedExif({ isBigEndian = true, isRemoved = false } = {}): Buffer {
  const block = Buffer.alloc(200)
  const put = (start: number, ...numbers: (readonly [value: number, length: 2 | 4])[]) => {
    let at = start
    for (const [value, length] of numbers) {
      if (isBigEndian) block.writeUIntBE(value, at, length)
      else block.writeUIntLE(value, at, length)
      at += length
    }
  }
  const short = (value: number) => [value, 2] as const
  const long = (value: number) => [value, 4] as const
  const value = (number: number) => [short(number), short(0)]
  block.write(isBigEndian ? 'MM' : 'II')
  put(2, short(42), long(8))
  const kept = [
    [short(0x112), short(3), long(1), ...value(6)],
    [short(0x9999), short(3), long(1), ...value(7)],
  ] as const
  const gps = [short(0x8825), short(4), long(1), long(50)]
  const [first = [], last = []] = kept
  const entries = isRemoved ? [first, last] : [first, gps, last]
  put(8, short(entries.length), ...entries.flat(), long(0))
  if (isRemoved) {
    put(50, short(2))
    return block
  }
  put(50, short(2), short(2), short(5), long(3), long(100), short(4), short(5), long(3), long(124), long(0))
  put(100, ...[52, 30, 0, 13, 24, 0].flatMap(number => [long(number), long(1)]))
  return block
}

/** Containers of pictures with metadata, of which no part has pixels. */
export const located = {
  jpeg: (exif: Buffer, xmp = '') => {
    const segments = [Buffer.concat([Buffer.from('Exif\0\0'), exif]), Buffer.from(xmp)].map(content =>
      Buffer.concat([Buffer.from([0xff, 0xe1, (content.length + 2) >> 8, (content.length + 2) & 0xff]), content]),
    )
    return Buffer.concat([Buffer.from([0xff, 0xd8]), ...segments, Buffer.from([0xff, 0xd9])])
  },
  webp: (exif: Buffer, xmp: string) => {
    const chunks = [['EXIF', exif] as const, ['XMP ', Buffer.from(xmp)] as const].map(([name, content]) => {
      const head = Buffer.from(`${name}\0\0\0\0`)
      head.writeUInt32LE(content.length, 4)
      return Buffer.concat([head, content])
    })
    return Buffer.concat([Buffer.from('RIFF\0\0\0\0WEBP'), ...chunks])
  },
  avif: (exif: Buffer, xmp: string) =>
    Buffer.concat([Buffer.from('\0\0\0\x18ftypavif\0\0\0\0avifmif1'), Buffer.alloc(4), exif, Buffer.from(xmp)]),
  png: (...chunks: Buffer[]) => {
    const [head, pixels, end] = [Buffer.alloc(13, 1), Buffer.alloc(5, 2), Buffer.alloc(0)]
    const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
    const parts = [pngChunk('IHDR', head), ...chunks, pngChunk('IDAT', pixels), pngChunk('IEND', end)]
    return Buffer.concat([signature, ...parts])
  },
}

/** A chunk of a PNG with its checksum. */
export function pngChunk(type: string, content: Buffer): Buffer {
  const chunk = Buffer.concat([Buffer.alloc(4), Buffer.from(type), content, Buffer.alloc(4)])
  chunk.writeUInt32BE(content.length)
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), content.length + 8)
  return chunk
}
