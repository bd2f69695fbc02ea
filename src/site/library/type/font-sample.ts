import type { BrandFile } from '#brand/file.ts'
import { variableWeights, type WeightRange } from '#delivery/export/fonts/font-faces.ts'
import { type CharacterRange, codePoints, hasCharacters } from '#formats/font/characters.ts'
import type { Guide } from '../../guide/guide.ts'
import type { Word } from '../../html.ts'
import type { Words } from '../../words/words.ts'
import { knownFacts } from './faces/guide-fonts.ts'

/** The letters that show a font: a few, and its alphabet in lines; and the weights of a variable font. */
export type FontSample = { short: string; lines: readonly string[]; weights?: WeightRange }

/** The samples of font files in a guide, and how long to cache content made from them if some could not be read. */
export async function fontSamples(
  guide: Guide,
  files: readonly BrandFile[],
): Promise<{ sampleOf: (file: BrandFile) => FontSample; keptMs: number | undefined }> {
  const faces = files.map(file => ({ file }))
  const { facts, keptMs } = await knownFacts(guide, faces)
  const lang = await guide.publication.content.lang()
  const samples = new Map(
    faces.map(face => {
      const sample = fontSample(facts.get(face)?.characters.ranges ?? [], lang)
      const weights = variableWeights(facts.get(face))
      return [face.file, { ...sample, ...(weights && { weights }) }] as const
    }),
  )
  return { sampleOf: file => samples.get(file) ?? LATIN, keptMs }
}

/** `Variable, 100–900` */
export function variableText({ type }: Words, [min, max]: WeightRange): Word {
  return type.variable({ min: `${min}`, max: `${max}` })
}

/** The letters of the guide's language if a font has them, else Latin ones, else those of the first script it has. */
export function fontSample(ranges: readonly CharacterRange[], lang = 'en'): FontSample {
  const scriptsInOrder = [scriptOf(lang), 'Latn', ...SHORT.keys()]
  // No font has NUL, so a script without letters in the table is not found.
  const script = scriptsInOrder.find(each => hasCharacters(ranges, SHORT.get(each) ?? '\0'))
  const short = SHORT.get(script ?? '')
  if (ranges.length === 0 || short === LATIN.short) return LATIN
  // A font whose script is not in the table begins with its first letters.
  const letters = lettersFrom(ranges, short?.codePointAt(0) ?? 0)
  const lines = Array.from({ length: Math.ceil(letters.length / ON_LINE) }, (_, at) =>
    letters.slice(at * ON_LINE, (at + 1) * ON_LINE).join(' '),
  )
  return letters.length === 0 ? LATIN : { short: short ?? letters.slice(0, 2).join(''), lines }
}

/** The script of a language (ISO 15924). */
export function scriptOf(lang: string): string {
  return new Intl.Locale(lang).maximize().script ?? 'Latn'
}

const LATIN: FontSample = {
  short: 'Aa',
  lines: ['ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz', '0123456789 & ! ? ( ) “ ”'],
}

/** The first letters of an alphabet, by script. */
const SHORT: ReadonlyMap<string, string> = new Map([
  ['Latn', LATIN.short],
  ['Grek', 'Αα'],
  ['Cyrl', 'Аа'],
  ['Hebr', 'אבג'],
  ['Arab', 'أبجد'],
  ['Deva', 'कख'],
  ['Thai', 'กข'],
  ['Jpan', 'あア'],
  ['Kore', '가나'],
  ['Hans', '永'],
  ['Hant', '永'],
])

/** The first letters of a font from a code point on, without modifiers, which are not part of an alphabet. */
function lettersFrom(ranges: readonly CharacterRange[], start: number): string[] {
  return Iterator.from(codePoints(ranges))
    .filter(code => code >= start)
    .map(code => String.fromCodePoint(code))
    .filter(character => /[\p{Lu}\p{Ll}\p{Lo}]/u.test(character))
    .take(MAX_LETTERS)
    .toArray()
}

/** The number of letters, in all and on each line. */
const MAX_LETTERS = 60
const ON_LINE = 20
