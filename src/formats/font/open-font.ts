import { create, type Font } from 'fontkitten'
import { field } from '#platform/base/object.ts'
import { failed, ok, type Result } from '#platform/base/result.ts'
import { unpackFont } from './unpack-font.ts'

/** Opens a font, or the first font of a collection, like `openFonts`. */
export async function openFont(bytes: Buffer): Promise<Result<Font, string>> {
  const fonts = await openFonts(bytes)
  return fonts.ok ? ok(fonts.value[0]) : fonts
}

/**
 * Opens a font (ttf, otf, woff, woff2), or the fonts of a collection (ttc). Call it in a sandboxed process: unpacker and
 * parser may throw or run for a long time on damaged bytes.
 *
 * @throws an error for which `isDecoderCrash` holds if the process must not unpack another font
 */
export async function openFonts(bytes: Buffer): Promise<Result<readonly [Font, ...Font[]], string>> {
  const unpacked = await unpackFont(bytes)
  if (!unpacked.ok) return unpacked
  const opened = create(withUnicodeSymbols(unpacked.value))
  const [font, ...others] = opened.isCollection ? opened.fonts.slice(0, MAX_FONTS) : [opened]
  if (font === undefined || field(field(font, 'head'), 'magicNumber') !== HEAD_MAGIC) {
    return failed('it lacks tables that every font has; export it again')
  }
  return ok([font, ...others])
}

/** The fonts of a collection that are read. The largest of operating systems have 36. */
const MAX_FONTS = 64
/** The number that each head table has (OpenType, head). */
const HEAD_MAGIC = 0x5f0f3cf5

/**
 * The font with its symbols as Unicode. Symbol fonts have characters from U+F020 in a table for platform 3, encoding 0
 * (OpenType, cmap), which the parser does not read. They become encoding 0 of platform 0, which no other font has alone.
 */
function withUnicodeSymbols(font: Buffer): Buffer {
  // The entries of the table directory have 16 bytes, with the tag first and the offset of the table at 8.
  const entries = Array.from({ length: font.readUInt16BE(4) }, (_, at) => 12 + 16 * at)
  const cmap = entries.find(entry => font.toString('latin1', entry, entry + 4) === 'cmap')
  const start = cmap === undefined || font.length < cmap + 16 ? font.length : font.readUInt32BE(cmap + 8)
  if (font.toString('latin1', 0, 4) === 'ttcf' || start + 4 > font.length) return font
  // The records of `cmap` have 8 bytes, which begin with platform and encoding, two bytes each.
  const records = Array.from({ length: font.readUInt16BE(start + 2) }, (_, at) => start + 4 + 8 * at)
  const kindOf = (record: number) => (record + 8 > font.length ? UNICODE : font.readUInt32BE(record))
  const symbols = records.filter(record => kindOf(record) === SYMBOLS)
  if (symbols.length === 0 || records.some(record => ![SYMBOLS, MAC_ROMAN].includes(kindOf(record)))) return font
  const copy = Buffer.from(font)
  for (const record of symbols) copy.writeUInt32BE(UNICODE, record)
  return copy
}

/** Platforms and encodings of `cmap`, as one number: 3 and 0, 1 and 0, and 0 and 0. */
const [SYMBOLS, MAC_ROMAN, UNICODE] = [0x30000, 0x10000, 0]
