import { contrastOf } from '#brand/styles/contrast.ts'
import type { Problem } from '../finding.ts'
import type { Use } from '../use.ts'

/** The contrast of WCAG 2.2 §1.4.3; large are 18 pt, and 14 pt if bold. A colour on itself is hidden on purpose. */
export function contrastRule(use: Use<'contrast'>): Problem[] {
  const { size = 0, weight = 400 } = use
  // In px: 24 px are 18 pt, and 18.66 px are 14 pt.
  const isLarge = size >= 24 || (size >= 18.66 && weight >= 700)
  const [minimum, noun] = isLarge ? [3, 'large text'] : [4.5, 'text']
  const { ratio, text } = contrastOf(use.text, use.ground)
  if (ratio >= minimum || use.text === use.ground) return []
  const found = `${use.text} on ${use.ground}`
  const message = `${found} has a contrast of ${text}, but ${noun} needs ${minimum}: choose a darker or a lighter colour`
  return [{ rule: 'contrast-low', value: found, details: () => ({ found, ratio: Number(text), message }) }]
}
