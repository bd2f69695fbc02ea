/** The beginning of a PNG (§5.3 and §11.2.1 of its specification), with the size of the picture. */
export function pngHeader(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(45)
  bytes.write('\x89PNG\r\n\x1a\n', 'latin1')
  bytes.writeUInt32BE(13, 8)
  bytes.write('IHDR', 12, 'latin1')
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  bytes.set([8, 6], 24)
  bytes.write('IEND', 37, 'latin1')
  return bytes
}
