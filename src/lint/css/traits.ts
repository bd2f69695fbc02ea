/** A fact about the elements of a rule or a style attribute; `text` says that `fill` is the colour of text in an SVG. */
export type Trait = 'text' | 'code' | 'disabled' | 'print'

export const CODE_TAGS: ReadonlySet<string> = new Set(['code', 'pre', 'kbd', 'samp', 'tt'])

/** The facts that the selectors of a rule, or the conditions of an at-rule, say about all elements in its block. */
export function traitsOf(atRule: string, prelude: string): Trait[] {
  const parts = prelude.replace(/:not\([^()]*\)/gi, '').split(',')
  const isEach = (pattern: RegExp) => parts.every(part => pattern.test(part))
  if (atRule !== '') return atRule === 'page' || (atRule === 'media' && isEach(PRINT)) ? ['print'] : []
  return [isEach(CODE) && ('code' as const), isEach(DISABLED) && ('disabled' as const)].filter(trait => trait !== false)
}

const PRINT = /^\s*(?:only\s+)?print\b/i
const CODE = new RegExp(`(?:^|[\\s>+~])(?:${[...CODE_TAGS].join('|')})(?:[.:#[][^\\s>+~]*)?\\s*$`, 'i')
/** Controls that are off need no contrast (WCAG 2.2 §1.4.3), nor do those that only look so. */
const DISABLED = /:disabled|\[(?:aria-)?disabled(?!\s*=\s*["']?false)|\.(?:[\w-]+-)?disabled(?![\w-])/i
