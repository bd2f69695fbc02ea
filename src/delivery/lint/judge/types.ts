import { smallestSize } from '#brand/type-style.ts'
import { wordSet } from '#platform/base/text.ts'
import type { Problem, Rule } from '../finding.ts'
import type { LintBrand, LintType } from '../lint-brand.ts'
import type { TypeUse } from '../use.ts'
import { familyKey, isFamily } from './fonts.ts'

/**
 * The rule for sizes, weights and line heights that are almost those of a type style. They are compared with the styles of
 * the same family, or with all if no style has it; the weight and line height only with styles of the same size.
 */
export function createTypeRule({ types }: LintBrand): Rule<'type'> {
  const allStyles = types.map(type => ({ ...type, keys: type.families.map(familyKey) }))
  return ({ size, weight, leading, family = '', written = {} }) => {
    if (size === undefined) return []
    const key = familyKey(family)
    const familyStyles = allStyles.filter(({ keys }) => keys.some(styleKey => isFamily(key, styleKey)))
    const styles = familyStyles.length > 0 ? familyStyles : allStyles
    const sameSize = styles.filter(style => isEqual('size', size, style))
    if (sameSize.length > 0)
      return [...problemsOf('weight', weight, sameSize, written), ...problemsOf('leading', leading, sameSize, written)]
    return styles.some(style => isBetween(size, style)) ? [] : problemsOf('size', size, styles, written)
  }
}

type Property = 'size' | 'weight' | 'leading'

type PropertyForm = {
  noun: string
  /** The unit of its number. */
  unit: string
  /** Other units that messages keep if the file has them, such as `rem`. */
  otherUnits: ReadonlySet<string>
  /** The largest difference that rounding makes: half of the last decimal, with the error of binary fractions. */
  rounding: number
}

const PROPERTIES: Readonly<Record<Property, PropertyForm>> = {
  size: { noun: 'size', unit: 'px', otherUnits: wordSet('pt rem'), rounding: 0.050001 },
  weight: { noun: 'weight', unit: '', otherUnits: new Set(), rounding: 0.500001 },
  leading: { noun: 'line height', unit: '', otherUnits: new Set(), rounding: 0.005001 },
}

/** The largest share of a value by which another one is almost the same: a tenth, with the error of binary fractions. */
const TENTH = 0.100001

function isEqual(property: Property, value: number, style: LintType): boolean {
  return Math.abs(value - Number(style[property])) <= PROPERTIES[property].rounding
}

/** Whether a responsive style has a size on a screen from 360 to 1200 px (`fluidSize` in the exports). */
function isBetween(value: number, { size = 0, responsive }: LintType): boolean {
  return responsive && value >= smallestSize(size) - PROPERTIES.size.rounding && value <= size
}

/** The problem of a value that is within a tenth of the value of a style, but equal to none. Names the nearest style. */
function problemsOf(
  property: Property,
  value: number | undefined,
  styles: readonly LintType[],
  written: NonNullable<TypeUse['written']>,
): Problem[] {
  if (value === undefined || styles.some(style => isEqual(property, value, style))) return []
  const candidates = styles.flatMap(style => {
    const styleValue = style[property]
    return styleValue === undefined ? [] : [{ style, styleValue, share: Math.abs(value - styleValue) / styleValue }]
  })
  const [nearest] = candidates.filter(({ share }) => share <= TENTH).toSorted((a, b) => a.share - b.share)
  if (!nearest) return []
  const { id, guide } = nearest.style
  const { noun, unit: usualUnit, otherUnits } = PROPERTIES[property]
  const valueText = withUnit(value, usualUnit)
  // As written in the file, such as `1.05rem`; absent if that is the plain number.
  const { [property]: found = valueText } = written
  const fileUnit = found.replace(/^[\d.]+/, '')
  const unit = otherUnits.has(fileUnit.toLowerCase()) ? fileUnit : usualUnit
  const write = withUnit(nearest.styleValue / (PX[unit] ?? 1), unit)
  const message = `the ${noun} ${found} is almost ${write} of the type style "${id}": write ${write}`
  const details = () => ({ found, nearest: id, write, guide, message })
  return [{ rule: 'type-near', value: `${property} ${valueText}`, details }]
}

/** Pixels of the units in which sizes are also written (CSS Values 4 §6.2). */
const PX: Readonly<Record<string, number>> = { pt: 4 / 3, rem: 16 }

function withUnit(value: number, unit: string): string {
  return `${Math.round(value * 1000) / 1000}${unit}`
}
