/**
 * Why a font is incomplete or unsafe to unpack; undefined if it is not. The parser trusts its sizes: it would unpack
 * any amount.
 */
export function fontProblem(bytes: Buffer): string | undefined {
  const signature = bytes.toString('latin1', 0, 4)
  if (bytes.length < 12) return CUT_SHORT
  if (SFNT_SIGNATURES.has(signature)) return sfntProblem(bytes, 0)
  if (signature === 'ttcf') return bytes.length < 16 ? CUT_SHORT : sfntProblem(bytes, bytes.readUInt32BE(12))
  if (signature === 'wOFF') return woffProblem(bytes)
  if (signature === 'wOF2') return woff2Problem(bytes)
  return 'its content is not a font; export it again'
}

const CUT_SHORT = 'it is cut short; copy or export it again'
const COLLECTION = 'it is a collection in WOFF2, which housestyle does not read; export its fonts one by one'
/** The problem with a font whose compressed tables cannot be unpacked. */
export const DAMAGED_CONTENT = 'its packed content is damaged; copy or export it again'
const TOO_LARGE = 'it unpacks to more than 128 MiB; export it with fewer characters'

/** The maximum size of a font file, bytes. Fonts with all Chinese characters have about 20 MiB. */
export const MAX_FONT_BYTES = 64 * 1024 * 1024
/** The maximum unpacked size of a font, bytes. */
const MAX_UNPACKED = 128 * 1024 * 1024

/** OpenType, Table Directory: from byte 12, each table has 16 bytes, with its offset at 8 and its length at 12. */
function sfntProblem(bytes: Buffer, start: number): string | undefined {
  if (start + 12 > bytes.length) return CUT_SHORT
  const end = start + 12 + 16 * bytes.readUInt16BE(start + 4)
  if (end > bytes.length) return CUT_SHORT
  for (let entry = start + 12; entry < end; entry += 16) {
    if (bytes.readUInt32BE(entry + 8) + bytes.readUInt32BE(entry + 12) > bytes.length) return CUT_SHORT
  }
  return undefined
}

/** WOFF 1.0 §3 and §4: the file length at 8; from byte 44, each table has 20 bytes, with its unpacked length at 12. */
function woffProblem(bytes: Buffer): string | undefined {
  if (bytes.length < 44) return CUT_SHORT
  const tables = bytes.readUInt16BE(12)
  const end = 44 + 20 * tables
  if (bytes.readUInt32BE(8) > bytes.length || end > bytes.length) return CUT_SHORT
  let unpacked = 0
  for (let entry = 44; entry < end; entry += 20) {
    if (bytes.readUInt32BE(entry + 4) + bytes.readUInt32BE(entry + 8) > bytes.length) return CUT_SHORT
    unpacked += bytes.readUInt32BE(entry + 12)
  }
  return unpacked > MAX_UNPACKED ? TOO_LARGE : undefined
}

/**
 * WOFF2 §4: the file length at 8, the length of the Brotli stream at 20. The stream follows the table directory. Only
 * the unpackers read it, in WebAssembly or JavaScript: an error in Node's own decoder would be one in native code.
 */
function woff2Problem(bytes: Buffer): string | undefined {
  if (bytes.length < 48 || bytes.readUInt32BE(8) > bytes.length) return CUT_SHORT
  if (bytes.toString('latin1', 4, 8) === 'ttcf') return COLLECTION
  const { end, unpackedSize } = woff2Directory(bytes)
  if (end + bytes.readUInt32BE(20) > bytes.length) return CUT_SHORT
  return unpackedSize > MAX_UNPACKED ? TOO_LARGE : undefined
}

/**
 * Reads the table directory of a WOFF2 file: the offset of its end, and the unpacked size of all tables
 * (WOFF2 §4.1). An entry has a byte of flags, a tag if bits 0 to 5 are all set, and one or two lengths of 1 to 5 bytes.
 */
export function woff2Directory(bytes: Buffer): { end: number; unpackedSize: number } {
  let at = 48
  let unpackedSize = 0
  // UIntBase128: seven bits a byte, and one that says whether another follows.
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

/** Whether the first 28 bytes are those of a font (ttf, otf, ttc, woff, woff2): other files share its signature. */
export function hasFontHeader(bytes: Uint8Array): boolean {
  const header = Buffer.from(bytes.subarray(0, 28))
  const [signature, flavor] = [header.toString('latin1', 0, 4), header.toString('latin1', 4, 8)]
  if (signature === 'ttcf') return COLLECTION_VERSIONS.has(flavor)
  if (signature === 'wOFF' || signature === 'wOF2') return FLAVORS.has(flavor)
  if (!SFNT_SIGNATURES.has(signature) || header.length < 28) return false
  const tables = header.readUInt16BE(4)
  return tables > 0 && tables <= MAX_TABLES && /^[ -~]{4}$/.test(header.toString('latin1', 12, 16))
}

/** The signatures of a font in TTF or OTF (OpenType, Table Directory; `true` is Apple's). */
const SFNT_SIGNATURES: ReadonlySet<string> = new Set(['\0\x01\0\0', 'OTTO', 'true'])
/** The format inside a WOFF file; `ttcf` is a collection. */
const FLAVORS: ReadonlySet<string> = new Set([...SFNT_SIGNATURES, 'ttcf'])
const COLLECTION_VERSIONS: ReadonlySet<string> = new Set(['\0\x01\0\0', '\0\x02\0\0'])
/** Real fonts have about twenty. */
const MAX_TABLES = 4095
