import type { StyleId } from '../../brand/ids.ts'
import type { Cover } from '../../brand/page.ts'

/** The ground and the letters of a cover, and the classes for both, whose rules are in the theme's style sheet. */
export type CoverLook = { classes: string; ground: StyleId | undefined; text: NonNullable<Cover['text']> }

/** The look of a cover with or without a ground. With only a picture behind them, letters are light. */
export function coverLook(ground: StyleId | undefined, { fit, text = 'auto' }: Partial<Cover> = {}): CoverLook {
  const chosen = text === 'auto' && ground === undefined && fit === 'behind' ? 'light' : text
  const classes = [
    ...(ground === undefined ? [] : [`ground-${ground}`]),
    ...(chosen === 'auto' ? [] : [`${chosen}-letters`]),
  ]
  return { classes: classes.join(' '), ground, text: chosen }
}
