import type { Color } from '../color.ts'
import { contrastOf, MIN_LARGE_CONTRAST } from './contrast.ts'

/**
 * Verdicts on artwork on a ground, best first: the ground that its author wants; enough contrast; artwork that brings its
 * own ground; colours that are not known; too little contrast.
 */
const VERDICTS = ['own', 'legible', 'filled', 'unknown', 'illegible'] as const
export type Verdict = (typeof VERDICTS)[number]

/**
 * A ground with the contrast of the artwork on it, infinite if it is not known. `plain` is white or black if the guide
 * lacks it, with its hex as name.
 */
export type JudgedGround = {
  name: string
  hex: string
  plain?: keyof typeof PLAIN_GROUNDS | undefined
  ratio: number
  verdict: Verdict
}

const PLAIN_GROUNDS = { white: '#ffffff', black: '#000000' } as const

/**
 * The verdict on artwork on each colour, on white and on black: first those to use, then by contrast. The lowest
 * contrast of its `paints` (hex) counts; they are empty if it brings its own ground, and undefined if not known. `own`
 * is the id of the ground that its author wants.
 */
export function judgedGrounds(
  colors: readonly Color[],
  paints: readonly string[] | undefined,
  own: string | undefined,
): JudgedGround[] {
  const brandGrounds = colors.slice(0, MAX_GROUNDS)
  const brandHexes = new Set(brandGrounds.map(({ hex }) => hex))
  const plainGrounds = (['white', 'black'] as const)
    .map(plain => ({ id: '', hex: PLAIN_GROUNDS[plain], name: PLAIN_GROUNDS[plain].toUpperCase(), plain }))
    .filter(({ hex }) => !brandHexes.has(hex))
  const judged = [...brandGrounds.map(color => ({ ...color, plain: undefined })), ...plainGrounds].map(
    ({ id, hex, name, plain }) => {
      const ratio = Math.min(...(paints ?? []).map(paint => contrastOf(paint, hex).ratio))
      return { name, hex, plain, ratio, verdict: verdictOn(ratio, paints, id === own) }
    },
  )
  const rank = (verdict: Verdict) => VERDICTS.indexOf(verdict)
  return judged.sort((one, other) => rank(one.verdict) - rank(other.verdict) || other.ratio - one.ratio)
}

const MAX_GROUNDS = 240

function verdictOn(ratio: number, paints: readonly string[] | undefined, isOwn: boolean): Verdict {
  if (isOwn) return 'own'
  if (!paints) return 'unknown'
  if (paints.length === 0) return 'filled'
  return ratio >= MIN_LARGE_CONTRAST ? 'legible' : 'illegible'
}
