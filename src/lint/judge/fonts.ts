import { memoize, quote } from '../../base/text.ts'
import { mostSimilar } from '../../brand/similar.ts'
import { WEIGHT_NAMES } from '../../brand/styles/font-weight.ts'
import type { LintBrand } from '../lint-brand.ts'
import { oneLine, type Rule } from './problem.ts'

export function createFontRule({ families, types }: LintBrand): Rule {
  const keys = families.map(familyKey)
  const isRight = memoize(key => GENERIC.test(key) || keys.some(family => isFamily(key, family)))
  return use => {
    const key = use.kind === 'font' ? familyKey(use.family) : ''
    if (use.kind !== 'font' || key === '' || keys.length === 0 || isRight(key)) return []
    if (use.sources?.some(source => keys.some(family => isFontOf(source, family)))) return []
    const details = () => {
      // A quarter of the letters: names that differ more are those of other families.
      const similar = families[keys.indexOf(mostSimilar(key, keys, 1 / 4) ?? '')]
      const style = types.find(({ id, families: own }) => (similar ? own.includes(similar) : id === 'body'))
      const write = similar ?? style?.families[0]
      const fix = write === undefined ? 'use a family of the brand' : `write ${quote(write)}`
      const message = `${quote(use.family)} is not a family of the brand: ${fix}`
      return { found: oneLine(use.family), nearest: similar && style?.id, write, guide: style?.guide, message }
    }
    return [{ rule: 'font-off', value: key, details }]
  }
}

/** CSS Fonts 4 §2.1.4. */
const GENERIC = /^(?:(?:ui-)?(?:serif|sans-serif|monospace|rounded)|cursive|fantasy|system-ui|math|emoji|fangsong)$/

/** A family in the form in which families are compared: in lower case, without quotes, with single spaces. */
export function familyKey(family: string): string {
  return family.replace(/["']/g, '').replace(/\s+/g, ' ').trim().toLowerCase()
}

/** Whether a family, both as keys, is another one or a style of it: `acme sans semibold`. */
export function isFamily(key: string, family: string): boolean {
  // PostScript names have a hyphen instead of spaces (OpenType, name ID 6): `AcmeSans-BoldItalic`.
  const joined = family.replaceAll(' ', '')
  const name = key.startsWith(`${joined}-`) ? joined : family
  const rest = key.slice(name.length)
  const words = rest.split(/[ _-]+/).map(word => word.replace(/(?<=.)(?:italic|oblique)$/, ''))
  if (key !== family && OTHER_FAMILIES.has(key.replace('-', ' '))) return false
  return key.startsWith(name) && /^(?:$|[ _-])/.test(rest) && words.every(word => STYLE_WORDS.has(word))
}

/** Whether the name of a font or of its file begins with a family: `AcmeSans-Bold.woff2`. */
function isFontOf(source: string, family: string): boolean {
  const letters = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
  return letters(source).startsWith(letters(family))
}

/** Families of operating systems whose names look like styles of others. */
const OTHER_FAMILIES: ReadonlySet<string> = new Set(['arial black', 'arial narrow', 'segoe ui black'])

/** The words after a family in the names that Office uses (OpenType, name ID 1), and the empty text before them. */
const STYLE_WORDS: ReadonlySet<string> = new Set([
  ...WEIGHT_NAMES,
  ...' extra semi ultra italic oblique variable vf narrow compressed condensed expanded extended wide'.split(' '),
  ...'semicondensed extracondensed ultracondensed semiexpanded extraexpanded ultraexpanded'.split(' '),
])
