import { differenceCiede2000 } from 'culori'
import type { LintRuleId } from '#brand/lint-rules.ts'
import { likenessOf } from '#brand/pictures/likeness.ts'
import type { Silhouette } from '#brand/pictures/silhouette.ts'
import type { Placement } from './use.ts'

/** A logo of the brand, with which pictures are compared; `minWidth` in px. */
export type Logo = { path: string; address: string; ink: Silhouette; minWidth?: number | undefined }

/** A difference of a picture and a logo. The message follows the names of both, and says what to do. */
export type LogoProblem = { rule: LintRuleId; logo: Logo; found: string; message: string }

/**
 * Compares a picture with the logos that it is similar to. One that a page places may be stretched or too small there; one
 * without a placement is a file, which may be stretched or recoloured itself.
 */
export function logoProblems(picture: Silhouette, logos: readonly Logo[], placement?: Placement): LogoProblem[] {
  const similar = logos
    .filter(({ ink }) => likenessOf(picture, ink) >= MIN_LIKENESS)
    .map(logo => ({ ...logo, ...recoloring(picture, logo.ink) }))
    .sort((a, b) => a.distance - b.distance)
  const stretched = stretchedProblem(picture, similar, placement)
  const smallOrRecolored = placement ? smallProblem(picture, similar, placement) : recoloredProblem(picture, similar)
  return [stretched, smallOrRecolored].filter(problem => problem !== undefined)
}

/** Other pictures are hardly ever that similar (docs/lint.md), and copies of 100 px are. */
const MIN_LIKENESS = 0.9

/** The nearest logo, which is the first, if none of them is right; undefined if one is right, or there are none. */
function nearestWrong<Each extends Logo>(logos: readonly Each[], isRight: (logo: Each) => boolean): Each | undefined {
  return logos.some(isRight) ? undefined : logos[0]
}

/** The problem of a picture whose proportions, on the page or in the file, match none of these logos. */
function stretchedProblem(picture: Silhouette, logos: readonly Logo[], placement?: Placement): LogoProblem | undefined {
  const { stretch, rounding } = placement ? shownSize(picture, placement) : { stretch: 1, rounding: 0 }
  if (placement && Math.abs(stretch - 1) <= MAX_OFF) return undefined
  // How many times as wide as the logo, at the same height.
  const factorOf = ({ ink }: Logo) => (picture.ratio * stretch) / ink.ratio
  const limitFor = ({ ink }: Logo) => 1 + MAX_OFF + picture.rounding + ink.rounding + rounding
  const logo = nearestWrong(logos, each => Math.max(factorOf(each), 1 / factorOf(each)) <= limitFor(each))
  if (!logo) return undefined
  const factor = factorOf(logo)
  const found = `${Math.round(Math.max(factor - 1, 1 / factor - 1) * 100)} % too ${factor > 1 ? 'wide' : 'high'}`
  const message = placement ? `shown ${found}: keep its proportions` : `but ${found}: use ${logo.address}`
  return { rule: 'logo-stretched', logo, found, message }
}

/** The largest difference of proportions that is not stretching: 2 %. */
const MAX_OFF = 0.02

/**
 * The width of a picture on a page in px, how much wider the page makes it (2 is twice as wide as its height needs), and the
 * share by which a side in whole pixels may miss that. A side that the page does not give follows from the other.
 */
function shownSize({ aspect, keepsAspect }: Silhouette, placement: Placement) {
  const { width = (placement.height ?? 0) * aspect, height = width / aspect } = placement
  if (keepsAspect || placement.fits) return { width: Math.min(width, height * aspect), stretch: 1, rounding: 0 }
  return { width, stretch: width / height / aspect, rounding: 0.5 / Math.min(width, height) }
}

function smallProblem(picture: Silhouette, logos: readonly Logo[], placement: Placement): LogoProblem | undefined {
  const { width } = shownSize(picture, placement)
  // As wide as the file of the logo would be, without more or less space around it.
  const widthOf = ({ ink }: Logo) => (width * picture.across) / ink.across
  const logo = nearestWrong(logos, each => widthOf(each) > (each.minWidth ?? 0) - 1)
  if (!logo) return undefined
  const found = `${Math.round(widthOf(logo))} px`
  const message = `shown ${found} wide, below its smallest width of ${logo.minWidth} px: show it larger`
  return { rule: 'logo-small', logo, found, message }
}

type Recolored = Logo & ReturnType<typeof recoloring>

function recoloredProblem(picture: Silhouette, logos: readonly Recolored[]): LogoProblem | undefined {
  const logo = picture.isColored ? nearestWrong(logos, ({ share }) => share <= MAX_RECOLORED) : undefined
  if (!logo) return undefined
  const { found, right, address } = logo
  return { rule: 'logo-recolored', logo, found, message: `but with ${found} instead of ${right}: use ${address}` }
}

/** The share of ink that may have another colour: parts of a few pixels differ from program to program. */
const MAX_RECOLORED = 0.02
/** The largest ΔE 2000 of one colour that is saved by different programs. */
const MAX_DELTA = 6
/** What small pictures add to it: this, times their `rounding`. */
const PIXEL_DELTA = 300
/** Cells with less ink, of 255, are at an edge. */
const MIN_INK = 64

/**
 * The `share` of ink whose colour is not the one of the logo there or next to it, the sum of its differences (`distance`),
 * and one such colour (`found`) with the `right` one, from the cell with the most ink. The cells of both pictures are a
 * square, row by row, with four bytes each: red, green, blue and the amount of ink.
 */
function recoloring({ cells, rounding }: Silhouette, { cells: logoCells }: Silhouette) {
  const rowBytes = 4 * Math.sqrt(cells.length / 4)
  // From a cell to itself, and to its neighbours left, right, above and below.
  const steps = [0, -4, 4, -rowBytes, rowBytes]
  let allInk = 0
  let wrongInk = 0
  let distance = 0
  let worst = { ink: 0, found: '', right: '' }
  for (let at = 0; at < cells.length; at += 4) {
    const ink = Math.min(cells[at + 3] ?? 0, logoCells[at + 3] ?? 0)
    if (ink < MIN_INK) continue
    allInk += ink
    const color = colorAt(cells, at)
    const logoColors = steps
      .filter(step => (logoCells[at + step + 3] ?? 0) > 0)
      .map(step => colorAt(logoCells, at + step))
    const delta = logoColors.includes(color) ? 0 : Math.min(...logoColors.map(each => difference(color, each)))
    if (delta <= MAX_DELTA + PIXEL_DELTA * rounding) continue
    wrongInk += ink
    distance += ink * delta
    if (ink > worst.ink) worst = { ink, found: color, right: colorAt(logoCells, at) }
  }
  const { found, right } = worst
  return { share: allInk === 0 ? 0 : wrongInk / allInk, distance, found, right }
}

const difference = differenceCiede2000()

function colorAt(cells: Uint8Array, at: number): string {
  return `#${Buffer.from(cells.subarray(at, at + 3)).toString('hex')}`
}
