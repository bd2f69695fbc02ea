/** The header of a Photoshop file ("File Header Section" of its specification), with the size of the picture. */
export function photoshop(width: number, height: number): Buffer {
  const header = Buffer.alloc(40)
  header.write('8BPS', 'latin1')
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(3, 12)
  header.writeUInt32BE(height, 14)
  header.writeUInt32BE(width, 18)
  header.writeUInt16BE(8, 22)
  header.writeUInt16BE(3, 24)
  return header
}
