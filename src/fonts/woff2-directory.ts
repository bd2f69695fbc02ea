/**
 * Reads the table directory of a WOFF2 file: the offset of its end, and the unpacked size of all tables
 * (WOFF2 §4.1). An entry has a byte of flags, a tag if bits 0 to 5 are all set, and one or two lengths of 1 to 5 bytes.
 */
export function woff2Directory(bytes: Buffer): { end: number; unpackedSize: number } {
  let at = 48
  let unpackedSize = 0
  const readLength = () => {
    let length = 0
    let byte: number
    do {
      byte = bytes[at++] ?? 0
      length = length * 128 + (byte & 0x7f)
    } while (byte & 0x80)
    return length
  }
  for (let table = bytes.readUInt16BE(12); table > 0; table--) {
    const flags = bytes[at++] ?? 0
    const tagIndex = flags & 0x3f
    const tag = tagIndex === 0x3f ? bytes.toString('latin1', at, at + 4) : tagIndex
    if (tagIndex === 0x3f) at += 4
    unpackedSize += readLength()
    // glyf and loca are untransformed in version 3, all other tables in version 0.
    if (flags >> 6 !== (OUTLINES.has(tag) ? 3 : 0)) readLength()
  }
  return { end: at, unpackedSize }
}

/** The tags of the glyf and loca tables, and their known-tag indexes. */
const OUTLINES: ReadonlySet<string | number> = new Set(['glyf', 'loca', 10, 11])
