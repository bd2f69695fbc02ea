import { contrastOf } from '../../brand/styles/contrast.ts'
import type { Use } from '../use.ts'
import type { Problem } from './problem.ts'

/** The contrast that WCAG 2.2 §1.4.3 requires; large are 18 pt, and 14 pt if bold. */
export function contrastRule(use: Use): Problem[] {
  if (use.kind !== 'contrast') return []
  const { size = 0, weight = 400 } = use
  const isLarge = size >= 24 || (size >= 18.66 && weight >= 700)
  const [minimum, noun] = isLarge ? [3, 'large text'] : [4.5, 'text']
  const { ratio, text } = contrastOf(use.text, use.ground)
  if (ratio >= minimum) return []
  const found = `${use.text} on ${use.ground}`
  const message = `${found} has a contrast of ${text}, but ${noun} needs ${minimum}: choose a darker or a lighter colour`
  return [{ rule: 'contrast-low', value: found, details: () => ({ found, ratio: Number(text), message }) }]
}
