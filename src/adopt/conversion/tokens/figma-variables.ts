import { addNote, type Notes } from '#brand/tokens/found-styles.ts'
import { isOtherScheme } from '#brand/tokens/scheme.ts'
import { hexText } from '#formats/css/hex.ts'
import { isObject, type Json, type JsonObject, jsonText, member, textMember } from '#formats/json/json.ts'

/**
 * Figma's variables, as its REST API gives them, as tokens in a group for each collection. The default mode counts, and
 * each value of another mode is noted. Undefined for any other object.
 */
export function figmaVariables(root: JsonObject, notes: Notes): JsonObject | undefined {
  const meta = root.get('meta')
  const [variables, collections] = [member(meta, 'variables'), member(meta, 'variableCollections')]
  if (!isObject(variables) || !isObject(collections)) return undefined
  const tokens: Group = new Map()
  const collectionOf = (variable: Json | undefined) =>
    collections.get(textMember(variable, 'variableCollectionId') ?? '')
  const pathOf = (variable: Json | undefined) => {
    const names = [textMember(collectionOf(variable), 'name'), ...(textMember(variable, 'name') ?? '').split('/')]
    return names.flatMap(name => name?.trim().replace(/^\$|[{}]/g, '') || [])
  }
  for (const variable of variables.values()) {
    const [collection, path] = [collectionOf(variable), pathOf(variable)]
    const [values, modes] = [member(variable, 'valuesByMode'), member(collection, 'modes')]
    const $type = TYPES.get(textMember(variable, 'resolvedType') ?? '') ?? 'other'
    const $description = textMember(variable, 'description') ?? ''
    for (const [mode, value] of isObject(values) ? values : []) {
      const target = textMember(value, 'type') === 'VARIABLE_ALIAS' ? textMember(value, 'id') : undefined
      const $value = target === undefined ? valueText(value) : `{${pathOf(variables.get(target)).join('.') || target}}`
      const named = Array.isArray(modes) ? modes.find(each => textMember(each, 'modeId') === mode) : undefined
      const scheme = textMember(named, 'name') ?? mode
      if (mode === textMember(collection, 'defaultModeId'))
        place(tokens, path, new Map(Object.entries({ $type, $value, $description })))
      else if (isOtherScheme(scheme))
        addNote(notes, { name: path.join('.'), value: jsonText($value) }, 'otherScheme', scheme)
      else addNote(notes, { name: path.slice(1).join('/'), value: `${scheme} ${jsonText($value)}` }, 'otherMode')
    }
  }
  return tokens
}

const TYPES: ReadonlyMap<string, string> = new Map(
  Object.entries({ COLOR: 'color', FLOAT: 'number', STRING: 'string', BOOLEAN: 'boolean' }),
)

type Group = Map<string, Json>

/** A colour as CSS: its channels are from 0 to 1. */
function valueText(value: Json): Json {
  if (!isObject(value)) return value
  const [r = 0, g = 0, b = 0, a = 1] = ['r', 'g', 'b', 'a'].map(key => Number(value.get(key) ?? 1))
  const [red, green, blue] = [r, g, b].map(channel => Math.round(channel * 255))
  return a < 1 ? `rgb(${red} ${green} ${blue} / ${a})` : hexText([red ?? 0, green ?? 0, blue ?? 0])
}

/** A variable may have the name of a group: it becomes the `$root` of the group. */
function place(group: Group, [name = '', ...rest]: readonly string[], token: JsonObject): void {
  const before = group.get(name)
  const inner: Group = new Map(isObject(before) ? (before.has('$value') ? [['$root', before]] : before) : [])
  if (rest.length > 0) place(inner, rest, token)
  group.set(name, rest.length > 0 ? inner : before === undefined ? token : inner.set('$root', token))
}
