import { mostSimilar } from '#brand/similar.ts'
import { WEIGHT_NAMES } from '#formats/font/font-weight.ts'
import { anyOf, lettersOf, memoize, quote, singleSpaced, wordSet, wordsIn } from '#platform/base/text.ts'
import { oneLine, type Rule } from '../finding.ts'
import type { LintBrand } from '../lint-brand.ts'

/** The rule for families that are not those of the brand. */
export function createFontRule({ families, types, allowedFonts }: LintBrand): Rule<'font'> {
  const brandKeys = families.map(familyKey)
  const allowedKeys = [...brandKeys, ...allowedFonts.map(familyKey)]
  const isAllowed = memoize(key => GENERIC.has(key) || allowedKeys.some(allowed => isFamily(key, allowed)))
  // The style for code is the one that falls back to the generic family.
  const codeStyle = types.find(style => style.families.some(name => familyKey(name) === 'monospace'))
  return ({ family, sources = [], isCode }) => {
    const key = familyKey(family)
    if (key === '' || brandKeys.length === 0 || isAllowed(key)) return []
    // An `@font-face` with its own name for a font of the brand: `Heading` from `AcmeSans-Bold.woff2`.
    if (sources.some(source => brandKeys.some(own => lettersOf(source).startsWith(lettersOf(own))))) return []
    // A quarter of the letters: names that differ more belong to other families.
    const similar = families[brandKeys.indexOf(mostSimilar(key, brandKeys, 1 / 4) ?? '')]
    if (!similar && (SYMBOLS.test(key) || (isCode && (!codeStyle || SYSTEM_CODE.test(key))))) return []
    const details = () => {
      const usualStyle = isCode ? codeStyle : types.find(({ id }) => id === 'body')
      const nearestStyle = similar ? types.find(style => style.families.includes(similar)) : usualStyle
      const { id, guide, families: names = [] } = nearestStyle ?? {}
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

/**
 * A family in the form in which families are compared: in lower case, without quotes, with single spaces. Next.js named them
 * `__acmeSans_1a2b3c` up to version 14.
 */
export function familyKey(name: string): string {
  const family = name.replace(/^__(.+?)(?:_Fallback)?_[\da-f]{6}$/i, (_, own: string) => own.replaceAll('_', ' '))
  return singleSpaced(family.replace(/["']/g, '')).toLowerCase()
}

/** Whether a key is the family of another key, or a style of it: `acme sans semibold` is `acme sans`, `acme sansation` is not. */
export function isFamily(key: string, family: string): boolean {
  // PostScript names have no spaces, and a hyphen before the style (OpenType, name ID 6): `AcmeSans-BoldItalicMT`.
  const joinedFamily = family.replaceAll(' ', '')
  const familyPart = key.startsWith(family) ? family : joinedFamily
  // Without the suffixes `PS` and `MT` of PostScript names: `ArialMT`, `TimesNewRomanPS-BoldMT`.
  const style = key.slice(familyPart.length).replace(/^(?:ps)?(?:mt)?(?![^-])|mt$(?<=-.*)/g, '')
  if (key !== family && OTHER_FAMILIES.has(key.replace('-', ' '))) return false
  // Empty, or with a separator before its first word.
  const isSeparate = /^(?![^ _-])/.test(style)
  return key.startsWith(familyPart) && isSeparate && style.split(/[ _-]+/).every(word => STYLE.test(word))
}

/** Families of operating systems whose names look like styles of others. */
const OTHER_FAMILIES: ReadonlySet<string> = new Set(['arial black', 'arial narrow', 'segoe ui black'])

/**
 * One word after a family in names of fonts (OpenType, name IDs 1 and 6): none to four parts, such as `condensedbold` and
 * `extralightit`.
 */
const STYLE = new RegExp(
  `^(?:${WEIGHT_NAMES.join('|')}|extra|semi|ultra|ital|italic|it|obl|oblique|variable|vf|narrow|compressed|` +
    'cond|condensed|expanded|extended|wide){0,4}$',
)
