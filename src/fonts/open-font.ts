import { create, type Font } from 'fontkitten'
import { field } from '../base/object.ts'
import { failed, ok, type Result } from '../base/result.ts'
import { fontProblem } from './font-problem.ts'

/**
 * Opens a font (ttf, otf, woff, woff2, ttc), or the first font of a collection. The parser may throw or run for long on
 * damaged bytes, so this belongs into a sandboxed process.
 */
export function openFont(bytes: Buffer): Result<Font, string> {
  const problem = fontProblem(bytes)
  if (problem !== undefined) return failed(problem)
  const made = create(bytes)
  const font = made.isCollection ? made.fonts[0] : made
  if (font === undefined || field(field(font, 'head'), 'magicNumber') !== 0x5f0f3cf5) {
    return failed('it lacks tables that every font has; export it again')
  }
  return ok(font)
}

/** The texts of a name of a font: in English, then in other languages. None if the table is missing or damaged. */
export function fontNames(font: Font, key: string): unknown[] {
  const names = field(field(field(font, 'name'), 'records'), key)
  const byLanguage = Object.entries(typeof names === 'object' && names !== null ? names : {})
  const english = byLanguage.filter(([language]) => /^en\b/.test(language)).sort(([a], [b]) => a.length - b.length)
  return [...english, ...byLanguage].map(([, name]) => name)
}
