import { oneLine, type Problem, type Rule } from '../finding.ts'
import type { LintBrand, LintColor } from '../lint-brand.ts'
import type { BuildUse } from '../use.ts'

/**
 * The rules for process inks. They only compare written values: nothing is computed to be printed, and no build becomes a
 * colour of a screen. Without CMYK values in the brand, only text is judged.
 */
export function createBuildRule({ colors }: LintBrand): Rule<'build'> {
  const builds = colors.flatMap(color => {
    const build = color.cmyk?.split(',').map(Number)
    return build === undefined ? [] : { color, build }
  })
  return use => {
    const written = writtenBuild(use)
    return [...offProblem(written, builds), ...(use.role === 'text' ? platesProblem(written, builds) : [])]
  }
}

type BrandBuild = { color: LintColor; build: readonly number[] }

type WrittenBuild = { build: readonly number[]; value: string }

function offProblem({ build, value }: WrittenBuild, builds: readonly BrandBuild[]): Problem[] {
  if (builds.length === 0 || isAlwaysRight(build) || builds.some(own => isTint(build, own.build))) return []
  const details = () => {
    const total = Math.round(build.reduce((sum, channel) => sum + channel, 0) * 10) / 10
    const distances = builds.map(own => ({ ...own, distance: distanceOf(build, own.build) }))
    const nearest = distances.toSorted((a, b) => a.distance - b.distance)[0]
    const message = `${value} (${total} % of ink) is not a build of the brand`
    if (!nearest) return { found: value, total, message }
    const { id, guide, cmyk } = nearest.color
    const isNear = nearest.distance <= MAX_NEAR
    const fix = isNear ? `write ${cmyk} of "${id}"` : `use one; the nearest is "${id}" (${cmyk})`
    return { found: value, total, nearest: id, write: isNear ? cmyk : undefined, guide, message: `${message}: ${fix}` }
  }
  return [{ rule: 'cmyk-off', value, details }]
}

/** The largest difference of a channel, in per cent, at which a colour of the brand is meant. */
const MAX_NEAR = 10

/** The problem of text on four plates, unless the brand gives a colour just these inks, to half a per cent. */
function platesProblem({ build, value }: WrittenBuild, builds: readonly BrandBuild[]): Problem[] {
  if (build.some(channel => channel === 0) || builds.some(own => distanceOf(build, own.build) <= 0.5)) return []
  const message = `text in ${value} is on four plates, which never meet exactly: print it only in black, or in one ink`
  return [{ rule: 'black-plates', value, details: () => ({ found: value, message }) }]
}

/** A build without the rounding of programs: in whole per cents, which 8 bits miss by up to 0.2, or else in tenths. */
function writtenBuild({ cmyk }: BuildUse): WrittenBuild {
  const build = cmyk.map(channel => {
    const whole = Math.round(channel)
    return Math.abs(channel - whole) <= 0.2 ? whole : Math.round(channel * 10) / 10
  })
  return { build, value: oneLine(build.join(',')) }
}

/** Paper, only black, and marks on all plates. */
function isAlwaysRight(build: readonly number[]): boolean {
  return build.slice(0, 3).every(channel => channel === 0) || build.every(channel => channel === 100)
}

/**
 * Whether all channels are the same share of a colour's, within one per cent: 50,25,0,0 of 100,50,0,0. Each channel allows
 * shares between two bounds, and one share must be within those of all.
 */
function isTint(build: readonly number[], own: readonly number[]): boolean {
  const bounds = build.map((channel, at): [number, number] => {
    const full = own[at] ?? 0
    // A channel that the colour does not have allows any share if it is empty here, too; else none, as no share is at least 1
    // and at most 0.
    if (full === 0) return channel <= 1 ? [0, 1] : [1, 0]
    return [(channel - 1) / full, (channel + 1) / full]
  })
  const leastShare = Math.max(0, ...bounds.map(([low]) => low))
  const mostShare = Math.min(1, ...bounds.map(([, high]) => high))
  // With room for the error of binary fractions.
  return leastShare <= mostShare + 1e-9
}

function distanceOf(build: readonly number[], own: readonly number[]): number {
  return Math.max(...build.map((channel, at) => Math.abs(channel - (own[at] ?? 0))))
}
