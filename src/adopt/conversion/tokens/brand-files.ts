import { addNote, type Notes } from '#brand/tokens/found-styles.ts'
import { isObject, type Json, type JsonObject, jsonText, member, textMember } from '#formats/json/json.ts'

/** The tokens of a `_brand.yml`, or of the front matter of a `DESIGN.md`. Undefined for other YAML. */
export function brandTokens(root: JsonObject, notes: Notes): JsonObject | undefined {
  const [colors, color, typography] = ['colors', 'color', 'typography'].map(key => root.get(key))
  if (![color, typography].some(isObject)) return undefined
  if (!isObject(colors)) {
    noteOthers(root, ['color', 'typography'], notes)
    return new Map([...positColors(color, notes), ['typography', positTypes(typography, notes)]])
  }
  return new Map([
    ['colors', group('color', entriesOf(colors))],
    ['typography', group('typography', entriesOf(typography))],
  ])
}

function entriesOf(value: Json | undefined): [string, Json][] {
  return isObject(value) ? [...value] : []
}

function group(type: string, values: readonly (readonly [string, Json])[]): JsonObject {
  const isGroup = (value: Json) =>
    type === 'color' && isObject(value) && ![...value.keys()].every(key => key.length === 1)
  const token = (value: Json) =>
    isGroup(value) ? group(type, entriesOf(value)) : new Map<string, Json>([['$value', value]])
  return new Map<string, Json>([['$type', type], ...values.map(([key, value]) => [key, token(value)] as const)])
}

/** Notes the keys that are not read, with their values. */
export function noteOthers(root: JsonObject, read: readonly string[], notes: Notes): void {
  for (const [key, value] of root)
    if (!read.includes(key)) addNote(notes, { name: key, value: jsonText(value) }, 'unread')
}

/** A colour of the palette or theme may name another one, and may have a value for dark. */
function positColors(color: Json | undefined, notes: Notes): [string, Json][] {
  const theme = entriesOf(color).filter(([key]) => key !== 'palette')
  const groups = [['palette', entriesOf(member(color, 'palette'))] as const, ['theme', theme] as const]
  const places = new Map(
    groups.toReversed().flatMap(([group, colors]) => colors.map(([name]) => [name, `${group}.${name}`])),
  )
  const namedIn = (own: string, value: Json): Json => {
    const place = places.get(jsonText(value))
    return place === undefined || place === own ? value : `{${place}}`
  }
  /** The value for light pages; that for dark is noted, and joined with the others. */
  const lightOf = (own: string, value: Json): Json[] => {
    if (!isObject(value)) return [namedIn(own, value)]
    const dark = value.get('dark')
    if (dark === undefined) return [namedIn(own, value.get('light') ?? value)]
    addNote(notes, { name: own, value: jsonText(namedIn(own, dark)) }, 'otherScheme', 'dark')
    const light = value.get('light')
    return light === undefined ? [] : [namedIn(own, light)]
  }
  return groups.map(([name, colors]) => [
    name,
    group(
      'color',
      colors.flatMap(([key, value]) => lightOf(`${name}.${key}`, value).map(light => [key, light] as const)),
    ),
  ])
}

/** A style is a family, or its properties by their names in CSS. */
function positTypes(typography: Json | undefined, notes: Notes): JsonObject {
  const { fonts, ...styles } = Object.fromEntries(entriesOf(typography))
  if (fonts !== undefined) addNote(notes, { name: 'fonts', value: jsonText(fonts) }, 'unread')
  const toCss = (name: string) => name.replace(/^(?=(?:family|size|weight|style)$)/, 'font-')
  const properties = Object.entries(styles).map(([key, value]): [string, Json] => {
    const own = isObject(value) ? [...value] : [['family', value] as const]
    return [key, new Map(own.map(([name, each]) => [toCss(name), each]))]
  })
  return group('typography', properties)
}

/** The tokens of a `brand.json` of the Ad Context Protocol 3, of each of its brands; undefined for other files. */
export function adcpBrand(root: JsonObject, notes: Notes): JsonObject | undefined {
  const brands = root.get('brands')
  const isHouse = root.has('house') && Array.isArray(brands)
  const isNamed = Array.isArray(root.get('names')) && typeof root.get('id') === 'string'
  if (!/\badcontextprotocol\b/.test(textMember(root, '$schema') ?? '') && !isHouse && !isNamed) return undefined
  noteOthers(root, ['$schema', 'version', 'brands', 'colors', 'fonts'], notes)
  const list = isHouse ? brands.filter(isObject) : [root]
  if (isHouse) for (const brand of list) noteOthers(brand, ['id', 'colors', 'fonts'], notes)
  /** The values for each role; several have numbers. */
  const valuesOf = (key: string) =>
    list.flatMap((brand, at) =>
      entriesOf(brand.get(key)).flatMap(([role, value]) => {
        const name = list.length > 1 ? `${textMember(brand, 'id') ?? at + 1} ${role}` : role
        if (!Array.isArray(value)) return [[name, value] as const]
        return value.map((each, index) => [value.length > 1 ? `${name} ${index + 1}` : name, each] as const)
      }),
    )
  const fonts = valuesOf('fonts').map(([name, value]): [string, Json] => {
    if (isObject(value)) addNote(notes, { name, value: jsonText(value) }, 'filesOfFont')
    return [name, new Map([['fontFamily', textMember(value, 'family') ?? value]])]
  })
  return new Map([
    ['color', group('color', valuesOf('colors'))],
    ['typography', group('typography', fonts)],
  ])
}
