import type { YamlNode } from '../../intake/yaml/yaml.ts'
import { addNote, type Notes } from '../found-styles.ts'
import { isObject, type Json, type JsonObject, jsonText, member, textMember } from '../json.ts'

/** The tokens of a `_brand.yml`, or of the front matter of a `DESIGN.md`. Undefined for other YAML. */
export function brandTokens(root: JsonObject, notes: Notes): JsonObject | undefined {
  const [colors, color, typography] = ['colors', 'color', 'typography'].map(key => root.get(key))
  if (![colors, color, typography].some(isObject)) return undefined
  if (!isObject(colors)) {
    noteOthers(root, ['color', 'typography'], notes)
    return new Map([...positColors(color, notes), ['typography', positTypes(typography, notes)]])
  }
  return new Map([
    ['colors', group('color', entriesOf(colors))],
    ['typography', group('typography', entriesOf(typography))],
  ])
}

/** Every value is a string, as it is written, so that `012345` keeps its zero. */
export function jsonOfYaml(node: YamlNode): Json {
  if (node.kind === 'text') return node.text
  if (node.kind === 'empty') return null
  if (node.kind === 'list') return node.items.map(jsonOfYaml)
  return new Map(node.entries.map(({ key, value }) => [key, jsonOfYaml(value)]))
}

function entriesOf(value: Json | undefined): [string, Json][] {
  return isObject(value) ? [...value] : []
}

function group(type: string, values: readonly (readonly [string, Json])[]): JsonObject {
  const token = (value: Json) => new Map<string, Json>([['$value', value]])
  return new Map<string, Json>([['$type', type], ...values.map(([key, value]) => [key, token(value)] as const)])
}

function noteOthers(root: JsonObject, read: readonly string[], notes: Notes): void {
  for (const [key, value] of root)
    if (!read.includes(key)) addNote(notes, { name: key, value: jsonText(value) }, 'is not read; left out', 100)
}

/** A colour of the theme names one of the palette, or another of the theme; it may have a value for dark. */
function positColors(color: Json | undefined, notes: Notes): [string, Json][] {
  const palette = entriesOf(member(color, 'palette'))
  const theme = entriesOf(color).filter(([key]) => key !== 'palette')
  const colorOf = (name: string, value: Json, names: readonly (readonly [string, string])[]): [string, Json] => {
    const [light, dark] = [textMember(value, 'light'), textMember(value, 'dark')]
    if (dark !== undefined) addNote(notes, { name, value: dark }, 'a value for dark; left out', Infinity)
    const text = light ?? value
    const [place] = names.find(([, each]) => each === text) ?? []
    return [name, place === undefined ? text : `{${place}.${text}}`]
  }
  const paletteNames = palette.map(([key]) => ['palette', key] as const)
  const names = [...paletteNames, ...theme.map(([key]) => ['theme', key] as const)]
  return [
    [
      'palette',
      group(
        'color',
        palette.map(([key, value]) => colorOf(key, value, paletteNames)),
      ),
    ],
    [
      'theme',
      group(
        'color',
        theme.map(([key, value]) => colorOf(key, value, names)),
      ),
    ],
  ]
}

/** A style is a family, or its properties by their names in CSS. */
function positTypes(typography: Json | undefined, notes: Notes): JsonObject {
  const fonts = member(typography, 'fonts')
  for (const font of Array.isArray(fonts) ? fonts : [])
    addNote(
      notes,
      { name: textMember(font, 'family') ?? '', value: jsonText(font) },
      'a font is not read; left out',
      100,
    )
  const styles = entriesOf(typography).flatMap(([key, value]): [string, Json][] => {
    if (key === 'fonts') return []
    if (!isObject(value)) return [[key, new Map([['font-family', value]])]]
    const properties = Array.from(
      value,
      ([name, each]) => [name.replace(/^(?=(?:family|size|weight|style)$)/, 'font-'), each] as const,
    )
    return [[key, new Map(properties)]]
  })
  return group('typography', styles)
}

/** The tokens of a `brand.json` of the Ad Context Protocol 3, of each of its brands; undefined for other files. */
export function adcpBrand(root: JsonObject, notes: Notes): JsonObject | undefined {
  const brands = root.get('brands')
  const isHouse = root.has('house') && Array.isArray(brands)
  const isNamed = Array.isArray(root.get('names')) && typeof root.get('id') === 'string'
  if (!/\badcontextprotocol\b/.test(textMember(root, '$schema') ?? '') && !isHouse && !isNamed) return undefined
  noteOthers(root, ['$schema', 'version', 'brands', 'colors', 'fonts'], notes)
  const list = isHouse ? brands.filter(isObject) : [root]
  const colors: [string, Json][] = []
  const types: [string, Json][] = []
  for (const [at, brand] of list.entries()) {
    if (isHouse) noteOthers(brand, ['id', 'colors', 'fonts'], notes)
    const prefix = list.length > 1 ? `${textMember(brand, 'id') ?? at + 1} ` : ''
    for (const [role, value] of entriesOf(brand.get('colors'))) {
      const values = Array.isArray(value) ? value : [value]
      colors.push(
        ...values.map((each, at): [string, Json] => [`${prefix}${role}${values.length > 1 ? ` ${at + 1}` : ''}`, each]),
      )
    }
    for (const [role, value] of entriesOf(brand.get('fonts'))) {
      const family = textMember(value, 'family') ?? value
      if (isObject(value))
        addNote(notes, { name: role, value: jsonText(value) }, 'files of a font are not read; left out')
      types.push([prefix + role, new Map([['fontFamily', family]])])
    }
  }
  return new Map([
    ['color', group('color', colors)],
    ['typography', group('typography', types)],
  ])
}
