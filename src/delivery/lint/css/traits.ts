/** A fact about the elements of a rule or a style attribute; `text` says that `fill` is the colour of text in an SVG. */
export type Trait = 'text' | 'code' | 'disabled' | 'print' | 'forced' | 'filtered'

export const CODE_TAGS: ReadonlySet<string> = new Set(['code', 'pre', 'kbd', 'samp', 'tt'])

/** The facts that the selectors of a rule, or the conditions of an at-rule, say about all elements in its block. */
export function traitsOf(atRule: string, prelude: string): Trait[] {
  const parts = prelude.replace(/:not\([^()]*\)/gi, '').split(',')
  const isEach = (pattern: RegExp) => parts.every(part => pattern.test(part))
  if (atRule === 'media' && isEach(FORCED)) return ['forced']
  if (atRule !== '') return atRule === 'page' || (atRule === 'media' && isEach(PRINT)) ? ['print'] : []
  return [isEach(CODE) && ('code' as const), isEach(DISABLED) && ('disabled' as const)].filter(trait => trait !== false)
}

/** The system chooses the colours there, except with `forced-color-adjust: none` (CSS Color Adjustment 1 §3). */
const FORCED =
  /^(?!.*\bnot\b).*\((?:forced-colors(?:\s*:\s*active)?|-ms-high-contrast(?:\s*:\s*(?!none)[\w-]+)?)\s*\)/is
const PRINT = /^\s*(?:only\s+)?print\b/i
const CODE = new RegExp(`(?:^|[\\s>+~])(?:${[...CODE_TAGS].join('|')})(?:[.:#[][^\\s>+~]*)?\\s*$`, 'i')
/** Controls that are off need no contrast (WCAG 2.2 §1.4.3), nor do those that only look so. */
const DISABLED = /:disabled|\[(?:aria-)?disabled(?!\s*=\s*["']?false)|\.(?:[\w-]+-)?disabled(?![\w-])/i

/** Styles of an element that nobody sees, each after a semicolon. */
export const HIDDEN =
  /;\s*(?:display\s*:\s*none\b|visibility\s*:\s*(?:hidden|collapse)\b|(?:opacity|font-size)\s*:\s*(?:0|0?\.0+)(?:%|[a-z]+)?\s*(?:;|!|$)|text-indent\s*:\s*-\d{3}|clip\s*:\s*rect\((?:\s*[01](?:px)?[\s,]*){4}\)|clip-path\s*:\s*inset\(\s*(?:50|100)%)/i
