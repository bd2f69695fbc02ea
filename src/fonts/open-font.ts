import { create, type Font } from 'fontkitten'
import { field } from '../base/object.ts'
import { failed, ok, type Result } from '../base/result.ts'
import { unpackFont } from './unpack-font.ts'

/**
 * Opens a font (ttf, otf, woff, woff2, ttc), or the first font of a collection. Call it in a sandboxed process:
 * unpacker and parser may throw or run for a long time on damaged bytes.
 *
 * @throws an error for which `isDecoderCrash` holds if the process must not unpack another font
 */
export async function openFont(bytes: Buffer): Promise<Result<Font, string>> {
  const unpacked = await unpackFont(bytes)
  if (!unpacked.ok) return unpacked
  const made = create(unpacked.value)
  const font = made.isCollection ? made.fonts[0] : made
  if (font === undefined || field(field(font, 'head'), 'magicNumber') !== 0x5f0f3cf5) {
    return failed('it lacks tables that every font has; export it again')
  }
  return ok(font)
}

/** A name of a font: in English, then in other languages. Empty if the table is missing or damaged. */
export function fontNames(font: Font, key: string): unknown[] {
  const names = field(field(field(font, 'name'), 'records'), key)
  const byLanguage = Object.entries(typeof names === 'object' && names !== null ? names : {})
  const english = byLanguage.filter(([language]) => /^en\b/.test(language)).sort(([a], [b]) => a.length - b.length)
  return [...english, ...byLanguage].map(([, name]) => name)
}
