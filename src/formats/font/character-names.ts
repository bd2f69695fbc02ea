import { readFile } from 'node:fs/promises'
import { once } from '#platform/base/promise.ts'

/**
 * The names of characters in Unicode 17, by code point in hexadecimal digits: Latin, Greek, Cyrillic, Armenian, Hebrew
 * and Arabic, punctuation and symbols. The file has code points and names of the Unicode Character Database
 * (UnicodeData.txt, © Unicode, Inc., https://www.unicode.org/license.txt): its first two fields for the same ranges. Other
 * scripts are rare in brand fonts, packages with all names take 10 MB, and glyph names differ from font to font.
 */
export const characterNames: () => Promise<ReadonlyMap<string, string>> = once(async () => {
  const text = await readFile(new URL('character-names.txt', import.meta.url), 'utf8')
  return new Map(text.trimEnd().split('\n').map(splitLine))
})

function splitLine(line: string): [code: string, name: string] {
  const space = line.indexOf(' ')
  return [line.slice(0, space), line.slice(space + 1)]
}

/** A code point as in `characterNames`. */
export function hexOf(code: number): string {
  return code.toString(16).toUpperCase().padStart(4, '0')
}
