import { type BrandFile, isFont } from './file.ts'

/**
 * The cut of a font that is one of several files by script: `acme-latin.woff2` and `acme-arabic.woff2` of one family,
 * weight and style give the same string. Undefined for other files.
 */
export function cutOf(file: BrandFile): string | undefined {
  const { family, weight, style } = (isFont(file) && file.metadata) || {}
  const [, start, , end] = SCRIPT.exec(withoutExtension(file.path)) ?? []
  if (family === undefined || start === undefined) return undefined
  return JSON.stringify([start, end, family, weight, style])
}

/** The script in the name of a font file: `latin-ext` for `acme-latin-ext-400.woff2`. Undefined for other files. */
export function scriptOf(file: BrandFile): string | undefined {
  return isFont(file) ? SCRIPT.exec(withoutExtension(file.path))?.[2] : undefined
}

function withoutExtension(path: string): string {
  return path.replace(/\.[a-z0-9]+$/i, '')
}

/** The last script in a file name, between marks; also the number of a subset: `acme.[12]`, `acme-subset-3`. */
const SCRIPT = new RegExp(
  `^(.*)[-_. ]((?:${[
    'adlam|arabic|armenian|bengali|chinese|cyrillic|devanagari|emoji|ethiopic|georgian|greek|gujarati|gurmukhi|hebrew',
    'japanese|kannada|khmer|korean|lao|latin|malayalam|math|myanmar|oriya|sinhala|symbols|tamil|telugu|thai|tibetan',
    'vietnamese',
  ].join('|')})(?:[-_]?ext|[1-9])?|subset[-_]?\\d+|\\[\\d+\\])(?=[-_. ]|$)([^/]*)$`,
  'i',
)
