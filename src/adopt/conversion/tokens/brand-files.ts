import { addNote, type Notes } from '#brand/tokens/found-styles.ts'
import { isObject, type Json, type JsonObject, jsonText, member, textMember } from '#formats/json/json.ts'
import { listIn } from '#platform/base/object.ts'

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
  // An object of a colour has its channels, or other colours.
  const isGroup = (value: Json) => type === 'color' && entriesOf(value).some(([key]) => key.length > 1)
  const token = (value: Json) =>
    isGroup(value) ? group(type, entriesOf(value)) : new Map<string, Json>([['$value', value]])
  return new Map<string, Json>([['$type', type], ...values.map(([key, value]) => [key, token(value)] as const)])
}

/** Notes the keys that are not read, with their values. */
export function noteOthers(root: JsonObject, read: readonly string[], notes: Notes): void {
  for (const [key, value] of root)
    if (!read.includes(key)) addNote(notes, { name: key, value: jsonText(value) }, 'unread')
}

/** A colour of the palette or theme may name another one, and may have a value for dark, which is only noted. */
function positColors(color: Json | undefined, notes: Notes): [string, Json][] {
  const theme = entriesOf(color).filter(([key]) => key !== 'palette')
  const groups = [['palette', entriesOf(member(color, 'palette'))] as const, ['theme', theme] as const]
  const places = new Map(
    groups.toReversed().flatMap(([group, colors]) => colors.map(([name]) => [name, `${group}.${name}`])),
  )
  const namedIn = (own: string, value: Json): Json => {
    const place = places.get(jsonText(value)) ?? own
    return place === own ? value : `{${place}}`
  }
  return groups.map(([name, colors]) => {
    const values = colors.flatMap(([key, value]) => {
      const own = `${name}.${key}`
      const { dark, light = dark === undefined ? value : null } = Object.fromEntries(entriesOf(value))
      if (dark !== undefined) addNote(notes, { name: own, value: jsonText(namedIn(own, dark)) }, 'otherScheme', 'dark')
      return light === null ? [] : [[key, namedIn(own, light)] as const]
    })
    return [name, group('color', values)]
  })
}

/** A style is a family, or its properties by their names in CSS. */
function positTypes(typography: Json | undefined, notes: Notes): JsonObject {
  const { fonts, ...styles } = Object.fromEntries(entriesOf(typography))
  if (fonts !== undefined) addNote(notes, { name: 'fonts', value: jsonText(fonts) }, 'unread')
  const properties = Object.entries(styles).map(([key, value]): [string, Json] => [
    key,
    isObject(value) ? value : new Map([['family', value]]),
  ])
  return group('typography', properties)
}

/** The tokens of a `brand.json` of the Ad Context Protocol 3, of each of its brands; undefined for other files. */
export function adcpBrand(root: JsonObject, notes: Notes): JsonObject | undefined {
  const brands = listIn(root.get('brands')).filter(isObject)
  const isHouse = root.has('house') && root.has('brands')
  const isNamed = listIn(root.get('names')).length > 0 && root.has('id')
  const isOfProtocol = jsonText(root.get('$schema') ?? '').includes('adcontextprotocol')
  if (!isOfProtocol && !isHouse && !isNamed) return undefined
  noteOthers(root, ['$schema', 'version', 'brands', 'colors', 'fonts'], notes)
  for (const brand of brands) noteOthers(brand, ['id', 'colors', 'fonts'], notes)
  const list = isHouse ? brands : [root]
  /** The values for each role; several have numbers. */
  const valuesOf = (key: string) =>
    list.flatMap((brand, at) =>
      entriesOf(brand.get(key)).flatMap(([role, value]) => {
        const name = list.length > 1 ? `${textMember(brand, 'id') ?? at + 1} ${role}` : role
        const [first = value, ...others] = listIn(value)
        return others.length === 0
          ? [[name, first] as const]
          : [first, ...others].map((each, index) => [`${name} ${index + 1}`, each] as const)
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
