import { converter, differenceCiede2000, formatHex8 } from 'culori'
import { lazy } from '#platform/base/object.ts'
import { memoize } from '#platform/base/text.ts'
import { type Fix, oneLine, type Problem, type Rule } from '../finding.ts'
import type { LintBrand, LintColor } from '../lint-brand.ts'
import type { ColorUse } from '../use.ts'

/**
 * The rule for colours that are not those of the brand, or could be its variables. A use has at most one problem: a literal
 * (`color-literal`), a tint of a colour of the theme (`color-shade`), one that is almost right (`color-near`), or another
 * colour (`color-off`).
 */
export function createColorRule({ colors, neutrals }: LintBrand): Rule<'color'> {
  // Reversed, because the last entry of a key wins: of two colours with the same value, the first counts.
  const ownColors = new Map(colors.toReversed().map(color => [color.hex, color]))
  const darkColors = colors.flatMap(({ dark, ...color }) => (dark === undefined ? [] : [{ ...color, hex: dark }]))
  const darkValues = new Set(darkColors.map(({ hex }) => hex))
  const nearestTo = createNearest([...colors, ...darkColors])
  const isRightNeutral = (hex: string, role: ColorUse['role']) => neutrals === 'usual' && isNeutral(hex, role)
  return use => {
    const { hex, alpha } = use.color
    if (alpha === 0) return []
    const own = ownColors.get(hex)
    if (own) return isLiteral(use) ? [literalProblem(use, own)] : []
    if (darkValues.has(hex) || isRightNeutral(hex, use.role)) return []
    // Office documents make tints from a colour of their theme, `shade.of`. One of a foreign colour is judged like others.
    const base = use.shade && ownColors.get(use.shade.of)
    if (use.shade && colors.length > 0 && (base || isRightNeutral(use.shade.of, 'text')))
      return [shadeProblem(use, use.shade, base)]
    const nearest = nearestTo(hex)
    if (!nearest) return []
    return [nearest.deltaE < MIN_VISIBLE ? nearProblem(use, nearest) : offProblem(use, nearest)]
  }
}

/** The ΔE 2000 below which two colours are almost the same. */
const MIN_VISIBLE = 2

/**
 * The rule for light values in code for dark pages, such as the `hex` of a colour that also has a `dark` value. It is right
 * if the brand allows the colour on the ground of the same rule (`on`).
 */
export function createSchemeRule({ colors }: LintBrand): Rule<'scheme'> {
  const rightValues = new Set(colors.map(({ hex, dark }) => dark ?? hex))
  const idsWithValue = (value: string) =>
    new Set(colors.filter(({ hex, dark }) => [hex, dark].includes(value)).map(({ id }) => id))
  return ({ hex, written, ground }) => {
    if (rightValues.has(hex)) return []
    const own = colors.find(color => color.hex === hex)
    if (own?.dark === undefined) return []
    if (ground !== undefined && own.on?.some(id => idsWithValue(ground).has(id))) return []
    const { id, dark: write, guide } = own
    const message = `${oneLine(written)} is the light value of "${id}", in code for dark pages: write ${write}`
    const details = () => ({ found: oneLine(written), nearest: id, write, guide, message })
    return [{ rule: 'color-scheme', value: hex, details }]
  }
}

/** The nearest colour of a brand; of equally near ones, the first. None if the brand has no colours. */
function createNearest(colors: readonly LintColor[]): (hex: string) => Nearest | undefined {
  const labs = lazy(() => colors.map(color => ({ color, lab: toLab(color.hex) ?? color.hex })))
  return memoize(hex => {
    const own = toLab(hex) ?? hex
    const distances = labs().map(({ color, lab }) => ({ color, deltaE: difference(own, lab) }))
    return distances.toSorted((a, b) => a.deltaE - b.deltaE)[0]
  })
}

type Nearest = { color: LintColor; deltaE: number }

const toLab = converter('lab65')
const difference = differenceCiede2000()

/** Only white as a ground; black, white and pure greys elsewhere. In `#808080`, red twice is the same as green and blue. */
function isNeutral(hex: string, role: ColorUse['role']): boolean {
  return role === 'ground' ? hex === '#ffffff' : hex.slice(1, 3).repeat(2) === hex.slice(3)
}

