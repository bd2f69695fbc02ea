import { smallestSize } from '../../brand/type-style.ts'
import type { LintBrand, LintType } from '../lint-brand.ts'
import type { TypeUse } from '../use.ts'
import { familyKey, isFamily } from './fonts.ts'
import type { Problem, Rule } from './problem.ts'

/** The rule for sizes, weights and line heights that are almost those of a type style. */
export function createTypeRule({ types }: LintBrand): Rule {
  const keys = new Map(types.map(type => [type, type.families.map(familyKey)]))
  return use => {
    if (use.kind !== 'type') return []
    const { size, weight, leading, written = {} } = use
    const key = familyKey(use.family ?? '')
    const own = types.filter(type => keys.get(type)?.some(other => isFamily(key, other)))
    const styles = own.length > 0 ? own : types
    const sized = size === undefined ? styles : styles.filter(style => isEqual('size', size, style))
    if (sized.length > 0)
      return [...problemsOf('weight', weight, sized, written), ...problemsOf('leading', leading, sized, written)]
    return size === undefined || styles.some(style => isBetween(size, style))
      ? []
      : problemsOf('size', size, styles, written)
  }
}

type Property = 'size' | 'weight' | 'leading'

/** Differences of rounded values and a tenth, with the error of binary fractions. */
const ROUNDING: Readonly<Record<Property, number>> = { size: 0.050001, weight: 0.500001, leading: 0.005001 }
const TENTH = 0.100001

function isEqual(property: Property, value: number, style: LintType): boolean {
  return Math.abs(value - (style[property] ?? Number.NaN)) <= ROUNDING[property]
}

/** Whether a responsive style has a size on a screen from 360 to 1200 px (`fluidSize` in the exports). */
function isBetween(value: number, { size = 0, responsive }: LintType): boolean {
  return responsive && value >= smallestSize(size) - ROUNDING.size && value <= size
}

/** A value within a tenth of one of a style, but equal to none. */
function problemsOf(
  property: Property,
  value: number | undefined,
  styles: readonly LintType[],
  written: NonNullable<TypeUse['written']>,
): Problem[] {
  if (value === undefined || styles.some(style => isEqual(property, value, style))) return []
  const shares = styles.flatMap(style => {
    const own = style[property]
    return own === undefined ? [] : [{ style, own, share: Math.abs(value - own) / own }]
  })
  const nearest = shares.toSorted((a, b) => a.share - b.share)[0]
  if (!nearest || nearest.share > TENTH) return []
  const { id, guide } = nearest.style
  const noun = property === 'leading' ? 'line height' : property
  const plain = textOf(value, property === 'size' ? 'px' : '')
  const found = written[property] ?? plain
  const unit = property === 'size' ? (/pt$|rem$/i.exec(found)?.[0] ?? 'px') : ''
  const write = textOf(nearest.own / (PX[unit] ?? 1), unit)
  const message = `the ${noun} ${found} is almost ${write} of the type style "${id}": write ${write}`
  const details = () => ({ found, nearest: id, write, guide, message })
  return [{ rule: 'type-near', value: `${property} ${plain}`, details }]
}

/** Pixels of the units in which sizes are also written (CSS Values 4 §6.2). */
const PX: Readonly<Record<string, number>> = { pt: 4 / 3, rem: 16 }

function textOf(value: number, unit: string): string {
  return `${Math.round(value * 1000) / 1000}${unit}`
}
