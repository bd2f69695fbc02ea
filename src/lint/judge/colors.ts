import { converter, differenceCiede2000, formatHex8 } from 'culori'
import { lazy } from '../../base/object.ts'
import { memoize } from '../../base/text.ts'
import type { LintBrand, LintColor } from '../lint-brand.ts'
import type { ColorUse } from '../use.ts'
import { oneLine, type Problem, type Rule } from './problem.ts'

export function createColorRule({ colors, neutrals }: LintBrand): Rule {
  const ownColors = new Map(colors.toReversed().map(color => [color.hex, color]))
  const nearestTo = createNearest(colors)
  return use => {
    if (use.kind !== 'color' || use.color.alpha === 0) return []
    const { hex } = use.color
    const own = ownColors.get(hex)
    if (own) return isLiteral(use) ? [problemOf(use, 'color-literal', { color: own, deltaE: 0 })] : []
    const nearest = neutrals === 'usual' && isNeutral(hex, use.role) ? undefined : nearestTo(hex)
    return nearest ? [problemOf(use, nearest.deltaE < 2 ? 'color-near' : 'color-off', nearest)] : []
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

/** White as a ground; black, white and pure greys elsewhere. */
function isNeutral(hex: string, role: ColorUse['role']): boolean {
  return role === 'ground' ? hex === '#ffffff' : hex.slice(1, 3).repeat(2) === hex.slice(3)
}

/** Whether a variable could be written instead: a file that has its own notation for colours is not CSS. */
function isLiteral({ color, role, span, rewrite }: ColorUse): boolean {
  return span !== undefined && rewrite === undefined && role !== 'definition' && color.alpha === 1
}

type ColorRuleId = 'color-near' | 'color-off' | 'color-literal'

function problemOf(use: ColorUse, rule: ColorRuleId, { color: { id, hex, guide }, deltaE: exact }: Nearest): Problem {
  // The name in `export --to css`. Ids are slugs, so that nothing needs an escape.
  const variable = `var(--color-${id})`
  const details = () => {
    const [found, deltaE] = [oneLine(use.written), Math.round(exact * 100) / 100]
    const fields = { found, nearest: id, guide }
    const message = `${found} is not a colour of the brand: use one; the nearest is "${id}" (${hex}, ΔE ${deltaE})`
    if (rule === 'color-off') return { ...fields, deltaE, message }
    if (rule === 'color-literal')
      return { ...fields, write: variable, message: `${found} is the colour "${id}": write ${variable}` }
    const write = withAlpha(hex, use) ?? hex
    return { ...fields, write, deltaE, message: `${found} is almost the colour "${id}" (ΔE ${deltaE}): write ${write}` }
  }
  const edit = (usesVariables: boolean) => {
    if (!use.span || rule === 'color-off' || (rule === 'color-literal' && !usesVariables)) return undefined
    const isVariable = usesVariables && use.role !== 'definition' && use.color.alpha === 1
    const text = use.rewrite?.(hex) ?? (isVariable ? variable : withAlpha(hex, use))
    return text === undefined || text === use.written ? undefined : { ...use.span, text }
  }
  return { rule, value: use.color.hex, details, edit }
}

/** A colour with the alpha of a use, in its notation; undefined if the text of the use does not have the alpha. */
function withAlpha(hex: string, { written, color: { alpha } }: ColorUse): string | undefined {
  if (alpha === 1) return hex
  const channels = [1, 3, 5].map(start => Number.parseInt(hex.slice(start, start + 2), 16))
  const css = `rgb(${channels.join(' ')} / ${alpha})`
  if (/^#(?:[\da-f]{4}|[\da-f]{8})$/i.test(written)) return formatHex8(css)
  return /^[a-z][\w-]*\([^()]*\)$/i.test(written) ? css : undefined
}
