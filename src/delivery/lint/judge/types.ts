import { smallestSize } from '#brand/type-style.ts'
import { wordSet } from '#platform/base/text.ts'
import type { Problem, Rule } from '../finding.ts'
import type { LintBrand, LintType } from '../lint-brand.ts'
import type { TypeUse } from '../use.ts'
import { familyKey, isFamily } from './fonts.ts'

/** The rule for sizes, weights and line heights that are almost those of a type style. */
export function createTypeRule({ types }: LintBrand): Rule<'type'> {
  const all = types.map(type => ({ ...type, keys: type.families.map(familyKey) }))
  return ({ size, weight, leading, family = '', written = {} }) => {
    if (size === undefined) return []
    const key = familyKey(family)
    const own = all.filter(({ keys }) => keys.some(other => isFamily(key, other)))
    const styles = own.length > 0 ? own : all
    const sized = styles.filter(style => isEqual('size', size, style))
    if (sized.length > 0)
      return [...problemsOf('weight', weight, sized, written), ...problemsOf('leading', leading, sized, written)]
    return styles.some(style => isBetween(size, style)) ? [] : problemsOf('size', size, styles, written)
  }
}

type Property = 'size' | 'weight' | 'leading'

type PropertyForm = { noun: string; unit: string; otherUnits: ReadonlySet<string>; rounding: number }

/** The name of a property, its unit and the others that findings keep, and the differences of rounded values. */
const PROPERTIES: Readonly<Record<Property, PropertyForm>> = {
  size: { noun: 'size', unit: 'px', otherUnits: wordSet('pt rem'), rounding: 0.050001 },
  weight: { noun: 'weight', unit: '', otherUnits: new Set(), rounding: 0.500001 },
  leading: { noun: 'line height', unit: '', otherUnits: new Set(), rounding: 0.005001 },
}
/** A tenth, with the error of binary fractions. */
const TENTH = 0.100001

function isEqual(property: Property, value: number, style: LintType): boolean {
  return Math.abs(value - Number(style[property])) <= PROPERTIES[property].rounding
}

/** Whether a responsive style has a size on a screen from 360 to 1200 px (`fluidSize` in the exports). */
function isBetween(value: number, { size = 0, responsive }: LintType): boolean {
  return responsive && value >= smallestSize(size) - PROPERTIES.size.rounding && value <= size
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
  const [nearest] = shares.filter(({ share }) => share <= TENTH).toSorted((a, b) => a.share - b.share)
  if (!nearest) return []
  const { id, guide } = nearest.style
  const { noun, unit: usual, otherUnits } = PROPERTIES[property]
  const plain = withUnit(value, usual)
  const { [property]: found = plain } = written
  const ownUnit = found.replace(/^[\d.]+/, '')
  const unit = otherUnits.has(ownUnit.toLowerCase()) ? ownUnit : usual
  const write = withUnit(nearest.own / (PX[unit] ?? 1), unit)
  const message = `the ${noun} ${found} is almost ${write} of the type style "${id}": write ${write}`
  const details = () => ({ found, nearest: id, write, guide, message })
  return [{ rule: 'type-near', value: `${property} ${plain}`, details }]
}

/** Pixels of the units in which sizes are also written (CSS Values 4 §6.2). */
const PX: Readonly<Record<string, number>> = { pt: 4 / 3, rem: 16 }

function withUnit(value: number, unit: string): string {
  return `${Math.round(value * 1000) / 1000}${unit}`
}
