import { anyOf, wordSet, wordsIn } from '#platform/base/text.ts'

/**
 * A fact about the elements of a rule or a style attribute: `text` of an SVG, where `fill` is its colour; `code`; `disabled`
 * controls; `print`; `forced` colours of the system; `filtered`, with a filter; and `dark` pages.
 */
export type Trait = 'text' | 'code' | 'disabled' | 'print' | 'forced' | 'filtered' | 'dark'

export const CODE_TAGS = wordSet('code pre kbd samp tt')

/**
 * The facts that the selectors of a rule (`atRule` is empty), or the conditions of an at-rule, say about all elements in
 * its block: `code, pre` says `code`, and `code, p` nothing.
 */
export function traitsOf(atRule: string, prelude: string): Trait[] {
  const parts = prelude.replace(/:not\([^()]*\)/gi, '').split(',')
  const isEach = (pattern: RegExp) => parts.every(part => pattern.test(part))
  const traits = (SIGNS.get(atRule) ?? []).filter(([, pattern]) => isEach(pattern)).map(([trait]) => trait)
  // A media query has one trait: `forced` wins over `dark`, and that over `print`.
  return atRule === 'media' ? traits.slice(0, 1) : traits
}

/** The system chooses the colours there, except with `forced-color-adjust: none` (CSS Color Adjustment 1 §3). */
const FORCED =
  /^(?!.*\bnot\b).*\((?:forced-colors(?:\s*:\s*active)?|-ms-high-contrast(?:\s*:\s*(?!none)[\w-]+)?)\s*\)/is
/** `(prefers-color-scheme: dark)`, without `not`. */
const PREFERS_DARK = /^(?!.*\bnot\b).*\(\s*prefers-color-scheme\s*:\s*dark\s*\)/is
/** A class or an attribute of a page, or a part of one, that is dark: `.dark .card`, `[data-bs-theme="dark"]`. */
const DARK = darkPattern()
const PRINT = /^\s*(?:only\s+)?print\b/i
/** A selector that ends in an element for code: `.post pre.highlight`. */
const CODE = new RegExp(`(?:^|[\\s>+~])${anyOf([...CODE_TAGS])}(?:[.:#[][^\\s>+~]*)?\\s*$`, 'i')
/** Controls that are off need no contrast (WCAG 2.2 §1.4.3), nor do those that only look so. */
const DISABLED = /:disabled|\[(?:aria-)?disabled(?!\s*=\s*["']?false)|\.(?:[\w-]+-)?disabled(?![\w-])/i

/** The patterns of traits, in selectors (`''`) and in the conditions of at-rules. `@page` is always for print. */
const SIGNS: ReadonlyMap<string, readonly (readonly [Trait, RegExp])[]> = new Map([
  [
    '',
    [
      ['code', CODE],
      ['disabled', DISABLED],
      ['dark', DARK],
    ],
  ],
  [
    'media',
    [
      ['forced', FORCED],
      ['dark', PREFERS_DARK],
      ['print', PRINT],
    ],
  ],
  ['page', [['print', /^/]]],
])

/** `.dark`, `.theme-dark`, `[data-theme="dark"]` and the like, at the start of a selector or of `html`, `body` or `:root`. */
function darkPattern(): RegExp {
  const start = `(?:(?<![^\\s>+~:(&])|${anyOf(wordsIn('html, body, root'))})`
  const ofClass = `\\.${anyOf(wordsIn('dark, dark-mode, dark-theme, theme-dark'))}(?![\\w-])`
  const names = anyOf(wordsIn('mode, scheme, color-mode, color-scheme'))
  const ofAttribute = `\\[data-(?:[\\w-]*theme|${names})\\s*=\\s*["']?dark["']?\\s*\\]`
  return new RegExp(`${start}(?:${ofClass}|${ofAttribute})`, 'i')
}

/** The pattern of a value that begins with one of these words. */
function beginsWith(words: string): RegExp {
  return new RegExp(`^${anyOf(wordsIn(words))}(?![\\w-])`)
}

/** Values of `overflow` that cut off what is outside. */
const CUT = beginsWith('hidden, clip')

/**
 * Ways to hide an element or its text: properties whose values, in lower case, all match; an absent one is empty. The first
 * property of a row is the one that hides, such as `text-indent: -9999px`; others say when it does.
 */
const HIDING: readonly Readonly<Record<string, RegExp>>[] = [
  { display: /^none$/ },
  ...['visibility', 'content-visibility'].map(name => ({ [name]: beginsWith('hidden, collapse') })),
  // Zero in any form: `0`, `0.0`, `.0`, `0%`, `0px`.
  ...['opacity', 'font-size', 'scale'].map(name => ({ [name]: /^(?=[0.])0?(?:\.0+)?%?[a-z]*$/ })),
  // `font: 0/0 a`.
  { font: /(?<!\S)0%?[a-z]*(?:\s*\/|\s+["'a-z])/, 'font-size': /^$/ },
  { 'text-indent': /^-\d{3}/ },
  { 'text-indent': /^\d{3}/, 'white-space': beginsWith('nowrap, pre'), overflow: CUT },
  // `scale(0)`, `translateX(-9999px)`.
  { transform: /\bscale[3dxy]*\(\s*(?!\s)0*(?!0)\.?0*\s*[,)]|\btranslate[3dxy]*\([^()]*-\d{3,}[a-z]/ },
  // `rect(0 0 0 0)`, `rect(1px, 1px, 1px, 1px)`.
  { clip: /^rect\(\s*(?:[01](?:px)?[\s,]*){4}\)/, position: /^(?:absolute|fixed)?$/ },
  // `inset(50%)`, `circle(0)`, `polygon(0 0, 0 0)`.
  { 'clip-path': /^(?:inset\(\s*(?:50|100)%|(?:circle|ellipse)\(\s*0(?![.\d])|polygon\((?:[\s,]*0(?:px)?%?)+\s*\))/ },
  ...['width', 'height', 'max-width', 'max-height'].map(name => ({ [name]: /^(?:1px|0\D*)$/, overflow: CUT })),
  // `left: -9999px`.
  ...['left', 'right', 'top', 'bottom'].map(name => ({
    [name]: /^-\d{3,}[a-z]/,
    position: beginsWith('absolute, fixed, relative'),
  })),
]

/** The first properties of all rows. */
const HIDING_PROPERTIES: ReadonlySet<string | undefined> = new Set(HIDING.map(row => Object.keys(row)[0]))

/** Whether declarations, such as `display:none;color:tan`, hide an element or its text by one of these properties. */
export function isHidden(styles: string, properties: ReadonlySet<string | undefined> = HIDING_PROPERTIES): boolean {
  const pairs = styles.toLowerCase().matchAll(/(?<![\w-])([\w-]+)\s*:\s*([^;!]*)/g)
  const values = new Map(pairs.map(([, name = '', value = '']) => [name, value.trim()]))
  const rows = HIDING.filter(row => properties.has(Object.keys(row)[0]))
  return rows.some(row => Object.entries(row).every(([name, pattern]) => pattern.test(values.get(name) ?? '')))
}
