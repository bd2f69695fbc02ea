import { mostSimilar } from '#brand/similar.ts'
import { WEIGHT_NAMES } from '#formats/font/font-weight.ts'
import { anyOf, memoize, quote, wordSet, wordsIn } from '#platform/base/text.ts'
import { oneLine, type Rule } from '../finding.ts'
import type { LintBrand } from '../lint-brand.ts'
import { lettersOf } from '../others.ts'

/** The rule for families that are not those of the brand. */
export function createFontRule({ families, types, allowedFonts }: LintBrand): Rule<'font'> {
  const keys = families.map(familyKey)
  const right = [...keys, ...allowedFonts.map(familyKey)]
  const isRight = memoize(key => GENERIC.has(key) || right.some(family => isFamily(key, family)))
  const codeStyle = types.find(({ families: own }) => own.some(family => familyKey(family) === 'monospace'))
  return ({ family, sources = [], isCode }) => {
    const key = familyKey(family)
    if (key === '' || keys.length === 0 || isRight(key)) return []
    if (sources.some(source => keys.some(own => lettersOf(source).startsWith(lettersOf(own))))) return []
    // A quarter of the letters: names that differ more belong to other families.
    const similar = families[keys.indexOf(mostSimilar(key, keys, 1 / 4) ?? '')]
    if (!similar && (SYMBOLS.test(key) || (isCode && (!codeStyle || SYSTEM_CODE.test(key))))) return []
    const details = () => {
      const usual = isCode ? codeStyle : types.find(({ id }) => id === 'body')
      const own = similar ? types.find(({ families: names }) => names.includes(similar)) : usual
      const { id, guide, families: names = [] } = own ?? {}
      const write = similar ?? names[0]
      const fix = write === undefined ? 'use a family of the brand' : `write ${quote(write)}`
      const message = `${quote(family)} is not a family of the brand: ${fix}`
      return { found: oneLine(family), nearest: similar && id, write, guide, message }
    }
    return [{ rule: 'font-off', value: key, details }]
  }
}

/** CSS Fonts 4 §2.1.4. */
const GENERIC = wordSet(`
  serif sans-serif monospace rounded ui-serif ui-sans-serif ui-monospace ui-rounded
  cursive fantasy math emoji fangsong sans mono`)

/**
 * Families of icons, emoji, signs and formulas, and of operating systems for other scripts, in the form in which families
 * are compared.
 */
const SYMBOLS = new RegExp(
  '^(?:font ?awesome|material (?:icons|symbols)|bootstrap.icons|dashicons|glyphicons|genericons|ionicons|octicons|' +
    'phosphor|remixicon|codicon|slick$|icomoon|fontello|themify|typicons|videojs$|swiper-icons|etmodules$|' +
    'line ?awesome|linearicons|feather$|lucide$|flaticon|devicon|entypo|zocial|lg$|star$|woocommerce$|tinymce|' +
    'segoe (?:ui (?:emoji|symbol)|mdl2|fluent)|apple (?:color emoji|symbols)|noto (?:color )?emoji|' +
    'noto sans symbols|twemoji|emojione|android emoji|symbol$|wingdings|webdings|zapf ?dingbats|' +
    'katex|mathjax|cambria math|kohinoor|pingfang|hiragino|apple ?sd ?gothic|geeza ?pro|mukta ?mahee|malgun gothic|' +
    'microsoft (?:yahei|jhenghei)|simsun|nirmala ui|meiryo|\\w+ ?sangam ?mn)|(?:^|[ _-])icons?(?:$|[ _-])|icons$',
)

/** Families for code of operating systems. */
const SYSTEM_CODE = new RegExp(
  `^${anyOf(
    wordsIn(
      `sf mono, sfmono, menlo, monaco, consolas, courier, andale mono, lucida console, cascadia, liberation mono,
      dejavu sans mono, ubuntu mono`,
    ),
  )}`,
)

/** A family as families are compared. Next.js named them `__acmeSans_1a2b3c` up to version 14. */
export function familyKey(name: string): string {
  const family = name.replace(/^__(.+?)(?:_Fallback)?_[\da-f]{6}$/i, (_, own: string) => own.replaceAll('_', ' '))
  return family.replace(/["']/g, '').replace(/\s+/g, ' ').trim().toLowerCase()
}

/** Whether a family, both as keys, is another one or a style of it: `acme sans semibold`. */
export function isFamily(key: string, family: string): boolean {
  // PostScript names have no spaces, and a hyphen before the style (OpenType, name ID 6): `AcmeSans-BoldItalicMT`.
  const joined = family.replaceAll(' ', '')
  const name = key.startsWith(family) ? family : joined
  // Without the suffixes `PS` and `MT` of PostScript names: `ArialMT`, `TimesNewRomanPS-BoldMT`.
  const style = key.slice(name.length).replace(/^(?:ps)?(?:mt)?(?![^-])|mt$(?<=-.*)/g, '')
  if (key !== family && OTHER_FAMILIES.has(key.replace('-', ' '))) return false
  const isSeparate = /^(?![^ _-])/.test(style)
  return key.startsWith(name) && isSeparate && style.split(/[ _-]+/).every(word => STYLE.test(word))
}

/** Families of operating systems whose names look like styles of others. */
const OTHER_FAMILIES: ReadonlySet<string> = new Set(['arial black', 'arial narrow', 'segoe ui black'])

/** The words after a family in names of fonts (OpenType, name IDs 1 and 6), some joined: `condensedbold`. */
const STYLE = new RegExp(
  `^(?:${WEIGHT_NAMES.join('|')}|extra|semi|ultra|ital|italic|it|obl|oblique|variable|vf|narrow|compressed|` +
    'cond|condensed|expanded|extended|wide){0,4}$',
)
