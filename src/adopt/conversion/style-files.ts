import { stringify } from 'yaml'
import { COLOR_COLUMNS, type Color } from '#brand/color.ts'
import { plainNumber } from '#brand/formats/json.ts'
import { slug } from '#brand/ids.ts'
import type { TypeStyle } from '#brand/type-style.ts'
import { pick, withoutUndefined } from '#platform/base/object.ts'

/** The content of `styles/colors.yaml`, with a hex for each colour. */
export function colorsYaml(colors: readonly Color[]): string {
  return yamlOf(
    colors.map(color => ({
      ...idAndName(color.id, color.name),
      ...pick(color, YAML_KEYS),
      ...withoutUndefined({ cmyk: color.cmyk?.replaceAll(',', ', ') }),
    })),
  )
}

const YAML_KEYS = COLOR_COLUMNS.filter(key => key !== 'name' && key !== 'rgb')

/** The content of `styles/types.yaml`. */
export function typesYaml(types: readonly TypeStyle[]): string {
  return yamlOf(types.map(style => ({ ...idAndName(style.id, style.name), ...withoutUndefined(writtenValues(style)) })))
}

function writtenValues(style: TypeStyle): Readonly<Record<Exclude<keyof TypeStyle, 'id' | 'name'>, unknown>> {
  const { casing, responsive, features, fallback } = style
  return {
    family: style.family,
    weight: style.weight,
    style: style.style,
    size: style.size,
    leading: style.leading,
    tracking: style.tracking,
    casing: casing === 'none' ? undefined : casing,
    spacing: style.spacing,
    responsive: responsive || undefined,
    features: Object.keys(features).length > 0 ? features : undefined,
    fallback: fallback?.length ? fallback : undefined,
    axes: style.axes,
    sample: style.sample,
  }
}

/** Omits an id that follows from the name. */
function idAndName(id: string, name: string): { id?: string; name: string } {
  return slug(name) === id ? { name } : { id, name }
}

/** Quotes strings that YAML would read as numbers, so that other readers see strings too. */
function yamlOf(list: readonly object[]): string {
  return list.length === 0 ? '' : stringify(list, writeNumber, { lineWidth: 0, aliasDuplicateObjects: false })
}

function writeNumber(_key: unknown, value: unknown): unknown {
  return typeof value === 'number' && String(value).includes('e') ? plainNumber(value) : value
}
