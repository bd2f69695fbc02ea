import { stringify } from 'yaml'
import { COLOR_COLUMNS, type Color, PRINT_KEYS } from '#brand/color.ts'
import { keysOf } from '#brand/fields.ts'
import { slug } from '#brand/ids.ts'
import { TYPE_FIELDS, type TypeStyle } from '#brand/type-style.ts'
import { plainNumber } from '#formats/json/json.ts'
import { OperationalError } from '#platform/base/error.ts'
import { pick, unlessEmpty } from '#platform/base/object.ts'

/** The content of `styles/colors.yaml`, with a hex for each colour; empty without colours. */
export function colorsYaml(colors: readonly Color[]): string {
  const written = colors.map(color => ({ ...color, cmyk: color.cmyk?.replaceAll(',', ', ') }))
  const list = written.map(color => ({ ...idAndName(color.id, color.name), ...pick(color, COLOR_KEYS) }))
  return yamlOf('styles/colors.yaml', list, ABOUT_COLORS)
}

const ABOUT_COLORS = `# name, and hex or rgb. Print values (${PRINT_KEYS.join(', ')}) are optional and never computed.
# use: what a colour is for. group: its heading on the website. on: the backgrounds it may be used on.
`
const COLOR_KEYS = COLOR_COLUMNS.filter(key => !['name', 'rgb'].includes(key))

/** The content of `styles/types.yaml`, without values that are the default. */
export function typesYaml(types: readonly TypeStyle[]): string {
  const written = types.map(style => ({
    ...style,
    casing: style.casing === 'none' ? undefined : style.casing,
    responsive: style.responsive || undefined,
    features: unlessEmpty(style.features),
    fallback: unlessEmpty(style.fallback),
  }))
  const list = written.map(style => ({ ...idAndName(style.id, style.name), ...pick(style, TYPE_KEYS) }))
  return yamlOf('styles/types.yaml', list, ABOUT_TYPES)
}

const ABOUT_TYPES = `# size in px, leading as a multiple of size, tracking and spacing in em.
# family: the family of a font under files/. weight: 1 to 1000, or a name as SemiBold.
`
/** The font comes first. */
const TYPE_KEYS = [...new Set(['family', 'weight', 'style', ...keysOf(TYPE_FIELDS)] as const)].filter(
  key => key !== 'id' && key !== 'name',
)

/** Omits an id that follows from the name. */
function idAndName(id: string, name: string): { id?: string; name: string } {
  return slug(name) === id ? { name } : { id, name }
}

/** Quotes strings that YAML would read as numbers, so that other readers see strings too. Refuses a list that is too large. */
function yamlOf(path: string, list: readonly object[], about: string): string {
  if (list.length === 0) return ''
  const yaml = about + stringify(list, writeNumber, { lineWidth: 0, aliasDuplicateObjects: false })
  const message = `${path} would have more than 4 MiB: take styles from a smaller file`
  if (Buffer.byteLength(yaml) > MAX_YAML_BYTES) throw new OperationalError('source_unreadable', message)
  return yaml
}

/** The size limit of a styles file, without the line that names its schema. */
const MAX_YAML_BYTES = (4 << 20) - 100

function writeNumber(_key: unknown, value: unknown): unknown {
  return typeof value === 'number' && String(value).includes('e') ? plainNumber(value) : value
}
