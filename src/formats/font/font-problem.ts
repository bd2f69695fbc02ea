/**
 * Why a font is incomplete or unsafe to unpack; undefined if it is not. The parser trusts its sizes: it would unpack
 * any amount.
 */
export function fontProblem(bytes: Buffer): string | undefined {
  const problemOf = PROBLEMS.get(bytes.toString('latin1', 0, 4)) ?? noFont
  return bytes.length < 12 ? CUT_SHORT : problemOf(bytes)
}

/** The signatures of a font in TTF or OTF (OpenType, Table Directory; `true` is Apple's). */
const SFNT_SIGNATURES = ['\0\x01\0\0', 'OTTO', 'true']
/** Functions that find the problem of a font with a signature. */
const PROBLEMS: ReadonlyMap<string, (bytes: Buffer) => string | undefined> = new Map([
  ...SFNT_SIGNATURES.map(signature => [signature, sfntProblem] as const),
  ['ttcf', collectionProblem],
  ['wOFF', woffProblem],
  ['wOF2', woff2Problem],
])

function noFont(): string {
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
function sfntProblem(bytes: Buffer, start = 0): string | undefined {
  const isWhole =
    start + 12 <= bytes.length && hasTables(bytes, { count: start + 4, first: start + 12, size: 16, offset: 8 })
  return isWhole ? undefined : CUT_SHORT
}

/** The place of the first font is at 12. */
function collectionProblem(bytes: Buffer): string | undefined {
  return bytes.length < 16 ? CUT_SHORT : sfntProblem(bytes, bytes.readUInt32BE(12))
}

/** The places of the number of tables and of the first entry, the size of one, and in it the offset before the length. */
type Directory = { count: number; first: number; size: number; offset: number }

/** Whether a file has all tables of its directory. */
function hasTables(bytes: Buffer, { count, first, size, offset }: Directory): boolean {
  const entries = Array.from({ length: bytes.readUInt16BE(count) }, (_, at) => first + size * at)
  return entries.every(entry => {
    const table = entry + offset
    return entry + size <= bytes.length && bytes.readUInt32BE(table) + bytes.readUInt32BE(table + 4) <= bytes.length
  })
}

/** WOFF 1.0 §3 and §4: the file length at 8; from byte 44, each table has 20 bytes, with its unpacked length at 12. */
function woffProblem(bytes: Buffer): string | undefined {
  const isWhole = bytes.length >= 44 && bytes.readUInt32BE(8) <= bytes.length
  if (!isWhole || !hasTables(bytes, { count: 12, first: 44, size: 20, offset: 4 })) return CUT_SHORT
  const lengths = Array.from({ length: bytes.readUInt16BE(12) }, (_, at) => bytes.readUInt32BE(44 + 20 * at + 12))
  return lengths.reduce((sum, length) => sum + length, 0) > MAX_UNPACKED ? TOO_LARGE : undefined
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
  const flavors = FLAVORS.get(signature)
  if (flavors) return flavors.has(flavor)
  if (!SFNT_SIGNATURES.includes(signature) || header.length < 28) return false
  const tables = header.readUInt16BE(4)
  const tag = header.subarray(12, 16)
  return tables > 0 && tables <= MAX_TABLES && tag.every(byte => byte >= 0x20 && byte < 0x7f)
}

/** The versions of a collection, and the formats inside WOFF, which follow the signature. */
const FLAVORS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['ttcf', new Set(['\0\x01\0\0', '\0\x02\0\0'])],
  ['wOFF', new Set([...SFNT_SIGNATURES, 'ttcf'])],
  ['wOF2', new Set([...SFNT_SIGNATURES, 'ttcf'])],
])
/** Real fonts have about twenty. */
const MAX_TABLES = 4095