/**
 * Whether a variable could be written instead: not for a value that a fix cannot replace (no `span`), in a file with its own
 * notation for colours (`rewrite`), where a variable gets its value, or for a translucent colour.
 */
function isLiteral({ color, role, span, rewrite }: ColorUse): boolean {
  return span !== undefined && rewrite === undefined && role !== 'definition' && color.alpha === 1
}

/** A tint or shade of a colour of the brand, or of its neutral colours, which have no id. */
function shadeProblem(use: ColorUse, { of, change, style }: NonNullable<ColorUse['shade']>, base?: LintColor): Problem {
  const place = style ? `${style.replace(/^./, letter => letter.toUpperCase())}: ` : ''
  const { id, guide } = base ?? {}
  const name = base ? `"${id}"` : of
  const fix = 'use the colour itself, or turn color-shade off'
  const message = `${place}${name}, ${change}: ${use.written} is made of a colour of the theme; ${fix}`
  const details = () => ({ found: oneLine(use.written), nearest: id, guide, message })
  return { rule: 'color-shade', value: use.color.hex, details }
}

/** The name in `export --to css`. Ids are slugs, so that nothing needs an escape. */
function variableOf({ id }: LintColor): string {
  return `var(--color-${id})`
}

function literalProblem(use: ColorUse, color: LintColor): Problem {
  const { id, hex, guide } = color
  const write = variableOf(color)
  const details = () => {
    const found = oneLine(use.written)
    return { found, nearest: id, guide, write, message: `${found} is the colour "${id}": write ${write}` }
  }
  const edit = (usesVariables: boolean) => (usesVariables ? fixOf(use, hex, write) : undefined)
  return { rule: 'color-literal', value: use.color.hex, details, edit }
}

function nearProblem(use: ColorUse, { color, deltaE: exact }: Nearest): Problem {
  const { id, hex, guide } = color
  const details = () => {
    const found = oneLine(use.written)
    const deltaE = withTwoDecimals(exact)
    const write = withAlpha(hex, use) ?? hex
    const message = `${found} is almost the colour "${id}" (ΔE ${deltaE}): write ${write}`
    return { found, nearest: id, guide, write, deltaE, message }
  }
  const edit = (usesVariables: boolean) => {
    const isVariable = usesVariables && use.role !== 'definition' && use.color.alpha === 1
    return fixOf(use, hex, use.rewrite?.(hex) ?? (isVariable ? variableOf(color) : withAlpha(hex, use)))
  }
  return { rule: 'color-near', value: use.color.hex, details, edit }
}

function offProblem(use: ColorUse, { color: { id, hex, guide }, deltaE: exact }: Nearest): Problem {
  const details = () => {
    const found = oneLine(use.written)
    const deltaE = withTwoDecimals(exact)
    const message = `${found} is not a colour of the brand: use one`
    if (exact > MAX_NEAREST) return { found, message }
    return { found, nearest: id, guide, deltaE, message: `${message}; the nearest is "${id}" (${hex}, ΔE ${deltaE})` }
  }
  return { rule: 'color-off', value: use.color.hex, details }
}

/** The edit that writes `text`, which means the colour `hex`; undefined if nothing can be replaced, or nothing changes. */
function fixOf({ span, written, color }: ColorUse, hex: string, text: string | undefined): Fix | undefined {
  if (!span || text === undefined || text === written) return undefined
  return { ...span, text, from: color.hex, to: hex }
}

function withTwoDecimals(value: number): number {
  return Math.round(value * 100) / 100
}

/** The largest ΔE 2000 at which one colour may be meant as another; beyond it, the nearest one is chance. */
const MAX_NEAREST = 12

/**
 * A colour with the alpha of a use, in its notation: `#1d70b880` for `#1d70b780`, and `rgb(29 112 184 / 0.5)` for a
 * function. Undefined for other texts, such as a variable, whose alpha is elsewhere.
 */
function withAlpha(hex: string, { written, color: { alpha } }: ColorUse): string | undefined {
  if (alpha === 1) return hex
  const channels = [1, 3, 5].map(start => Number.parseInt(hex.slice(start, start + 2), 16))
  const css = `rgb(${channels.join(' ')} / ${alpha})`
  if (/^#(?:[\da-f]{4}){1,2}$/i.test(written)) return formatHex8(css)
  return /^[a-z][\w-]*\([^()]*\)$/i.test(written) ? css : undefined
}
