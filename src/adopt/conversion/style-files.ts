import { stringify } from 'yaml'
import { COLOR_COLUMNS, type Color } from '#brand/color.ts'
import { keysOf } from '#brand/fields.ts'
import { plainNumber } from '#brand/formats/json.ts'
import { slug } from '#brand/ids.ts'
import { TYPE_FIELDS, type TypeStyle } from '#brand/type-style.ts'
import { pick } from '#platform/base/object.ts'

/** The content of `styles/colors.yaml`, with a hex for each colour. */
export function colorsYaml(colors: readonly Color[]): string {
  const written = colors.map(color => ({ ...color, cmyk: color.cmyk?.replaceAll(',', ', ') }))
  return yamlOf(written.map(color => ({ ...idAndName(color.id, color.name), ...pick(color, COLOR_KEYS) })))
}

const COLOR_KEYS = COLOR_COLUMNS.filter(key => key !== 'name' && key !== 'rgb')

/** The content of `styles/types.yaml`, without values that are the default. */
export function typesYaml(types: readonly TypeStyle[]): string {
  const written = types.map(style => ({
    ...style,
    casing: style.casing === 'none' ? undefined : style.casing,
    responsive: style.responsive || undefined,
    features: unlessEmpty(style.features),
    fallback: unlessEmpty(style.fallback),
  }))
  return yamlOf(written.map(style => ({ ...idAndName(style.id, style.name), ...pick(style, TYPE_KEYS) })))
}

/** The font comes first. */
const TYPE_KEYS = [...new Set(['family', 'weight', 'style', ...keysOf(TYPE_FIELDS)] as const)].filter(
  key => key !== 'id' && key !== 'name',
)

function unlessEmpty<Value extends object>(value: Value | undefined): Value | undefined {
  return value && Object.keys(value).length > 0 ? value : undefined
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
